#include "analyses/report/wrappers.h"

#include <cstring>
#include <iterator>

#include "base/reserved_array.h"

namespace heddle::rt {
namespace {

constexpr uint32_t kMostFrames = 6;  // there are wrappers of wrappers
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
  const Operation* first;  // the first one that is shown in it; null: it only calls those that are
  bool wraps;              // so far: all operations that are shown in it are at that one's line, and have a caller
  bool several_callers;

  // The same, of all operations in it and in what it calls.
  const Frame* line;
  const Frame* caller;
  bool one_line;
  bool called_from_several;
};
constinit ReservedArray<Function> g_functions;

bool same_file(const Frame& a, const Frame& b) { return a.file != nullptr && b.file != nullptr && strcmp(a.file, b.file) == 0; }
bool same_line(const Frame& a, const Frame& b) { return a.line == b.line && same_file(a, b); }

const Frame* shown(const Operation& o) { return o.at < o.count ? o.frames[o.at] : nullptr; }
const Frame* caller(const Operation& o, uint32_t at) { return at + 1 < o.count ? o.frames[at + 1] : nullptr; }
const Frame* caller(const Operation& o) { return caller(o, o.at); }

// Of a library for which the program is compiled, and not the program's own.
bool is_installed(const Frame& f) {
  return f.file != nullptr && (strncmp(f.file, "/usr/include/", 13) == 0 || strncmp(f.file, "/usr/local/include/", 19) == 0);
}

// The line of an access matters, so it is only given up for that of another file. A template of a library that calls the program's function says less
// than that function.
bool may_wrap(const Operation& o, uint32_t at) {
  const Frame* const f = o.frames[at];
  const Frame* const from = caller(o, at);
  if (from == nullptr || (is_installed(*from) && !is_installed(*f))) return false;
  return !o.memory || !same_file(*f, *from);
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

// A run has many operations, and few frames.
struct Found {
  const Frame* frame = nullptr;
  Function* function = nullptr;
};
constinit Found g_found[1024];

Function* find_function(const Frame& f) {
  Found& found = g_found[(reinterpret_cast<uintptr_t>(&f) / sizeof(Frame)) % std::size(g_found)];
  if (found.frame == &f) return found.function;
  for (Function& known : g_functions) {
    if (!same_name(known.name, f.function)) continue;
    found = {&f, &known};
    return &known;
  }
  return nullptr;
}

// Null: there are too many.
Function* function_of(const Frame& f) {
  Function* known = find_function(f);
  if (known != nullptr || g_functions.full()) return known;
  known = &g_functions.push();
  *known = {f.function, nullptr, true, false, &f, nullptr, true, false};
  return known;
}

void look_at_shown(const Operation& o) {
  Function* const known = function_of(*shown(o));
  if (known == nullptr) return;
  if (known->first == nullptr) known->first = &o;
  known->wraps = known->wraps && may_wrap(o, o.at) && same_line(*shown(o), *shown(*known->first));
  known->several_callers |= known->wraps && !same_callers(o, *known->first);
}

void look_at_callers(const Operation& o) {
  for (uint32_t i = o.at + 1; i < o.count && (i + 1 < o.count || o.count < kMostFrames); ++i) {
    Function* const known = function_of(*o.frames[i]);
    if (known == nullptr) return;
    known->one_line = known->one_line && may_wrap(o, i) && same_line(*o.frames[i], *known->line);
    if (!known->one_line) continue;
    if (known->caller == nullptr) known->caller = caller(o, i);
    known->called_from_several |= !same_line(*known->caller, *caller(o, i));
  }
}

void look_at_functions() {
  g_functions.clear();
  for (Found& found : g_found) found = {};
  for (const Operation& o : g_operations) {
    if (shown(o) == nullptr) continue;
    look_at_shown(o);
    look_at_callers(o);
  }
}

// Such as a function that locks and checks the result, which only another wrapper calls.
bool only_a_wrapper_calls(const Function& f) {
  const Frame* from = caller(*f.first);
  for (uint32_t level = 1; level < kMostFrames && from != nullptr; ++level) {
    const Function* const known = find_function(*from);
    // Operations of its own would be at another line.
    if (known == nullptr || !known->one_line || known->first != nullptr) return false;
    if (known->called_from_several) return true;
    from = known->caller;
  }
  return false;
}

bool leave(const Function& f) { return f.first != nullptr && f.wraps && (f.several_callers || only_a_wrapper_calls(f)); }

// One level outwards, for all operations at once.
bool leave_wrappers() {
  look_at_functions();
  bool any = false;
  for (const Function& f : g_functions) {
    if (!leave(f) || g_wrappers.full()) continue;
    g_wrappers.push() = f.name;
    any = true;
  }
  for (Function& f : g_functions) f.wraps = leave(f);  // before any operation's place changes
  for (Operation& o : g_operations) {
    const Frame* const f = shown(o);
    const Function* const known = f != nullptr ? find_function(*f) : nullptr;
    if (known != nullptr && known->wraps) ++o.at;
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
