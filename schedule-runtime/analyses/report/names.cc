#include "analyses/report/names.h"

#include <cstdio>
#include <cstring>

#include "analyses/library_primitive.h"
#include "analyses/report/channel_names.h"
#include "analyses/report/operation_text.h"
#include "analyses/report/positions.h"
#include "analyses/report/thread_local_name.h"
#include "analyses/report/wrappers.h"
#include "trace/live_state.h"
#include "trace/recorder.h"
#include "trace/sites.h"

extern "C" __attribute__((weak, visibility("hidden"))) const char __executable_start[], __data_start[];  // by the linker

namespace heddle::rt {
namespace {

constexpr uint32_t kMostObjects = 1 << 20;
constexpr size_t kNameSize = 96;
constexpr size_t kRoomForName = 40;  // a longer name would fill its column in every row

struct Name {
  uint32_t epoch;
  char text[kNameSize];
};
constinit ReservedArray<Name> g_names;
constinit uint32_t g_epoch = 1;
constinit uintptr_t g_block = 0;
constinit size_t g_block_size = 0;

struct Word {
  std::string_view kind;  // the part of the kind's name before the underscore
  std::string_view noun;
};
// Only for kinds whose first word is not a good noun.
constexpr Word kNouns[] = {{"cond", "condition variable"}, {"plain", "variable"}, {"rwlock", "read-write lock"},
                           {"once", "once flag"},          {"wait", "wait group"},
                           {"annotated", "annotated lock"}, {"order", "happens-before annotation"},
                           {"file", "the file system"}};

std::string_view first_word(Kind kind) {
  if (kind == Kind::select) return "channel";
  const std::string_view name = kind_info(kind).name;
  return name.substr(0, name.find('_'));
}

// The first operation on the object, or else one that a thread is about to do. False: none is known.
bool first_event(const RunSummary& run, uint32_t object, Event& out) {
  if (object == 0) return false;
  if (object < run.object_count) {
    const uint32_t e = run.objects[object].first_event;
    if (e < run.event_count && run.events[e].object == object) return out = run.events[e], true;
  }
  for (uint32_t i = 0; i < run.event_count; ++i) {
    if (run.events[i].object == object) return out = run.events[i], true;
  }
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    uint32_t context;
    if (live_state().pending(t, out, context) && out.object == object) return true;
  }
  return false;
}

// A primitive of the C++ library is an atomic variable, and a futex beside it for the threads that wait. Empty: the object is no part of one.
std::string_view library_word(const RunSummary& run, uint32_t object) {
  const uint32_t first = object < run.object_count ? run.objects[object].first_event : kNoEvent;
  if (first >= run.event_count || run.events[first].object != object) return {};
  const Kind kind = run.events[first].kind;
  return kind == Kind::futex_wait || kind == Kind::futex_wake || kind_info(kind).has(kAtomic) ? library_primitive(run, first) : std::string_view();
}

// "mutex", "atomic", ...; empty: unknown.
std::string_view word_of(const RunSummary& run, uint32_t object) {
  Event e;
  if (const std::string_view word = library_word(run, object); !word.empty()) return word;
  for (uint32_t i = 0; i < run.channel_count; ++i) {
    if (run.channels[i].object == object) return "channel";
  }
  return first_event(run, object, e) && e.kind != Kind::none ? first_word(e.kind) : std::string_view();
}

// A wait on an atomic variable has two objects at one address. The name is that of the first one of the same word, or of the variable.
bool is_other_half(const RunSummary& run, uint32_t other, uint32_t object, std::string_view word) {
  if (live_state().object_address(other) != live_state().object_address(object)) return false;
  return word == "futex" ? word_of(run, other) == "atomic" : library_word(run, other) == word;
}

// The first in [begin, end); 0: there is none.
uint32_t other_half(const RunSummary& run, uint32_t object, std::string_view word, uint32_t begin, uint32_t end) {
  if (live_state().object_address(object) == 0 || (word != "futex" && !is_library_primitive(word))) return 0;
  for (uint32_t i = begin; i < end; ++i) {
    if (is_other_half(run, i, object, word)) return i;
  }
  return 0;
}

// The first letters of the objects' words (0: unknown), and their numbers among those of the same letter: found once for each object, because a run
// may have a hundred thousand of them.
struct Numbered {
  uint32_t number;
  char letter;
};
constinit ReservedArray<Numbered> g_numbered;
constinit uint32_t g_numbered_until = 0, g_numbered_epoch = 0;
constinit uint32_t g_numbers[256] = {};

void number_objects(const RunSummary& run, uint32_t until) {
  g_numbered.reserve(kMostObjects);
  if (g_numbered_epoch != g_epoch) {
    g_numbered_epoch = g_epoch;
    g_numbered_until = 1;
    for (uint32_t& n : g_numbers) n = 0;
  }
  for (; g_numbered_until < until; ++g_numbered_until) {
    const std::string_view word = word_of(run, g_numbered_until);
    const char letter = word.empty() ? '\0' : word[0];
    constexpr uint32_t kFar = 4096;
    const uint32_t half = other_half(run, g_numbered_until, word, g_numbered_until > kFar ? g_numbered_until - kFar : 1, g_numbered_until);
    g_numbered[g_numbered_until] = half != 0 ? g_numbered[half] : Numbered{++g_numbers[static_cast<unsigned char>(letter)], letter};
  }
}

// M1, M2, C1, ...: numbered per first letter, in the order of creation.
uint32_t number_of(const RunSummary& run, uint32_t object, char letter) {
  number_objects(run, object + 1 < kMostObjects ? object + 1 : object);
  if (object < g_numbered_until && g_numbered[object].letter == letter) return g_numbered[object].number;
  uint32_t n = 1;
  for (uint32_t i = 1; i < object; ++i) n += g_numbered[i].letter == letter;
  return n;
}

void name_thread(const RunSummary& run, uint32_t thread, char* out, size_t size) {
  if (thread >= run.thread_count) {
    snprintf(out, size, "an unknown thread");
    return;
  }
  const ThreadRecord& t = run.threads[thread];
  if (thread == 0 || t.parent >= thread) {
    snprintf(out, size, "main");
    return;
  }
  uint32_t nth = 0;
  for (uint32_t i = 1; i < thread; ++i) nth += run.threads[i].parent == t.parent;
  name_thread(run, t.parent, out, size);
  const size_t n = strlen(out);
  snprintf(out + n, size - n, ".%u", nth);
}

// False: not a variable of the program, or unknown.
bool name_variable(uintptr_t address, char* out, size_t size) {
  uintptr_t offset = 0;
  const char* datum = address != 0 ? datum_name(address, offset) : nullptr;
  if (datum == nullptr) return false;
  if (offset == 0) snprintf(out, size, "%s", datum);
  else snprintf(out, size, "%s+%llu", datum, static_cast<unsigned long long>(offset));
  return true;
}

void name_object(const RunSummary& run, uint32_t object, char* out) {
  const uint32_t thread = thread_behind(run, object);
  if (thread != kNoEvent) return name_thread(run, thread, out, kNameSize);
  if (const char* label = live_state().object_label(object)) {
    // Descriptor numbers are reused.
    uint32_t nth = 1;
    for (uint32_t i = 1; i < object; ++i) {
      const char* const other = live_state().object_label(i);
      nth += other != nullptr && strcmp(other, label) == 0;
    }
    if (nth == 1) snprintf(out, kNameSize, "%s", label);
    else snprintf(out, kNameSize, "%s (%u)", label, nth);
    return;
  }
  const uintptr_t address = live_state().object_address(object);
  if (char block[kBlockNameSize]; address != 0 && put_block_name(address, block)) {
    snprintf(out, kNameSize, "%s", block);
    return;
  }
  if (name_variable(address, out, kNameSize) && strlen(out) <= kRoomForName) return;
  if (name_thread_local(run, address, out, kNameSize) && strlen(out) <= kRoomForName) return;
  const std::string_view word = word_of(run, object);
  if (word == "channel" && name_of_holder(address, out, kNameSize) && strlen(out) <= kRoomForName) return;
  const char letter = word.empty() ? 'o' : word[0];
  const bool futex = word == "futex";
  if (const uint32_t half = other_half(run, object, word, 1, futex ? run.object_count : object); half != 0) {
    if (futex) return name_object(run, half, out);
    object = half;
  }
  snprintf(out, kNameSize, "%c%u", letter - 'a' + 'A', number_of(run, object, letter));
}

const Name& name_of(const RunSummary& run, uint32_t object) {
  g_names.reserve(kMostObjects);
  Name& name = g_names[object];
  if (name.epoch != g_epoch) {
    name_object(run, object, name.text);
    name.epoch = g_epoch;
  }
  return name;
}

}  // namespace

