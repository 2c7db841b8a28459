// Operations in words.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/cli/operation_places.h"
#include "schema/schedule.h"
#include "schema/text.h"

namespace heddle::cli {

// A place in the file of the one before is only ":41". So each text has its own.
class OperationWords {
 public:
  // What is not in `places` has its site's name.
  OperationWords(const SiteNames& names, const OperationPlaces& places)
      : names_(names), places_(places) {}

  // "the 2nd lock in `pop` at queue.cc:31 (main.1)"
  std::string operator()(ThreadId thread, SiteId site, Kind kind, uint32_t occurrence);
  // " in `pop` at queue.cc:31", for an operation of any thread.
  std::string position(SiteId site, Kind kind, ThreadId besides = kAnyThread);
  // What such a choice is in the run: "receive C2", "main.1". Empty: not known.
  std::string chosen(const SelectPreference& choice);
  // An open one: "every other thread's lock at queue.cc:31", or "another thread's lock ...". They are
  // other ones than the thread `besides`.
  std::string operator()(const Element& element, bool every = false, ThreadId besides = kAnyThread);
  // The locations of all that it has named, in this order.
  const std::vector<std::string>& named() const { return named_; }
  // What the chosen objects are: "C2: channel without a buffer, made at a.cc:7".
  const std::set<std::string>& objects() const { return objects_; }

 private:
  std::string place(SiteId site);
  std::string place(const std::string& location, const std::string& function);

  const SiteNames& names_;
  const OperationPlaces& places_;
  std::string file_;
  std::vector<std::string> named_;
  std::set<std::string> objects_;
};

}  // namespace heddle::cli
