#include "analyses/library_primitive.h"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "analyses/report/positions.h"
#include "trace/contexts.h"
#include "trace/recorder.h"
#include "trace/sites.h"

namespace heddle::rt {
namespace {

struct Sign {
  const char* part;  // of a function's name, as a symbol or demangled; or of a file's name
  std::string_view word;
};
// Of libstdc++ and libc++. None of these is in the name of a user's function that only has such a thing as a parameter.
constexpr Sign kFunctions[] = {
    {"__atomic_semaphore", "semaphore"}, {"__atomic_futex_unsigned", "future"}, {"__tree_barrier", "barrier"}, {"__barrier_algorithm_base", "barrier"}};
constexpr Sign kBeginnings[] = {
    {"_ZNSt5latch", "latch"},     {"_ZNKSt5latch", "latch"},   {"_ZNSt3__15latch", "latch"},     {"_ZNKSt3__15latch", "latch"},
    {"std::latch::", "latch"},    {"std::__1::latch::", "latch"}, {"_ZNSt7barrier", "barrier"},  {"_ZNSt3__17barrier", "barrier"},
    {"std::barrier<", "barrier"}, {"std::__1::barrier<", "barrier"}};
constexpr Sign kFiles[] = {{"/bits/semaphore_base.h", "semaphore"}};

bool has(const char* text, const char* part) { return text != nullptr && strstr(text, part) != nullptr; }
bool begins(const char* text, const char* with) { return text != nullptr && strncmp(text, with, strlen(with)) == 0; }

std::string_view by_function(const char* name) {
  for (const Sign& s : kFunctions) {
    if (has(name, s.part)) return s.word;
  }
  for (const Sign& s : kBeginnings) {
    if (begins(name, s.part)) return s.word;
  }
  return {};
}

// By the symbol, which is there without debug information: a semaphore's wait is an instance of a template for its own lambda. Or by the frames that
// were inlined.
std::string_view at(uint32_t site) {
  if (site < sites().size()) {
    if (const std::string_view word = by_function(sites()[site].function); !word.empty()) return word;
  }
  const Position p = position_of(site);
  for (uint32_t i = 0; i < p.count; ++i) {
    if (const std::string_view word = by_function(p.frames[i].function); !word.empty()) return word;
    for (const Sign& s : kFiles) {
      if (has(p.frames[i].file, s.part)) return s.word;
    }
  }
  return {};
}

}  // namespace

bool is_library_primitive(std::string_view word) {
  const auto has_word = [word](const Sign& s) { return s.word == word; };
  return std::any_of(std::begin(kFunctions), std::end(kFunctions), has_word) || std::any_of(std::begin(kBeginnings), std::end(kBeginnings), has_word);
}

// The event's site is the user's; its position may be in the library, whose frames are between it and the first call that is the user's.
std::string_view library_primitive(const RunSummary& run, uint32_t event) {
  if (const std::string_view word = at(run.events[event].pc_index); !word.empty()) return word;
  uint32_t site = recorder().position_of(run.events, event);
  for (uint32_t node = recorder().context_of(event);; node = contexts()[node].parent) {
    if (const std::string_view word = at(site); !word.empty()) return word;
    if (node == 0 || has_users_code(site)) return {};
    site = contexts()[node].site;
  }
}

}  // namespace heddle::rt
