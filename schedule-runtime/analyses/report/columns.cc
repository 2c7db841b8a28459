#include "analyses/report/columns.h"

#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cstdlib>

#include "analyses/report/early_time_outs.h"
#include "analyses/report/legend.h"
#include "analyses/report/names.h"
#include "analyses/report/positions.h"
#include "analyses/report/row_places.h"
#include "analyses/report/row_text.h"
#include "analyses/report/rows.h"
#include "analyses/report/starred_lines.h"
#include "analyses/report/thread_list.h"
#include "analyses/report/wrappers.h"
#include "base/options.h"
#include "base/raw_syscall.h"
#include "trace/recorder.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMaxColumns = 8;
constexpr uint32_t kMinColumn = 18;
constexpr uint32_t kLastColumn = 28;  // has no neighbour to run over into
constexpr uint32_t kStepWidth = 7;

struct Table {
  uint32_t threads[kMaxColumns] = {};
  uint32_t thread_count = 0;
  bool others = false;  // the last column is shared by all other threads
  uint32_t each = 0;    // the width of all columns but the last

  uint32_t columns() const { return thread_count + others; }
};
constinit Table g_table;

// The last column is at least as wide as the others. If there is room, it is wide enough for its longest row.
void choose_widths(uint32_t width) {
  Table& t = g_table;
  const uint32_t room = width - kStepWidth, columns = t.columns();
  t.each = room / columns;
  if (columns > 1 && t.each < kLastColumn) t.each = (room - kLastColumn) / (columns - 1);
}

// The first thread from `from` on that has a row to show; kNoEvent: none has. A run may have had thousands of threads, and few of them are shown.
uint32_t next_shown(const RunSummary& run, uint32_t from, bool only_marked) {
  uint32_t next = kNoEvent;
  for (const Row& r : rows()) {
    const uint32_t thread = r.event.thread;
    if (r.shown && (r.marked || !only_marked) && thread >= from && thread < next && thread < run.thread_count) next = thread;
  }
  return next;
}

void choose_threads(const RunSummary& run, uint32_t width) {
  uint32_t room = (width - kStepWidth) / kMinColumn;
  if (room > kMaxColumns) room = kMaxColumns;
  if (room < 1) room = 1;
  Table& t = g_table;
  t.thread_count = 0;
  t.others = false;
  // Threads with marked events first, so that they get columns of their own.
  for (const bool only_marked : {true, false}) {
    for (uint32_t thread = next_shown(run, 0, only_marked); thread != kNoEvent && !t.others; thread = next_shown(run, thread + 1, only_marked)) {
      if (std::find(t.threads, t.threads + t.thread_count, thread) != t.threads + t.thread_count) continue;
      if (t.thread_count == room) t.others = true;
      else t.threads[t.thread_count++] = thread;
    }
  }
  if (t.others && t.thread_count > 1) --t.thread_count;
  for (uint32_t i = 1; i < t.thread_count; ++i) {  // by age
    for (uint32_t k = i; k > 0 && t.threads[k - 1] > t.threads[k]; --k) {
      const uint32_t swap = t.threads[k];
      t.threads[k] = t.threads[k - 1];
      t.threads[k - 1] = swap;
    }
  }
}

uint32_t column_of(uint32_t thread) {
  for (uint32_t i = 0; i < g_table.thread_count; ++i) {
    if (g_table.threads[i] == thread) return i;
  }
  return g_table.thread_count;
}

bool in_last_column(const Row& r) { return column_of(r.event.thread) == g_table.thread_count; }

// What a thread of the last column is about to do. Many threads may be about to do the same.
bool may_share_row(const Row& r) { return r.shown && !r.marked && !r.event.finished() && r.event.kind != Kind::none && in_last_column(r); }

// By row, a hash of what it says; 0: it has its own row.
constinit ReservedArray<uint64_t> g_shared;

