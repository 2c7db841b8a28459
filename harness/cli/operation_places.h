// Where the operations of one run are in the source. The operations of a wrapper, such as the
// program's own lock, have their callers' lines, as in the report's table.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/cli/run_model.h"
#include "schema/trace_file.h"

namespace heddle::cli {

class OperationPlaces {
 public:
  struct Place {
    std::string location, function;  // as in SiteName
    std::string caller;              // location; empty: the run comes there from one place only
    uint32_t occurrence;             // among the thread's operations of this kind and word at this place
    std::string word;                // for what it does, if its kind does not say it: "mkdir of "a""
    uint32_t choice;                 // as in Event
    std::string chosen;              // what that is: a case of a select, the thread that a notification woke; empty: not known
    std::string chosen_object = {};  // "C2: channel without a buffer, made at a.cc:7", if it is one
    std::string variable = {};       // if the line has several; empty: one, or no name is known
    std::string order = {};          // its memory order, "relaxed", in a run with stale reads; empty: seq_cst, or none
    uint32_t sleeps = 0;             // that the thread has made before it
    bool operator==(const Place&) const = default;
  };

  OperationPlaces() = default;
  // `model` is of `run`, with the target's words.
  OperationPlaces(const StoredTrace& run, const RunModel& model);

  // Null: the run has no such operation.
  const Place* find(ThreadId thread, SiteId site, Kind kind, uint32_t occurrence) const;
  struct Common {
    std::string location, function;
    std::string word;                  // as in Place; empty: they have several
    std::vector<std::string> callers;  // locations; empty: the run comes there from one place only
  };
  // Of the operations of all threads but one. None: they are at several places, or there are none.
  std::optional<Common> find(SiteId site, Kind kind, ThreadId besides = kAnyThread) const;
  // How many operations of this kind the thread has made in that line, from whatever position.
  uint32_t count(ThreadId thread, const std::string& location, Kind kind) const;
  // Of the thread's operations, for one that it did not come to in this run. Null: the same.
  const Place* find_any(ThreadId thread, SiteId site, Kind kind) const;

 private:
  std::map<std::tuple<ThreadId, SiteId, Kind, uint32_t>, Place> places_;
  using Here = std::tuple<std::string, Kind>;  // location
  std::map<Here, std::set<std::string>> callers_;
  std::map<std::tuple<SiteId, Kind>, std::map<ThreadId, std::set<std::tuple<Here, std::string, std::string, std::string>>>> of_site_;
};

}  // namespace heddle::cli