void forget_names() { ++g_epoch; }

uint32_t objects_with(const RunSummary& run, char letter) {
  const auto lower = static_cast<char>(letter - 'A' + 'a');
  return run.object_count == 0 ? 0 : number_of(run, run.object_count, lower) - 1;
}

void name_block(uintptr_t begin, size_t size) {
  g_block = begin;
  g_block_size = size;
  forget_names();
}

bool put_block_name(uintptr_t address, char (&out)[kBlockNameSize]) {
  if (address - g_block >= g_block_size) return false;
  if (address == g_block) snprintf(out, sizeof out, "block");
  else snprintf(out, sizeof out, "block+%llu", static_cast<unsigned long long>(address - g_block));
  return true;
}

uint32_t thread_behind(const RunSummary& run, uint32_t object) {
  if (object == 0) return kNoEvent;
  for (uint32_t i = 0; i < run.event_count; ++i) {
    const Event& e = run.events[i];
    if (e.object == object && !kind_info(e.kind).has(kThread)) return kNoEvent;
    if (e.object == object && (e.kind == Kind::thread_start || e.kind == Kind::thread_exit)) return e.thread;
  }
  // Not started yet: the thread that this operation created.
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    const uint32_t create = run.threads[t].create_event;
    if (create < run.event_count && run.events[create].object == object) return t;
  }
  return kNoEvent;
}