void find_shared_rows(const RunSummary& run) {
  static constinit Text words;
  g_shared.reserve(rows().capacity());
  for (size_t i = 0; i < rows().size(); ++i) {
    g_shared[i] = 0;
    if (!may_share_row(rows()[i])) continue;
    words.clear();
    put_row_text(words, run, rows()[i]);
    g_shared[i] = hash_of_text(words.view()) | 1;
  }
}

size_t row_index(const Row& r) { return static_cast<size_t>(&r - rows().data()); }

bool told_before(const Row& r) {
  const size_t index = row_index(r);
  return g_shared[index] != 0 && std::find(g_shared.data(), g_shared.data() + index, g_shared[index]) != g_shared.data() + index;
}

// All threads that are about to do the same as in this row, which is the first of them.
void put_sharing(Text& cell, const RunSummary& run, const Row& r) {
  ThreadList threads;
  for (size_t i = row_index(r); i < rows().size(); ++i) {
    if (g_shared[i] == g_shared[row_index(r)]) threads.add(rows()[i].event.thread);
  }
  threads.put(cell, run);
  cell.put(": ");
}

void put_cell(Text& cell, const RunSummary& run, const Row& r) {
  if (r.marked) cell.put("*");
  if (g_shared[row_index(r)] != 0) {
    put_sharing(cell, run, r);
  } else if (in_last_column(r)) {
    put_thread(cell, run, r.event.thread);
    cell.put(": ");
  }
  put_row_text(cell, run, r);
}

// Prints the cell from its column on. A row has only one cell, so the text may extend into the columns to the right. At the edge of the
// page it is broken at spaces.
void put_row(Text& out, const RunSummary& run, const Row& r, uint32_t width) {
  static constinit Text cell;
  cell.clear();
  put_cell(cell, run, r);
  const uint32_t column = column_of(r.event.thread);
  const uint32_t each = g_table.each;
  const uint32_t room = width - kStepWidth - column * each;
  std::string_view rest = cell.view();
  bool first = true;
  while (!rest.empty()) {
    size_t n = rest.size();
    const size_t space = first ? room : room - 2;
    if (n > space) {
      n = rest.rfind(' ', space);
      if (n == std::string_view::npos || n == 0) n = space;
    }
    if (first && r.event.finished() && r.event.kind != Kind::none) out.add("%5u  ", r.event.done);
    else out.repeat(' ', kStepWidth);
    out.repeat(' ', column * each + (first ? 0 : 2));
    out.put(rest.substr(0, n));
    out.put("\n");
    rest = rest.substr(n);
    while (!rest.empty() && rest[0] == ' ') rest = rest.substr(1);
    first = false;
  }
}

// "time passes: 200 ms", in the column of the thread that waited for it.
void put_time(Text& out, const Row& r, uint64_t ns) {
  constexpr uint64_t kLeast = 1'000'000;  // reads of the clock take less
  if (ns < kLeast) return;
  out.repeat(' ', kStepWidth + column_of(r.event.thread) * g_table.each);
  out.put("time passes: ");
  const auto tenths = static_cast<unsigned long long>(ns / 100'000);
  const bool seconds = tenths >= 10'000;
  const unsigned long long n = seconds ? tenths / 1'000 : tenths;
  out.add("%llu", n / 10);
  if (n % 10 != 0) out.add(".%llu", n % 10);
  out.put(seconds ? " s\n" : " ms\n");
}

void put_heading(Text& out, const RunSummary& run) {
  const uint32_t columns = g_table.columns();
  const uint32_t each = g_table.each;
  out.put(" step  ");
  for (uint32_t i = 0; i < columns; ++i) {
    static constinit Text name;
    name.clear();
    if (i < g_table.thread_count) put_thread(name, run, g_table.threads[i]);
    else name.put("other threads");
    out.put(i + 1 < columns ? name.view().substr(0, each - 1) : name.view());
    if (i + 1 < columns) out.repeat(' ', name.view().size() < each ? each - name.view().size() : 1);
  }
  out.put("\n");
}

// Spurious wake-ups whose rows are left out. A finding often comes of one, if a wait has no loop.
class HiddenWakeUps {
 public:
  void add(const Row& row) {
    if (row.event.outcome != Outcome::spurious) return;
    ++count_;
    last_ = row;
  }
  void put(Text& out, const RunSummary& run) const {
    if (count_ == 0) return;
    out.add("Not shown: %u spurious wake-up%s", count_, count_ == 1 ? " of " : "s, the last one of ");
    put_thread(out, run, last_.event.thread);
    out.put(" at ");
    put_place(out, frame_outside_wrappers(recorder().position_of(run.events, last_.index), last_.context));
    out.put(". Without such: HEDDLE_OPTIONS=spurious=0\n");
  }

 private:
  uint32_t count_ = 0;
  Row last_ = {};
};

}  // namespace

