#include "analyses/report/values.h"

#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <cinttypes>

#include "analyses/report/positions.h"
#include "base/raw_syscall.h"
#include "base/reserved_array.h"
#include "races/race_detector.h"
#include "schema/coherence.h"
#include "trace/live_state.h"
#include "trace/recorder.h"
#include "trace/transfer_notes.h"

namespace heddle::rt {

void put_value(Text& out, uint64_t value, uint32_t size) {
  constexpr int64_t kSmall = 1 << 20;
  const uint32_t bits = size < 8 ? 8 * size : 64;
  const auto number = static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
  if (number > -kSmall && number < kSmall) return out.add("%lld", static_cast<long long>(number));
  value = bits == 64 ? value : value & ((1ull << bits) - 1);
  uintptr_t offset = 0;
  constexpr size_t kMostName = 40;  // such as that of a class template's table of functions: it would fill the column
  if (const char* datum = size == sizeof(uintptr_t) ? datum_name(value, offset) : nullptr; datum != nullptr && strlen(datum) <= kMostName) {
    out.add("&%s", datum);
    if (offset != 0) out.add("+%llu", static_cast<unsigned long long>(offset));
    return;
  }
  if (size < 8) return out.add("%llu", static_cast<unsigned long long>(value));
  out.add("0x%llx", static_cast<unsigned long long>(value));
}

uint32_t count_before(const RunSummary& run, uint32_t add) {
  for (uint32_t i = add; i-- > 0;) {
    const Event& e = run.events[i];
    if (e.object == run.events[add].object && e.kind == Kind::wait_group_add) return e.value;
  }
  return 0;
}

namespace {

bool counts(Kind kind) { return kind == Kind::semaphore_post || kind == Kind::semaphore_wait || kind == Kind::semaphore_trywait; }

// ": 1 -> 2" of a post. False: it has not changed the count.
bool put_count_of_semaphore(Text& out, const Event& e) {
  if (!e.finished() || in_vain(e.outcome)) return false;
  if (e.kind == Kind::semaphore_post && e.value != 0) out.add(": %u -> %u", e.value - 1, e.value);
  else if (e.kind == Kind::semaphore_wait || e.kind == Kind::semaphore_trywait) out.add(": %u -> %u", e.value + 1, e.value);
  else return false;
  return true;
}

// " = 1": what a wait has found there when it began. The words of the C++ library's own waits mean nothing to the reader.
bool put_value_of_futex(Text& out, const RunSummary& run, uint32_t event) {
  const Event& e = run.events[event];
  if (e.kind != Kind::futex_wait || !e.finished() || e.outcome != Outcome::none || in_library_primitive(recorder().position_of(run.events, event))) return false;
  out.put(" = ");
  put_value(out, e.value, sizeof e.value);
  return true;
}

// Of a read or write on a descriptor: how many bytes, or the number that a counter gave or got.
bool put_transfer(Text& out, const RunSummary& run, uint32_t event) {
  const TransferNote* const note = transfer_notes().of(event);
  if (note == nullptr) return false;
  if (!note->counter) out.add(": %" PRIu64 " byte%s", note->amount, note->amount == 1 ? "" : "s");
  else out.add(run.events[event].kind == Kind::descriptor_read ? " = %" PRIu64 : ": +%" PRIu64, note->amount);
  return true;
}

}  // namespace

bool put_values(Text& out, const RunSummary& run, uint32_t event) {
  if (event < run.event_count && put_count_of_semaphore(out, run.events[event])) return true;
  if (event < run.event_count && run.events[event].kind == Kind::wait_group_add && run.events[event].finished()) {
    out.add(": %u -> %u", count_before(run, event), run.events[event].value);
    return run.events[event].outcome != Outcome::failure;
  }
  if (event < run.event_count && (put_value_of_futex(out, run, event) || put_transfer(out, run, event))) return true;
  const EventValues* const v = event < run.event_count ? recorder().values.of(event) : nullptr;
  if (v == nullptr || v->size == 0 || v->size > 8) return false;
  const auto put = [&](uint64_t value) { put_value(out, value, v->size); };
  const auto change = [&](uint64_t from) { out.put(": "), put(from), out.put(" -> "), put(v->stored); };
  const bool read = (v->known & EventValues::kRead) != 0, stored = (v->known & EventValues::kStored) != 0;
  if ((v->known & EventValues::kExpected) != 0) {
    change(v->expected);
    if (!stored && v->read != v->expected) out.put(" failed, was "), put(v->read);
    else if (!stored) out.put(" failed spuriously");
  } else if (kind_info(run.events[event].kind).has(kPlain) && kind_info(run.events[event].kind).has(kWrites) && !stored) {
    return false;  // what it has stored is not known
  } else if (stored && read) {
    change(v->read);
  } else if (stored || read) {
    out.put(" = "), put(stored ? v->stored : v->read);
  } else {
    return false;
  }
  return true;
}

Writer writer_of(const RunSummary& run, uint32_t event) {
  const Event& e = run.events[event];
  const KindInfo& kind = kind_info(e.kind);
  if (!e.finished() || !kind.has(kReads) || !(kind.has(kAtomic) || kind.has(kPlain)) || is_plain_store(e)) return {};
  const EventValues* const values = recorder().values.of(event);
  if (values != nullptr && values->writer_thread != kNoEvent) return {Writer::at_least, values->writer_thread, values->writer_site, 0};
  if (e.partner >= run.event_count) return {Writer::initial};
  const EventValues* const source = recorder().values.of(e.partner);
  // Something else has written since, by code that is not instrumented.
  if (values != nullptr && source != nullptr && (source->known & EventValues::kStored) != 0 && source->stored != values->read) return {};
  return {Writer::event, run.events[e.partner].thread, recorder().position_of(run.events, e.partner), recorder().context_of(e.partner)};
}

void complete_values(const RunSummary& run) {
  constexpr uint32_t kMost = 4096;  // objects
  static constinit ReservedArray<uint8_t> done;
  done.reserve(Recorder::kMaxObjects);
  for (uint32_t i = 0; i < run.object_count; ++i) done[i] = 0;
  uint32_t running = live_state().current_thread(), asked = 0;
  for (uint32_t i = run.event_count; i-- > 0 && asked < kMost;) {
    const Event& e = run.events[i];
    if (!e.finished()) continue;
    // The last write of the running thread may be about to happen.
    const bool may_be_open = e.thread == running;
    if (may_be_open) running = kNoEvent;
    if (e.object >= run.object_count || done[e.object] != 0 || !kind_info(e.kind).has(kWrites)) continue;
    done[e.object] = 1;
    EventValues* const v = recorder().values.of(i);
    if (e.kind != Kind::plain_write || may_be_open || v == nullptr || v->size == 0 || v->size > 8 || (v->known & EventValues::kStored) != 0) continue;
    uint32_t thread, site;
    const uintptr_t address = live_state().object_address(e.object);
    if (address == 0 || !race_detector_plain_writer(address, thread, site) || thread != e.thread || site != e.pc_index) continue;
    ++asked;
    uint64_t value = 0;
    const iovec to = {&value, v->size}, from = {reinterpret_cast<void*>(address), v->size};  // the memory may be gone
    const long n = raw_syscall(SYS_process_vm_readv, static_cast<uintptr_t>(raw_syscall(SYS_getpid)), word(&to), 1, word(&from), 1, 0);
    if (n == v->size) v->stored = value, v->known |= EventValues::kStored;
  }
}

bool equal_values(const RunSummary& run, uint32_t a, uint32_t b) {
  if (a == b) return true;
  if (a >= run.event_count || b >= run.event_count || run.events[a].partner != run.events[b].partner) return false;
  if (counts(run.events[a].kind) && run.events[a].value != run.events[b].value) return false;
  if (const TransferNote *const m = transfer_notes().of(a), *const n = transfer_notes().of(b); m != nullptr || n != nullptr) {
    return m != nullptr && n != nullptr && m->equals(*n);
  }
  const EventValues *x = recorder().values.of(a), *y = recorder().values.of(b);
  if (x == nullptr || y == nullptr) return x == y;
  return x->read == y->read && x->stored == y->stored && x->expected == y->expected && x->known == y->known && x->writer_thread == y->writer_thread &&
         x->writer_site == y->writer_site;
}

}  // namespace heddle::rt
