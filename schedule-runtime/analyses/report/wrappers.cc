#include "analyses/report/wrappers.h"

#include <cstring>

#include "base/reserved_array.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMostFrames = 4;  // there are wrappers of wrappers
constexpr size_t kMostOperations = 1 << 21;  // more than a table has rows
constexpr size_t kMostFunctions = 256;  // those beyond are taken as no wrappers

struct Operation {
  const Frame* frames[kMostFrames];
  uint32_t position, context;
  uint32_t count;
  uint32_t at;  // the frame that is shown
  bool memory;
};
constinit ReservedArray<Operation> g_operations;
constinit ReservedArray<const char*> g_wrappers;  // names of functions

struct Function {
  const char* name;
  const Operation* first;  // the first one that is shown in it
  bool wraps;              // so far: all operations are at that one's line, and have a caller
  bool several_callers;

  bool leave() const { return wraps && several_callers; }
};
constinit ReservedArray<Function> g_functions;

bool same_file(const Frame& a, const Frame& b) { return a.file != nullptr && b.file != nullptr && strcmp(a.file, b.file) == 0; }
bool same_line(const Frame& a, const Frame& b) { return a.line == b.line && same_file(a, b); }

const Frame* shown(const Operation& o) { return o.at < o.count ? o.frames[o.at] : nullptr; }
const Frame* caller(const Operation& o) { return o.at + 1 < o.count ? o.frames[o.at + 1] : nullptr; }

// Of a library for which the program is compiled, and not the program's own.
bool is_installed(const Frame& f) {
  return f.file != nullptr && (strncmp(f.file, "/usr/include/", 13) == 0 || strncmp(f.file, "/usr/local/include/", 19) == 0);
}

// The line of an access matters, so it is only given up for that of another file. A template of a library that calls the program's function says less
// than that function.
bool may_wrap(const Operation& o) {
  if (caller(o) == nullptr || (is_installed(*caller(o)) && !is_installed(*shown(o)))) return false;
  return !o.memory || !same_file(*shown(o), *caller(o));
}

// REQUIRES: both have a caller. The caller of a function of one line may be another wrapper, so all callers count.
bool same_callers(const Operation& a, const Operation& b) {
  if (!shown(a)->wraps) return same_line(*caller(a), *caller(b));
  uint32_t i = a.at + 1, k = b.at + 1;
  while (i < a.count && k < b.count && same_line(*a.frames[i], *b.frames[k])) ++i, ++k;
  return i == a.count && k == b.count;
}

// Names of one function are mostly one text.
bool same_name(const char* a, const char* b) { return a == b || strcmp(a, b) == 0; }

Function* function_of(const Frame& f) {
  for (Function& known : g_functions) {
    if (same_name(known.name, f.function)) return &known;
  }
  return nullptr;
}

void look_at_functions() {
  g_functions.clear();
  for (const Operation& o : g_operations) {
    const Frame* const f = shown(o);
    if (f == nullptr) continue;
    Function* known = function_of(*f);
    if (known == nullptr) {
      if (g_functions.full()) continue;
      known = &g_functions.push();
      *known = {f->function, &o, true, false};
    }
    known->wraps = known->wraps && may_wrap(o) && same_line(*f, *shown(*known->first));
    known->several_callers |= known->wraps && !same_callers(o, *known->first);
  }
}

// One level outwards, for all operations at once.
bool leave_wrappers() {
  look_at_functions();
  bool any = false;
  for (const Function& f : g_functions) {
    if (!f.leave() || g_wrappers.full()) continue;
    g_wrappers.push() = f.name;
    any = true;
  }
  for (Operation& o : g_operations) {
    const Frame* const f = shown(o);
    const Function* const known = f != nullptr ? function_of(*f) : nullptr;
    if (known != nullptr && known->leave()) ++o.at;
  }
  return any;
}

bool is_wrapper(const Frame& f) {
  for (const char* name : g_wrappers) {
    if (same_name(name, f.function)) return true;
  }
  return false;
}

}  // namespace

void begin_wrappers() {
  g_operations.reserve(kMostOperations);
  g_functions.reserve(kMostFunctions);
  g_wrappers.reserve(kMostFunctions);
  g_operations.clear();
  g_wrappers.clear();
}

void leave_out_operation() {
  if (!g_operations.full()) g_operations.push() = {};
}

void add_operation(uint32_t position, uint32_t context, bool memory) {
  if (g_operations.full()) return;
  Operation& o = g_operations.push();
  o = {};
  o.position = position;
  o.context = context;
  o.memory = memory;
  o.count = user_frames(position, context, o.frames, kMostFrames);
}

void find_wrappers() {
  while (leave_wrappers()) {
  }
}

const Frame& frame_of_operation(uint32_t n) {
  const Operation& o = g_operations[n];
  const Frame* const f = shown(o);
  return f != nullptr ? *f : user_frame(user_site(o.position, o.context));
}

const Frame* caller_of_operation(uint32_t n) { return caller(g_operations[n]); }

const Frame& frame_outside_wrappers(uint32_t position, uint32_t context) {
  const Frame* frames[kMostFrames];
  const uint32_t count = user_frames(position, context, frames, kMostFrames);
  uint32_t i = 0;
  while (i + 1 < count && is_wrapper(*frames[i])) ++i;
  return count != 0 ? *frames[i] : user_frame(user_site(position, context));
}

bool any_wrapper() { return g_wrappers.size() != 0; }

bool accesses_memory(Kind kind) { return kind_info(kind).has(kAtomic) || kind_info(kind).has(kPlain); }

}  // namespace heddle::rt