uint32_t report_width() {
  uint32_t width = options().report_width;
  winsize terminal = {};
  const char* const columns = width == 0 ? getenv("COLUMNS") : nullptr;
  if (columns != nullptr) width = static_cast<uint32_t>(strtoul(columns, nullptr, 10));
  if (width == 0 && raw_syscall(SYS_ioctl, 2, TIOCGWINSZ, word(&terminal)) == 0) width = terminal.ws_col;
  if (width == 0) width = 120;
  return width < 60 ? 60 : width > 400 ? 400 : width;
}

void put_interleaving(Text& out, const RunSummary& run, const Columns& columns) {
  gather_rows(run, *columns.story, columns.also, columns.show_pending);
  if (rows().size() == 0) {
    out.put("No operation has happened yet.\n");
    return;
  }
  leave_out_references(run, *columns.story);
  cut_rows(run);
  find_row_places();
  choose_threads(run, columns.width);
  choose_widths(columns.width);
  choose_file_names(g_table.columns(), g_table.each);
  out.put("The interleaving, one column per thread, time goes down");
  const auto explains = [](const Row& r) { return r.shown && r.marked && r.aside != nullptr && !r.aside->failure; };
  const bool marked = columns.story->event_count + columns.story->aside_count != 0 || !columns.also.empty() || std::any_of(rows().begin(), rows().end(), explains);
  out.put(marked ? " (* explains the finding):\n" : ":\n");
  put_file_names(out);
  if (any_wrapper()) out.put("(Operations inside wrappers have their callers' lines)\n");
  find_shared_rows(run);
  put_heading(out, run);
  uint64_t left_out = 0, alone = 0, references = 0, passed = 0;
  bool any_left_out = false;
  HiddenWakeUps hidden;
  for (const Row& r : rows()) {
    if (r.folded) continue;
    passed += r.passed;
    if (!r.shown) {
      any_left_out = true;
      hidden.add(r);
      (r.reference ? references : r.alone ? alone : left_out) += r.count;
      continue;
    }
    if (left_out != 0) out.add("  ...  %llu operations left out\n", static_cast<unsigned long long>(left_out));
    left_out = 0;
    put_time(out, r, passed);
    passed = 0;
    if (!told_before(r)) put_row(out, run, r, columns.width);
  }
  if (left_out != 0) out.add("  ...  %llu operations left out\n", static_cast<unsigned long long>(left_out));
  if (alone != 0) {
    out.add("Not shown: %llu operations that no other thread can observe.\n", static_cast<unsigned long long>(alone));
  }
  if (references != 0) out.add("Not shown: changes of shared_ptr's reference counts (%llu).\n", static_cast<unsigned long long>(references));
  hidden.put(out, run);
  put_early_time_outs(out, run);
  if (any_left_out) out.put("To show all operations: HEDDLE_OPTIONS=report_rows=0\n");
  put_legend(out, run, *columns.story);
  put_starred_lines(out, columns.width);
}

}  // namespace heddle::rt
