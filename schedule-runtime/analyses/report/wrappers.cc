#include "analyses/report/wrappers.h"

#include <cstring>

#include "base/reserved_array.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMostFrames = 4;  // there are wrappers of wrappers
constexpr size_t kMostFunctions = 256;  // those beyond are taken as no wrappers

struct RowFrames {
  const Frame* frames[kMostFrames];
  uint32_t count;
  uint32_t at;  // the frame that is shown
  bool memory;  // the row is an access to an atomic or to plain memory
};
constinit ReservedArray<RowFrames> g_frames;  // of the rows
constinit bool g_any = false;

struct Function {
  const char* name;
  const RowFrames* first;  // the first row that is shown in it
  bool wraps;              // so far: all operations are at that row's line, and have a caller
  bool several_callers;
};
constinit ReservedArray<Function> g_functions;

bool same_file(const Frame& a, const Frame& b) { return a.file != nullptr && b.file != nullptr && strcmp(a.file, b.file) == 0; }
bool same_line(const Frame& a, const Frame& b) { return a.line == b.line && same_file(a, b); }

const Frame* shown(const RowFrames& r) { return r.at < r.count ? r.frames[r.at] : nullptr; }
const Frame* caller(const RowFrames& r) { return r.at + 1 < r.count ? r.frames[r.at + 1] : nullptr; }

// The line of an access matters, so it is only given up for that of another file.
bool may_wrap(const RowFrames& r) { return caller(r) != nullptr && (!r.memory || !same_file(*shown(r), *caller(r))); }

// REQUIRES: both have a caller. The caller of a function of one line may be another wrapper, so all callers count.
bool same_callers(const RowFrames& a, const RowFrames& b) {
  if (!shown(a)->wraps) return same_line(*caller(a), *caller(b));
  uint32_t i = a.at + 1, k = b.at + 1;
  while (i < a.count && k < b.count && same_line(*a.frames[i], *b.frames[k])) ++i, ++k;
  return i == a.count && k == b.count;
}

Function* function_of(const Frame& f) {
  for (Function& known : g_functions) {
    if (strcmp(known.name, f.function) == 0) return &known;
  }
  return nullptr;
}

void look_at_functions() {
  g_functions.clear();
  for (const RowFrames& r : g_frames) {
    const Frame* const f = shown(r);
    if (f == nullptr) continue;
    Function* known = function_of(*f);
    if (known == nullptr) {
      if (g_functions.full()) continue;
      known = &g_functions.push();
      *known = {f->function, &r, true, false};
    }
    known->wraps = known->wraps && may_wrap(r) && same_line(*f, *shown(*known->first));
    known->several_callers |= known->wraps && !same_callers(r, *known->first);
  }
}

// One level outwards, for all rows at once.
bool leave_wrappers() {
  look_at_functions();
  bool any = false;
  for (RowFrames& r : g_frames) {
    const Frame* const f = shown(r);
    const Function* const known = f != nullptr ? function_of(*f) : nullptr;
    if (known == nullptr || !known->wraps || !known->several_callers) continue;
    ++r.at;
    any = true;
  }
  return any;
}

}  // namespace

void find_wrappers() {
  g_any = false;
  g_frames.reserve(rows().capacity());
  g_functions.reserve(kMostFunctions);
  g_frames.clear();
  for (const Row& r : rows()) {
    RowFrames& frames = g_frames.push();
    frames = {};
    frames.memory = kind_info(r.event.kind).has(kAtomic) || kind_info(r.event.kind).has(kPlain) || (r.aside != nullptr && !r.aside->failure);
    if (r.shown) frames.count = user_frames(r.event.pc_index, r.context, frames.frames, kMostFrames);
  }
  while (leave_wrappers()) g_any = true;
}

const Frame& frame_of_row(const Row& row) {
  const Frame* const f = shown(g_frames[static_cast<size_t>(&row - rows().data())]);
  return f != nullptr ? *f : user_frame(user_site(row.event.pc_index, row.context));
}

bool any_wrapper() { return g_any; }

}  // namespace heddle::rt
