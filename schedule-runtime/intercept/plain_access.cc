#include "intercept/plain_access.h"

#include <algorithm>

#include "base/afl.h"
#include "base/asan.h"
#include "engine/note_values.h"
#include "heap/execution_heap.h"
#include "intercept/first_access.h"
#include "races/access_log.h"
#include "races/granules.h"
#include "races/race_detector.h"
#include "races/shadow.h"
#include "trace/comparisons.h"
#include "trace/plain_reads.h"

// Where coverage counters are. Any of them may be absent. Some compilers instrument the accesses to counters, too.
extern "C" {
#define HEDDLE_SECTION(name) \
  extern __attribute__((weak, visibility("hidden"))) unsigned char __start_##name[], __stop_##name[];
HEDDLE_SECTION(__sancov_cntrs)
HEDDLE_SECTION(__sancov_guards)
HEDDLE_SECTION(__libfuzzer_extra_counters)
#undef HEDDLE_SECTION
extern __attribute__((weak)) uint32_t __afl_map_size;
__attribute__((weak)) void __asan_get_shadow_mapping(size_t* scale, size_t* offset);
}

namespace heddle::rt {
namespace {

// clang up to 16 instruments each increment of an inline counter: two accesses in every basic block. They count for a thread's pauses.
// (While a thread is alone, its accesses pass before this check.)
[[gnu::always_inline]] inline bool is_counter(uintptr_t address) {
  return address - reinterpret_cast<uintptr_t>(__start___sancov_cntrs) <
         static_cast<uintptr_t>(__stop___sancov_cntrs - __start___sancov_cntrs);
}

bool is_coverage(uintptr_t address) {
  const auto within = [address](const unsigned char* begin, const unsigned char* end) {
    return address >= reinterpret_cast<uintptr_t>(begin) && address < reinterpret_cast<uintptr_t>(end);
  };
  if (within(__start___sancov_guards, __stop___sancov_guards) ||
      within(__start___libfuzzer_extra_counters, __stop___libfuzzer_extra_counters)) {
    return true;
  }
  if (!afl_linked()) return false;
  constexpr size_t kDefaultMap = 1 << 16;
  const size_t size = &__afl_map_size != nullptr && __afl_map_size > kDefaultMap ? __afl_map_size : kDefaultMap;
  return within(__afl_area_ptr, __afl_area_ptr + size);
}

// Files compiled for TSan only and linked with ASan have no checks of their own (docs/design/engines.md#instrumentation). For most
// accesses, one byte of shadow is enough. For the rest, ASan is called.
struct AsanShadow {
  size_t scale = 0;
  size_t offset = 0;
  bool asked = false;

