// A run as a picture needs it: rows in their order, each in the column of a thread, with locks as bars and arrows between threads. Pages and
// pictures are made of it; the trace is only read here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/text.h"
#include "schema/trace_file.h"

namespace heddle::cli {

struct RunPlace {
  std::string file, function;
  unsigned line = 0, column = 0;  // 0: not known
};

struct RunThread {
  std::string name;
  bool blocked = false;  // at the end
};

struct RunObject {
  std::string name, origin;
};

inline constexpr uint32_t kNoRow = 0xFFFFFFFFu;

struct RunRow {
  enum What : uint8_t {
    operation,
    aside,    // explains the finding, and is no operation of the trace
    note,     // no operation of the trace, either: a change of the process, of a timer
    here,     // the finding
    pending,  // what a thread was about to do
  };
  What what = operation;
  Kind kind = Kind::none;
  uint8_t flags = 0;        // EventFlag
  bool finished = true;
  bool marked = false;      // explains the finding
  bool counterpart = false; // the report has words of its own for it: the free, the other access
  bool important = false;   // marked, or near: a short picture shows it
  bool stale = false;       // under a weak memory model: not the newest store
  uint32_t thread = 0;
  uint32_t event = kNoEvent;
  uint32_t step = 0;        // 0: none
  uint32_t place = 0;       // index into places
  uint32_t caller = 0;      // the same: where the place's function was called
  uint32_t object = 0;      // index into objects; 0: none
  uint32_t partner = kNoRow;  // where its value, lock or wake-up comes from
  std::string words, values;
};

// A lock that a thread holds, from one row to another.
struct RunLock {
  uint32_t thread, object, from, to;
  bool shared;    // with other readers
  bool for_good;  // it still holds it at the end
};

enum class RunArrow : uint8_t {
  reads,    // a thread reads what another has stored
  lock,     // takes a lock that another has given back
  message,  // a notification, a value of a channel, ...
  thread,   // creation and join
  waits,    // a blocked thread, to where the holder took the lock
  changes,  // a thread reads, and another one then stores: both explain the finding
  conflict, // the free or the other access, to the finding
};

struct RunLink {
  uint32_t from, to;  // rows
  RunArrow arrow;
};

struct RunModel {
  std::string kind, place, what, signature;  // of the finding; empty: none
  std::string target, file, report;
  uint32_t operations = 0, left_out = 0;     // operations before the first row
  int64_t preemptions = -1;                  // -1: not known
  std::vector<RunThread> threads;
  std::vector<RunObject> objects;            // as in the trace; entry 0: none
  std::vector<RunPlace> places;              // entry 0: not known
  std::vector<RunRow> rows;
  std::vector<RunLock> locks;
  std::vector<RunLink> links;
};

// `words`: what the target has written with run_path (harness/driver/run_output.h). Empty: the operations get the names of their kinds, and `names` the
// places. Lines that it does not understand are skipped.
RunModel make_model(const StoredTrace& trace, std::string_view words, const SiteNames& names);

// Steps of make_model, in this order.
void add_locks(RunModel& model, const StoredTrace& trace);
void add_links(RunModel& model, const StoredTrace& trace);
void choose_important(RunModel& model);

// "queue.cc:41"; empty: not known.
std::string short_place(const RunPlace& place);

}  // namespace heddle::cli
