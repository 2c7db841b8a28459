// A search with several processes of one target, which goes on past what it has found.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/cli/worker.h"

namespace heddle::cli {

struct CampaignOptions {
  std::string target, out;
  std::vector<std::string> seeds;  // directories of inputs to begin with
  std::vector<std::string> words;  // the engine's own options
  std::string known;               // file of signatures that are no news; empty: none
  unsigned jobs = 1, seconds = 0, seed = 1;
  unsigned findings = 0;  // stop when there are so many; 0: do not
};

// One signature; without one, one summary.
struct CampaignFinding {
  std::string signature, summary;
  size_t count = 0;
  std::vector<std::string> files;
};

struct CampaignState {
  LiveFigures figures;  // executions of all processes; orders and pairs of the one that has seen
                        // most of them
  double executions_a_second = 0;
  double seconds = 0, seconds_since_news = 0;
  size_t searching = 0;  // processes
};

class Campaign {
 public:
  explicit Campaign(CampaignOptions options);
  // Until the time is up, or nothing is left to do. `show` is called a few times a second.
  void run(const std::function<void(const Campaign&)>& show);
  // From a signal handler: ends it.
  static void stop();

  CampaignState state() const;
  const std::vector<CampaignFinding>& findings() const { return findings_; }
  // What was seen and is no finding: the text of schema/seen_file.h.
  std::string seen() const;
  size_t new_findings() const { return findings_.size(); }
  const std::string& failure() const {
    return failure_;
  }  // why a target could not search; empty: it could

 private:
  using Clock = std::chrono::steady_clock;
  struct Place {
    std::unique_ptr<Worker> worker;
    std::vector<std::string> saved;  // files of the process
    unsigned starts = 0;
    unsigned useless = 0;  // processes in a row that found nothing new, and ended soon
    bool done = false;
  };

  void start(size_t number);
  void read_line(Place& place, const std::string& line);
  void ended(size_t number);
  bool note_finding(const Place& place);
  unsigned seconds_left() const;
  bool over() const;
  void wait_for_output(const std::function<void(const Campaign&)>& show);
  void end_workers();
  void write_known() const;

  const CampaignOptions options_;
  const std::string known_path_, seen_path_, artifacts_;
  const Clock::time_point begun_ = Clock::now();
  Clock::time_point news_ = begun_;
  std::vector<Place> places_;
  std::vector<CampaignFinding> findings_;
  std::string known_text_;  // of the user's file
  std::string failure_;
  bool ending_ = false;  // the processes are told to end
};

}  // namespace heddle::cli
