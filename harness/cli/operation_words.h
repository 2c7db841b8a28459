// Operations in words.
#pragma once

#include <string>

#include "schema/schedule.h"
#include "schema/text.h"

namespace heddle::cli {

// A place in the file of the one before is only ":41". So each text has its own.
class OperationWords {
 public:
  explicit OperationWords(const SiteNames& names) : names_(names) {}

  // "the 2nd lock in `pop` at queue.cc:31 (main.1)"
  std::string operator()(ThreadId thread, SiteId site, Kind kind, uint32_t occurrence);
  // An open one: "every other thread's lock at queue.cc:31", or "another thread's lock ..."
  std::string operator()(const Element& element, bool every = false);

 private:
  std::string place(SiteId site);

  const SiteNames& names_;
  std::string file_;
};

}  // namespace heddle::cli