  bool clean(uintptr_t address, size_t size) {
    if (!asked) {
      asked = true;
      if (&__asan_get_shadow_mapping != nullptr) by_address(&__asan_get_shadow_mapping)(&scale, &offset);
    }
    if (scale == 0 || size > 8) return false;
    const auto* shadow = reinterpret_cast<const unsigned char*>((address >> scale) + offset);
    return *shadow == 0 && ((address & 7) + size <= 8);
  }
};
constinit AsanShadow g_asan_shadow;

// Byte by byte, because memcpy may be ASan's. For freed memory it would report here, in the runtime, and not at the user's access, which
// follows.
uint64_t value_at(uintptr_t address, size_t size) {
  const auto* bytes = reinterpret_cast<const volatile uint8_t*>(address);
  uint64_t value = 0;
  for (size_t i = 0; i < size && i < sizeof value; ++i) value |= static_cast<uint64_t>(bytes[i]) << (8 * i);
  return value;
}

// A choice stands before the access; the event then says what a read will find.
void visible_access(Object& o, uintptr_t address, size_t size, bool write, Place place) {
  Engine& e = engine();
  Pending& p = e.arrive({.kind = write ? Kind::plain_write : Kind::plain_read, .object = &o, .place = place});
  const uint32_t source = o.last_write_event;
  // A read must not fail in the place of the write that follows. Where a visible write was before, there is memory.
  const bool reads = !write || (source != kNoEvent && race_detector_watches() && !granules().holds_freed(address));
  const uint64_t found = reads ? value_at(address, size) : 0;
  const uint32_t event = e.commit(p, {.value = write ? 0 : static_cast<uint32_t>(found ^ found >> 32), .partner = write ? kNoEvent : o.last_write_event});
  if (!race_detector_watches()) return;
  const auto bytes = static_cast<uint8_t>(size <= sizeof found ? size : 0);
  note_values(event, source, address, {bytes, static_cast<uint8_t>(reads ? EventValues::kRead : 0)}, found);
}

// The object of an access that the input names. A large access, such as the end of a heap block, is on the variable in that memory that another thread
// used last. Otherwise nothing would tell that the two are in conflict.
Object& named_object(uintptr_t address, size_t size, bool write, Place place) {
  Engine& e = engine();
  constexpr size_t kOneVariable = 8;
  if (size > kOneVariable) {
    Object* const met = e.visible_object(address, size);
    if (met != nullptr && met->family == Family::plain) return *met;
  }
  // Reading the bytes of an atomic or a mutex does not end that object. Writing them does, and the access itself handles that. For an
  // initialisation, about_to_initialise() does.
  Object* const o = e.find_object(address);
  const bool ends = write && (o == nullptr || current_thread()->initialises != o->address);
  return o == nullptr || ends ? e.object(address, Family::plain, place) : *o;
}

__attribute__((noinline)) void named_access(uintptr_t address, size_t size, bool write, Place place) {
  Object& o = named_object(address, size, write, place);
  engine().visible_plain().touch(o.address);
  if (o.address == address) o.visible_bytes = static_cast<uint8_t>(std::clamp<size_t>(size, o.visible_bytes, Object::kVisibleReach));
  visible_access(o, address, size, write, place);
}

// After so many plain accesses without a visible operation, a choice is forced. So a plain `while (!flag);` ends
// (docs/design/runtime-laws.md#when-nothing-moves). While a thread computes and nothing else happens, forced choices become rarer: the
// engine takes endless pauses for a livelock. A thread that uses the same locations again is likely to spin, so its limit stays low. This
// decision uses a sample of the accesses and not the race detector, because executions without the detector must do the same.
struct Patience {
  static constexpr uint32_t kLowest = Thread::kPlainWindow, kSpinner = 1 << 14, kHighest = 1 << 20;
  static constexpr uint32_t kFewPlaces = 16;
  static constexpr uint8_t kSample = 64;  // accesses after each window

  uint32_t limit = kLowest;
  bool wrote = false;   // in a window since the last forced choice
  uint32_t places = 0;  // samples since the last forced choice that were not in the table
  size_t events = 0;    // recorded up to it
  uint64_t execution = 0;
  // The locations sampled while nothing else has happened, indexed by their offset in the page. So collisions are the same in each process.
  uintptr_t sampled[512] = {};

