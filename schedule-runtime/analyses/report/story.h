// The part of a report that an analysis writes about its finding. report.h adds the rest.
#pragma once

#include <cstdint>
#include <string_view>

#include "analyses/report/report_text.h"
#include "schema/event.h"
#include "trace/finding.h"

namespace heddle::rt {

// A stack in the report: a position and the calls that led to it.
struct Stack {
  char title[256];
  uint32_t site;      // index
  uint32_t position;  // index: shown instead of the site. If the position is in a library, the site is the user's call
  uint32_t context;   // node of the context tree; 0: nothing is known above the site
  bool signs;         // its site is part of the finding's signature
};

// An operation that explains the finding and is no event of the run, or one with other words: a plain access, the free of a block.
struct Aside {
  uint32_t thread;
  uint32_t before;    // so many events of the run came before it
  uint32_t event;     // it is this event after all, and has the words; kNoEvent
  uint32_t position;  // index of its site
  uint32_t context;
  char words[160];    // "write hits"
  uint32_t writer = kNoEvent;  // the thread that has written what it reads; kNoEvent: not known
  uint32_t writer_position = 0;
  bool writer_handles = false;  // in a signal handler
  bool failure = false;  // the place where a running thread failed, and no access
};

// Memory that has a name in this report only.
struct NamedMemory {
  uintptr_t address;
  char name[16];      // "P2"
};

// Memory that the report is about. Operations on it are shown as operations on `block`, `block+8` and so on.
struct NamedBlock {
  uintptr_t begin = 0;
  size_t size = 0;    // 0: there is none
  Text is;            // "heap block of 24 bytes, freed by main.0"
};

struct Story {
  static constexpr uint32_t kMaxStacks = 16;
  static constexpr uint32_t kMaxEvents = 64;
  static constexpr uint32_t kMaxAsides = 20;
  static constexpr uint32_t kMaxMemory = 8;

  FindingType type = FindingType::none;
  uint32_t object = 0;       // its address is in the header
  uintptr_t address = 0;     // instead, if there is no object
  uint64_t variant = 0;      // distinguishes findings of one type at one place
  Text what;                 // a paragraph in plain words
  Stack stacks[kMaxStacks] = {};  // the first one is where the finding is
  uint32_t stack_count = 0;
  uint32_t events[kMaxEvents] = {};  // explain the finding: always shown, and marked
  uint32_t event_count = 0;
  Aside asides[kMaxAsides] = {};
  uint32_t aside_count = 0;
  NamedMemory memory[kMaxMemory] = {};
  uint32_t memory_count = 0;
  char now[sizeof Aside::words] = {};  // what the operation is that failed: "read block+8"; empty: the type says it
  NamedBlock block;
  uint32_t awaited = 0;         // object: who is about to write it has come too late; 0: none
  uint32_t thread = kNoEvent;   // the thread whose running operation is the finding. kNoEvent: the run had ended
  // False: a sanitizer or the fuzzing engine reports the failure, and heddle only shows what led to it.
  bool header = true;

  void begin(FindingType finding, uint32_t about) {
    type = finding;
    object = about;
    address = variant = 0;
    thread = kNoEvent;
    what.clear();
    stack_count = event_count = aside_count = memory_count = 0;
    awaited = 0;
    now[0] = 0;
    block.begin = block.size = 0;
    block.is.clear();
    header = true;
  }
  // It becomes a row of the interleaving.
  void add_aside(const Aside& aside, std::string_view words);
  void set_now(std::string_view words);
  // The title is a printf format. If there are already kMaxStacks, nothing is added and the result is false.
  __attribute__((format(printf, 5, 6))) bool add_stack(uint32_t site, uint32_t context, bool signs, const char* title, ...);
  void add_event(uint32_t event) {
    if (event != kNoEvent && event_count < kMaxEvents) events[event_count++] = event;
  }
};

// Equal for a finding in every process and every interleaving that leads to it: a hash of type, variant and sites, independent of their
// order. For uses of memory that is gone, and for a sanitizer's report, of functions instead of sites.
uint64_t signature(const Story& story);

}  // namespace heddle::rt
