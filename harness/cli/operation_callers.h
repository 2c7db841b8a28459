// Operations of a wrapper, such as the program's own lock, by the lines of its callers. Their own line
// is the same for all of them, so it does not say which one is meant.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "harness/cli/run_model.h"
#include "harness/cli/source_place.h"
#include "schema/trace_file.h"

namespace heddle::cli {

// Of runs of one build.
class OperationCallers {
 public:
  struct Operation {
    SiteId site = kNoSite;
    uint32_t occurrence = 0;
  };
  struct Called {
    const SourceLine* caller = nullptr;  // null: the operation's own line is enough
    uint32_t occurrence = 0;             // among the thread's operations with this caller
  };

  // What the last run says is valid. `model` is of `run`, with the target's words; `reached` has the
  // names of its positions.
  void add(const StoredTrace& run, const RunModel& model, const ReachedPlaces& reached);

  Called find(ThreadId thread, SiteId site, Kind kind, uint32_t occurrence) const;
  // The caller in this build, of operations with the own line of `site`; null: none.
  const SourceLine* caller(SiteId site, Kind kind, const SourceLine& wanted) const;
  // kNoSite: there is none.
  Operation find(ThreadId thread, SiteId site, Kind kind, const SourceLine& caller,
                 uint32_t occurrence) const;

 private:
  using Own = std::tuple<std::string, unsigned, Kind>;  // file and line
  struct Key {
    ThreadId thread;
    Own own;
    std::string file;  // of the caller
    unsigned line;
    uint32_t occurrence;
    auto operator<=>(const Key&) const = default;
  };
  struct Counted {
    Own own;
    SourceLine caller;
    uint32_t occurrence;
  };

  std::map<Own, std::vector<SourceLine>> callers_;
  std::map<SiteId, std::pair<std::string, unsigned>> own_;
  std::map<std::tuple<ThreadId, SiteId, Kind, uint32_t>, Counted> counted_;
  std::map<Key, Operation> operations_;
  SourceTexts texts_;
};

}  // namespace heddle::cli
