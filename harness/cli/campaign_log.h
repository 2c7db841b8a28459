// How a search went, as lines of JSON in the file `history.jsonl` of its directory. A later search in the same directory appends to it.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/campaign.h"

namespace heddle::cli {

inline constexpr const char* kHistoryFile = "history.jsonl";

class CampaignLog {
 public:
  // A history that cannot be written does not stop the search.
  CampaignLog(const std::string& out, const std::string& target, unsigned jobs);
  ~CampaignLog();
  CampaignLog(const CampaignLog&) = delete;
  CampaignLog& operator=(const CampaignLog&) = delete;

  // Called often. It writes new findings at once, and the state now and then: a day's search has some hundred lines.
  void look(const CampaignState& state, const std::vector<CampaignFinding>& findings);
  void end(const CampaignState& state, const std::vector<CampaignFinding>& findings);

 private:
  void write(const std::string& line);
  void write_state(const CampaignState& state);
  void write_findings(const CampaignState& state, const std::vector<CampaignFinding>& findings);

  int file_ = -1;
  size_t told_ = 0;
  double next_ = 0;
};

struct HistoryPoint {
  double seconds = 0;
  uint64_t executions = 0, orders = 0, pairs = 0, both_ways = 0;
};

struct HistoryFinding {
  double seconds = 0;
  std::string signature, kind, place;
};

struct History {
  struct Search {
    int64_t begin = 0;  // seconds since 1970
    std::string target;
    unsigned jobs = 0;
    double news = 0;  // when the last input or finding was new; seconds since its begin
    std::vector<HistoryPoint> points;
    std::vector<HistoryFinding> findings;
  };
  std::vector<Search> searches;  // those with a point
};

// Of an output directory of afl-fuzz, or of one of its instances: a search for each. It does not know orders and pairs. Empty: it is none.
History history_of_afl(const std::string& directory);
// Of a directory of heddle run or of afl-fuzz, of a history, or of a file that a target wrote with HEDDLE_OPTIONS=stats_path. Throws Failure.
History read_history(const std::string& path);
std::string history_text(const History& history);
std::string history_json(const History& history);

}  // namespace heddle::cli