  void sample(uintptr_t address) {
    const uintptr_t place = address >> 3;
    uintptr_t& entry = sampled[place % 512];
    places += entry != place;
    entry = place;
  }
};
constinit Patience g_patience;

__attribute__((noinline)) void forced_choice(Thread& t, Place place) {
  Patience& p = g_patience;
  Engine& e = engine();
  // Other events have come in between, so what the thread did before does not count.
  if (p.execution != e.begun() || recorder().events.size() != p.events) p = {.wrote = true, .events = recorder().events.size(), .execution = e.begun()};
  if (t.plain_accesses < p.limit) return;
  const bool few = p.places <= Patience::kFewPlaces;
  const uint32_t cap = few ? Patience::kSpinner : Patience::kHighest;
  if (p.limit < cap) p.limit *= 2;
  e.looked(few && !p.wrote ? t.plain_accesses / Thread::kPlainWindow : 0);
  e.commit(e.arrive({.kind = Kind::spin_pause, .place = place}), {});
  p.places = 0;
  p.wrote = false;
  p.events = recorder().events.size();
  note_plain_reads({t.index, static_cast<uint32_t>(p.events), p.sampled});
}

// Called when the window is over, and for each of the sampled accesses after it: they find the gate's counts at zero.
__attribute__((noinline)) void end_of_window(Thread& t, uintptr_t address, Place place) {
  if (t.samples == 0) {
    t.plain_accesses += Thread::kPlainWindow;
    g_patience.wrote |= t.gate->writes != Thread::kPlainWindow;
    forced_choice(t, place);
    t.samples = Patience::kSample;
  } else {
    if (t.on_stack(address) || !(is_counter(address) || is_coverage(address))) g_patience.sample(address);
    if (--t.samples == 0) return t.begin_window();
  }
  t.gate->reads = t.gate->writes = 0;
}

// From now on, the thread's writes need no check whether they are new.
void tell_no_more(Thread& t) {
  t.writes_to_tell = 0;
  if (t.plain_path == PlainPath::alone) t.gate->open_writes();
}

// Handles everything about an access except the race detector. False: nothing else to do, because the access is not the program's, or is to
// be ignored.
[[gnu::always_inline]] inline bool note_new(Thread& t, uintptr_t address, size_t size, bool write) {
  const bool own_stack = t.on_stack(address);
  if (!own_stack && is_coverage(address)) return false;
  if (write && !own_stack) {
    if (!fills_its_own_again(t, address)) engine().wrote_shared_memory(t);
    if (t.writes_to_tell != 0) tell_no_more(t);
  }
  if (!write && engine().in_unread_payload(address)) note_payload_read(address, size);
  return (t.ignored.what & (write ? kIgnoreWrites : kIgnoreReads)) == 0;
}

// Only what a read finds is logged, so whether memory is there matters only for reads. The cheap answers come first.
void log_new(const Thread& t, uintptr_t address, size_t size, bool write, uint32_t site) {
  const bool of_heap = execution_heap().contains(reinterpret_cast<const void*>(address));
  const bool there = !write && (of_heap || t.on_stack(address) || fiber::with_stack(address) != nullptr);
  log_access(t.index, address, size, write, there, site, static_cast<uint32_t>(recorder().events.size()));
}

__attribute__((noinline)) void new_access(Thread& t, uintptr_t address, size_t size, bool write, Place place) {
  if (!note_new(t, address, size, write)) return;
  // The position is added to the context like another call. So if it is in a library's function, an inlined position of the user's is still
  // found.
  const uint32_t context = access_notes().enabled() ? contexts().child(t.stack.context(place.frame), place.pc) : 0;
  const uint32_t site = user_site(t, place);
  log_new(t, address, size, write, site);
  race_detector_access_at(t.index, address, size, write, site, context);
}

// Which access the input names is told by its position alone, unless that is in a library.
__attribute__((noinline)) bool make_visible_by_name(Thread& t, uintptr_t address, size_t size, bool write, Place place) {
  VisiblePlain& visible = engine().visible_plain();
  if (visible.contains(sites()[user_site(t, place)].id)) {
    named_access(address, size, write, place);
    return true;
  }
  if (!sites().position(place.pc).library) visible.pass_over(place.pc);
  return false;
}

// What a named access has touched is visible from everywhere from then on. The race detector names only the first of a thread's accesses between two
// operations; a check and the use after it are two, and the bug needs a switch between them.
__attribute__((noinline)) bool make_visible_by_memory(uintptr_t address, size_t size, bool write, Place place) {
  Object* const o = engine().visible_object(address, size);
  if (o == nullptr || !engine().visible_plain().spend()) return false;
  visible_access(*o, address, size, write, place);
  return true;
}

// True: a choice has stood before the access. One must stand before the next access there, too.
[[gnu::always_inline]] inline bool make_visible(Thread& t, uintptr_t address, size_t size, bool write, Place place) {
  VisiblePlain& visible = engine().visible_plain();
  if (!visible.any()) return false;
  if (!visible.passes_over(place.pc) && make_visible_by_name(t, address, size, write, place)) return true;
  return engine().alive() > 1 && make_visible_by_memory(address, size, write, place);
}

// The fast path for an access within one granule that need not become visible, while no notes are kept.
[[gnu::always_inline]] inline void shared_access(Thread& t, uintptr_t address, size_t size, bool write, Place place) {
  race_detector_run(t.index);
  Granule* const g = shadow().at(address);
  if (g == nullptr || granules().known(*g, address, size, write, g_running.epoch)) return recent_accesses().add(address, size, write);
  const uint32_t site = user_site(t, place);
  const uint64_t what = Access::what(site, Kind::none, write);
  if (!note_new(t, address, size, write)) return;
  log_new(t, address, size, write, site);
  granules().plain_within(*g, address, size, write, g_running.epoch | what);
  // If several threads have read a location, the granule never counts a read as known (the reads are a set). Without this cache entry, each
  // round of a loop that reads the location would come here.
  if (!write) recent_accesses().add(address, size, write);
}

// A separate copy of shared_access. If shared_access had two callers, the compiler would no longer inline it in the hot one.
__attribute__((noinline)) void listed_access(Thread& t, uintptr_t address, size_t size, bool write, Place place) {
  shared_access(t, address, size, write, place);
}

bool over_objects(uintptr_t address, size_t size) {
  if (!shadow().holds_objects()) return false;
  for (uintptr_t at = address & ~uintptr_t{7}; at < address + size; at += 8) {
    if (shadow().may_meet_object(at)) return true;
  }
  return false;
}

// The thread is alone. Three things matter: whether it did something new, whether it reads the input, and whether it overwrites objects.
bool matters_alone(Thread& t, uintptr_t address, size_t size, bool write) {
  if (!write) return engine().in_unread_payload(address);
  const bool tells = t.writes_to_tell != 0 && !t.on_stack(address);
  if (tells && --t.writes_to_tell == 0) tell_no_more(t);
  return tells || over_objects(address, size);
}

// What matters about an access in an unwatched execution. The race detector has already judged the order, or the execution will be repeated
// with it.
void unwatched_access(Thread& t, uintptr_t address, size_t size, bool write) {
  const bool own_stack = t.on_stack(address);
  if (!own_stack && is_coverage(address)) return;
  if (write && !own_stack) {
    if (!t.next_write_is_new) {
      engine().may_have_written_shared_memory();
    } else if (!fills_its_own_again(t, address)) {
      engine().wrote_shared_memory(t);
      t.next_write_is_new = false;
    }
    if (t.alone && t.writes_to_tell != 0) tell_no_more(t);
  }
  if (!write && engine().in_unread_payload(address)) note_payload_read(address, size);
  if (write && (t.ignored.what & kIgnoreWrites) == 0 && shadow().may_hold_object(address, size)) race_detector_written_over(address, size);
}

// Checked after the choice points, because the other thread may have returned meanwhile.
[[gnu::always_inline]] inline void check_stack(uintptr_t address, bool write, Place place) {
  if (__builtin_expect(fiber::may_be_stack(address), 0)) engine().check_stack_use(address, place, write ? "writes" : "reads");
}

// What follows the choice points, because other threads may have freed the memory meanwhile.
[[gnu::always_inline]] inline void checked_access(Thread& t, uintptr_t address, size_t size, bool write, Place place, bool visible) {
  if (asan_linked() && __builtin_expect(!g_asan_shadow.clean(address, size), 0)) {
    asan_check(reinterpret_cast<void*>(address), size, write, place.pc, place.frame);
  }
  if (t.alone && !matters_alone(t, address, size, write)) return;
  if (!race_detector_watches()) return unwatched_access(t, address, size, write);
  if (race_detector_knows(t.index, address, size, write)) {
    if (!asan_linked() && !visible) recent_accesses().add_range(address, size, write);
    return;
  }
  new_access(t, address, size, write, place);
}

}  // namespace

// Records which data bytes a run reads, because only these are worth mutating. Bytes from kLast on share one bit.
void note_payload_read(uintptr_t address, size_t size) {
  constexpr uint64_t kLast = 63;
  RunSummary& run = recorder().summary;
  run.flags |= kRunPayloadRead;
  const uint64_t first = engine().payload_offset(address), end = first + size;
  comparisons().payload_is_read(first);
  for (uint64_t i = first; i < end && i < kLast; ++i) run.payload_reads |= 1ull << i;
  if (end > kLast) run.payload_reads |= 1ull << kLast;
  const uint64_t bytes = engine().schedule().payload.size();
  const uint64_t all = bytes > kLast ? ~0ull : (1ull << bytes) - 1;
  if ((run.payload_reads & all) == all) engine().payload_is_read();
}

bool freed_it_before(const Thread& t, uintptr_t address) {
  const Freed* const giver = execution_heap().giver_before(address);
  return giver != nullptr && giver->thread == t.index;
}

bool is_variable(uintptr_t address) { return !is_counter(address) && !is_coverage(address) && !fiber::may_be_stack(address); }

bool rest_of_plain_access(Thread& t, uintptr_t address, size_t size, bool write, Place place) {
  if (__builtin_expect(!window_goes_on(write), 0)) {
    end_of_window(t, address, place);
    if (t.plain_path == PlainPath::shared && recent_accesses().contains_range(address, size, write)) return false;
  }
  if (__builtin_expect(is_counter(address), 0)) return false;  // it is no access of the program's
  const bool short_way = (address & 7) + size <= 8 && !access_notes().enabled();
  if (t.plain_path == PlainPath::unwatched) return unwatched_access(t, address, size, write), false;
  if (t.plain_path == PlainPath::shared && short_way) {
    check_stack(address, write, place);
    return shared_access(t, address, size, write, place), false;
  }
  const bool visible = make_visible(t, address, size, write, place);
  check_stack(address, write, place);
  if (t.plain_path == PlainPath::listed && !t.alone && !visible) {
    if (recent_accesses().contains_range(address, size, write)) return false;
    if (short_way) return listed_access(t, address, size, write, place), false;
  }
  checked_access(t, address, size, write, place, visible);
  return visible;
}

void count_plain_access(Thread& t, uintptr_t address, bool write, Place place) {
  if (!count(write)) end_of_window(t, address, place);
}

namespace {

// For functions of a library that the program calls, which access its words.
template <bool write>
bool first_access_of_library(Thread& t, uintptr_t address, size_t size, Place place) {
  if (size == 8) return quick_access<8, write>(t, address, place.pc) || first_access<8, write>(t, address, place);
  return size == 4 && (quick_access<4, write>(t, address, place.pc) || first_access<4, write>(t, address, place));
}

}  // namespace

bool plain_access(Thread& t, uintptr_t address, size_t size, bool write, Place place) {
  if (passes_gate(address, size, write)) return false;
  if (range_passes(t, address, size, write)) return false;
  if (write ? first_access_of_library<true>(t, address, size, place) : first_access_of_library<false>(t, address, size, place)) return false;
  return rest_of_plain_access(t, address, size, write, place);
}

void end_of_memory(Thread& t, uintptr_t address, size_t size, Place place) {
  const size_t first = std::min(size, kEndShown);
  if (engine().visible_plain().any()) {
    if (!count(true)) end_of_window(t, address, place);
    make_visible(t, address, size, true, place);
    check_stack(address, true, place);
    // Another thread has freed the block meanwhile. ASan reports a double free when it goes on, with better stacks.
    if (asan_linked() && !g_asan_shadow.clean(address, first)) return;
    checked_access(t, address, first, true, place, true);
  } else {
    plain_access(t, address, first, true, place);
  }
  if (size == first || t.alone || !race_detector_watches() || (t.ignored.what & kIgnoreWrites) != 0) return;
  const uint32_t context = access_notes().enabled() ? contexts().child(t.stack.context(place.frame), place.pc) : 0;
  race_detector_end_of_memory(t.index, address + first, size - first, user_site(t, place), context);
}

void end_of_block(Thread& t, uintptr_t address, size_t size, Place place) {
  if (t.plain_path != PlainPath::shared || access_notes().enabled() || t.ignored.what != 0) return end_of_memory(t, address, size, place);
  const size_t first = std::min(size, kEndShown);
  const bool window_over = !count(true);
  if (window_over || !recent_accesses().contains_range(address, first, true)) {
    if (window_over) end_of_window(t, address, place);
    if (!race_detector_knows(t.index, address, first, true) && note_new(t, address, first, true)) {
      const uint32_t site = user_site(t, place);
      log_new(t, address, first, true, site);
      race_detector_end_of_block(t.index, address, first, true, site);
    }
  }
  if (size > first) race_detector_end_of_block(t.index, address + first, size - first, false, user_site(t, place));
}

}  // namespace heddle::rt