void put_thread(Text& out, const RunSummary& run, uint32_t thread) {
  char name[kNameSize];
  name_thread(run, thread, name, sizeof name);
  out.put(name);
}

const char* thread_title(const RunSummary& run, uint32_t thread, const char* words) {
  static constinit Text title;
  title.clear();
  put_thread(title, run, thread);
  title.put(words);
  title.repeat('\0', 1);
  return title.view().data();
}

void put_event_place(Text& out, const RunSummary& run, uint32_t event) {
  put_place(out, user_site(recorder().position_of(run.events, event), recorder().context_of(event)));
}

const char* object_name(const RunSummary& run, uint32_t object) {
  return object == 0 ? "nothing" : name_of(run, object).text;
}

std::string_view object_noun(const RunSummary& run, uint32_t object) {
  const std::string_view word = word_of(run, object);
  for (const Word& w : kNouns) {
    if (w.kind == word) return w.noun;
  }
  return word.empty() ? std::string_view("object") : word;
}

namespace {

// In the program's file, and nobody can change it: such as the text of a literal.
bool is_constant(uintptr_t address) {
  return address >= reinterpret_cast<uintptr_t>(__executable_start) && address < reinterpret_cast<uintptr_t>(__data_start);
}

// "channel of capacity 2, made at queue.cc:12".
bool put_channel_origin(Text& out, const RunSummary& run, uint32_t object) {
  for (uint32_t i = 0; i < run.channel_count; ++i) {
    const ChannelRecord& c = run.channels[i];
    if (c.object != object || c.made == 0) continue;
    uint32_t site = 0;
    while (site < sites().size() && sites()[site].id != c.site) ++site;
    if (site == sites().size()) return false;
    if (live_state().object_label(object) == nullptr) {
      out.put("channel");
      if (c.capacity == 0) out.put(" without a buffer");
      else out.add(" of capacity %u", c.capacity);
      out.put(", ");
    }
    out.put("made at ");
    put_place(out, site);
    if (c.closed != 0) out.put(", closed");
    return true;
  }
  return false;
}

}  // namespace

void put_object_origin(Text& out, const RunSummary& run, uint32_t object) {
  const std::string_view noun = object_noun(run, object);
  if (put_channel_origin(out, run, object)) return;
  const uintptr_t address = live_state().object_label(object) == nullptr ? live_state().object_address(object) : 0;
  char variable[512];
  const bool global = name_variable(address, variable, sizeof variable);
  if (global && noun == "variable") out.put("global ");
  const bool constant = !global && is_constant(address);
  out.put(constant ? "constant of the program" : noun);
  if (global) {
    if (noun != "variable") out.put(", a global variable");
    if (strlen(variable) > kRoomForName) out.add(", %s", variable);
  } else if (address != 0 && !constant) {
    bool on_stack = false;
    for (uint32_t t = 0; t < run.thread_count && !on_stack; ++t) {
      uintptr_t low, high;
      if (!live_state().stack(t, low, high) || address < low || address >= high) continue;
      out.put(live_state().is_thread_local(t, address) ? ", thread-local to " : " on the stack of ");
      put_thread(out, run, t);
      on_stack = true;
    }
    if (!on_stack) out.put(" on the heap");
  }
  Event e;
  if (!first_event(run, object, e)) return;
  if (frees(e)) {
    out.put(", freed by ");
    put_thread(out, run, e.thread);
    return;
  }
  out.put(", first used at ");
  const uint32_t first = object < run.object_count ? run.objects[object].first_event : kNoEvent;
  const bool recorded = first < run.event_count && run.events[first].object == object;
  if (recorded) put_place(out, frame_outside_wrappers(recorder().position_of(run.events, first), recorder().context_of(first)));
  else put_place(out, e.pc_index);
}

}  // namespace heddle::rt
