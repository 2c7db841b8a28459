// Atomics of every size and order. The memory itself holds the value. When its turn comes, the operation uses the machine's own atomics,
// so code that heddle does not control can share it.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "base/asan.h"
#include "engine/engine.h"
#include "engine/note_values.h"
#include "primitives/atomic_weak.h"
#include "primitives/outcome.h"
#include "races/race_detector.h"
#include "trace/recorder.h"

namespace heddle::rt::primitives {

using uint128_t = unsigned __int128;

// Signed numbers use maximum and minimum, unsigned numbers umax and umin. Names that begin with f are for float or double, depending on the
// size.
enum class Rmw : uint8_t { exchange, add, sub, bit_and, bit_or, bit_xor, nand, max, min, umax, umin, fadd, fsub, fmax, fmin };

template <Rmw op, typename T>
T apply(T old, T v);

template <typename T>
struct CasResult {
  T old;
  bool swapped;
};

// The machine's operations, sequentially consistent.
template <typename T>
struct Machine {
  static T load(const volatile T* a) { return __atomic_load_n(a, __ATOMIC_SEQ_CST); }
  static void store(volatile T* a, T v) { __atomic_store_n(a, v, __ATOMIC_SEQ_CST); }
  static CasResult<T> cas(volatile T* a, T expected, T v) {
    const bool swapped = __atomic_compare_exchange_n(a, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return {expected, swapped};
  }
  template <Rmw op>
  static T rmw(volatile T* a, T v) {
    switch (op) {
      case Rmw::exchange: return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);
      case Rmw::add: return __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST);
      case Rmw::sub: return __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST);
      case Rmw::bit_and: return __atomic_fetch_and(a, v, __ATOMIC_SEQ_CST);
      case Rmw::bit_or: return __atomic_fetch_or(a, v, __ATOMIC_SEQ_CST);
      case Rmw::bit_xor: return __atomic_fetch_xor(a, v, __ATOMIC_SEQ_CST);
      case Rmw::nand: return __atomic_fetch_nand(a, v, __ATOMIC_SEQ_CST);
      default: break;
    }
    T old = load(a);
    for (;;) {
      const CasResult<T> r = cas(a, old, apply<op>(old, v));
      if (r.swapped) return old;
      old = r.old;
    }
  }
};

// As in clang: if one operand is NaN, the result is the other one.
template <Rmw op, typename Number, typename T>
T apply_to_numbers(T old_bits, T v_bits) {
  const Number old = std::bit_cast<Number>(old_bits), v = std::bit_cast<Number>(v_bits);
  switch (op) {
    case Rmw::fadd: return std::bit_cast<T>(old + v);
    case Rmw::fsub: return std::bit_cast<T>(old - v);
    case Rmw::fmax: return v > old || old != old ? v_bits : old_bits;
    default: return v < old || old != old ? v_bits : old_bits;
  }
}

template <Rmw op, typename T>
T apply(T old, T v) {
  if constexpr (op >= Rmw::fadd) {
    if constexpr (sizeof(T) == sizeof(float)) return apply_to_numbers<op, float>(old, v);
    else return apply_to_numbers<op, double>(old, v);
  }
  using Signed = std::conditional_t<sizeof(T) == 16, __int128, std::make_signed_t<std::conditional_t<sizeof(T) == 16, int, T>>>;
  switch (op) {
    case Rmw::exchange: return v;
    case Rmw::add: return static_cast<T>(old + v);
    case Rmw::sub: return static_cast<T>(old - v);
    case Rmw::bit_and: return old & v;
    case Rmw::bit_or: return old | v;
    case Rmw::bit_xor: return old ^ v;
    case Rmw::nand: return static_cast<T>(~(old & v));
    case Rmw::max: return static_cast<Signed>(v) > static_cast<Signed>(old) ? v : old;
    case Rmw::min: return static_cast<Signed>(v) < static_cast<Signed>(old) ? v : old;
    case Rmw::umax: return v > old ? v : old;
    case Rmw::umin: return v < old ? v : old;
    default: return old;
  }
}

// 16 bytes: every operation is a compare-and-swap (a load writes back the value that it found). The compiler would call libatomic, which
// may take its own locks.
CasResult<uint128_t> cas16(volatile uint128_t* a, uint128_t expected, uint128_t v);

template <>
struct Machine<uint128_t> {
  using T = uint128_t;
  static T load(const volatile T* a) { return cas16(const_cast<volatile T*>(a), 0, 0).old; }
  static void store(volatile T* a, T v) { rmw<Rmw::exchange>(a, v); }
  static CasResult<T> cas(volatile T* a, T expected, T v) { return cas16(a, expected, v); }
  template <Rmw op>
  static T rmw(volatile T* a, T v) {
    T old = load(a);
    for (;;) {
      const CasResult<T> r = cas16(a, old, apply<op>(old, v));
      if (r.swapped) return old;
      old = r.old;
    }
  }
};

template <typename T>
uint32_t fold(T value) {
  uint64_t v = static_cast<uint64_t>(value);
  if constexpr (sizeof(T) == 16) v ^= static_cast<uint64_t>(value >> 64) * 0x9E3779B97F4A7C15ull;
  return static_cast<uint32_t>(v ^ (v >> 32) * 0x85EBCA6Bu);
}

inline MemoryOrder memory_order(int order) {
  order &= 0x7;  // newer compilers may add hints above
  return order <= 5 ? static_cast<MemoryOrder>(order) : MemoryOrder::seq_cst;
}

// One controlled operation. It waits for its turn, checks the shadow (the memory may have been freed meanwhile), and then takes effect.
template <typename T>
class AtomicOp {
 public:
  AtomicOp(Kind kind, const volatile T* address, int order, bool write, Place place)
      : AtomicOp(spec_of(kind, address, order, place), write) {}
  AtomicOp(const OpSpec& spec, bool write) : object_(*spec.object), pending_(engine().arrive(spec)) {
    asan_check(reinterpret_cast<const void*>(object_.address), sizeof(T), write, spec.place.pc, spec.place.frame);
  }
  static OpSpec spec_of(Kind kind, const volatile T* address, int order, Place place) {
    Object& o = engine().object(reinterpret_cast<uintptr_t>(address), Family::atomic, place);
    return {.kind = kind, .object = &o, .place = place, .order = memory_order(order)};
  }
  uint8_t preferred() const { return preference_flag(pending_); }
  void failure_order(int order) { pending_.order = memory_order(order); }
  uint32_t commit(Commit&& how) {
    how.bytes = sizeof(T);
    return engine().commit(pending_, how);
  }
  // For reports: what the committed event has read and stored.
  void loaded(uint32_t event, T v) const { note(event, EventValues::kRead, v); }
  void stored(uint32_t event, T before, T v) const { note(event, EventValues::kRead | EventValues::kStored, before, v); }
  void compared(uint32_t event, T old, T expected, T v, bool swapped) const {
    note(event, EventValues::kRead | EventValues::kExpected | (swapped ? EventValues::kStored : 0), old, v, expected);
  }
  // The same operation under a weak memory model.
  WeakOp weak(const volatile T* address) { return {object_, pending_, sizeof(T), value_of(Machine<T>::load(address))}; }
  Object& object() { return object_; }
  // The event that a read takes its value from.
  uint32_t source() const { return object_.last_write_event; }

 private:
  [[gnu::always_inline]] void note(uint32_t event, int known, T read, T stored = {}, T expected = {}) const {
    if (__builtin_expect(!race_detector_watches(), 1) || event == kNoEvent) return;
    constexpr uint8_t kSize = sizeof(T) <= sizeof(uint64_t) ? sizeof(T) : 0;
    note_values(event, recorder().events[event].partner, object_.address, {kSize, static_cast<uint8_t>(known)}, static_cast<uint64_t>(read),
                static_cast<uint64_t>(stored), static_cast<uint64_t>(expected));
  }

  Object& object_;
  Pending& pending_;
};

// --- under a weak memory model (atomic_weak.h) ------------------------------------------------

template <typename T>
[[gnu::noinline]] T weak_load(AtomicOp<T>& op, const volatile T* a, int order) {
  WeakOp weak = op.weak(a);
  const T v = from_value<T>(weak.load(memory_order(order)));
  op.loaded(weak.commit_load({.value = fold(v)}), v);
  return v;
}

template <typename T>
[[gnu::noinline]] void weak_store(AtomicOp<T>& op, volatile T* a, T v) {
  WeakOp weak = op.weak(a);
  if (weak.stores()) Machine<T>::store(a, v);
  const T below = from_value<T>(weak.below());
  op.stored(weak.commit_store({.value = fold(v)}, value_of(v)), below, v);
}

template <Rmw kind, typename T>
[[gnu::noinline]] T weak_rmw(AtomicOp<T>& op, volatile T* a, T v) {
  WeakOp weak = op.weak(a);
  const T old = from_value<T>(weak.update()), now = apply<kind>(old, v);
  if (weak.stores()) Machine<T>::store(a, now);
  op.stored(weak.commit_store({.value = fold(old)}, value_of(now)), old, now);
  return old;
}

// `v`: null, because it fails whatever it finds (a weak one that fails spuriously).
template <typename T>
[[gnu::noinline]] CasResult<T> weak_cas(AtomicOp<T>& op, volatile T* a, T expected, T wanted, const T* v, int failure_order, uint8_t flags) {
  WeakOp weak = op.weak(a);
  const MemoryOrder fails = memory_order(failure_order);
  const T old = from_value<T>(v != nullptr ? weak.compare(value_of(expected), fails) : weak.load(fails));
  if (v != nullptr && old == expected) {
    if (weak.stores()) Machine<T>::store(a, *v);
    op.compared(weak.commit_store({.outcome = Outcome::success, .value = fold(old), .flags = flags}, value_of(*v)), old, expected, *v, true);
    return {old, true};
  }
  op.failure_order(failure_order);
  op.compared(weak.commit_load({.outcome = Outcome::failure, .value = fold(old), .choice = 1, .flags = flags}), old, expected, wanted, false);
  return {old, false};
}

// --- the operations ---------------------------------------------------------------------------

template <typename T>
T atomic_load(const volatile T* a, int order, Place place) {
  AtomicOp<T> op(Kind::atomic_load, a, order, false, place);
  if (graph::active()) return weak_load(op, a, order);
  const T v = Machine<T>::load(a);
  op.loaded(op.commit({.value = fold(v), .partner = op.source()}), v);
  return v;
}

template <typename T>
void atomic_store(volatile T* a, T v, int order, Place place) {
  AtomicOp<T> op(Kind::atomic_store, a, order, true, place);
  if (graph::active()) return weak_store(op, a, v);
  const T before = race_detector_watches() ? Machine<T>::load(a) : T{};
  Machine<T>::store(a, v);
  op.stored(op.commit({.value = fold(v)}), before, v);
}

// The event contains the value found, because that is what the thread learns: threads that spin with a test-and-set find the same value
// and do not wake each other. It is a store even if it leaves the value unchanged, and later reads name it.
template <Rmw kind, typename T>
T atomic_rmw(volatile T* a, T v, int order, Place place) {
  AtomicOp<T> op(Kind::atomic_rmw, a, order, true, place);
  if (graph::active()) return weak_rmw<kind>(op, a, v);
  const T old = Machine<T>::template rmw<kind>(a, v);
  const T now = apply<kind>(old, v);
  op.stored(op.commit({.value = fold(old), .partner = op.source(), .unchanged = now == old}), old, now);
  return old;
}

// Does a weak compare-and-swap fail spuriously? A decision of the select kind.
bool fails_spuriously(const volatile void* address, Place place, bool& preferred);

// Would the pending compare-and-swap find the value that it expects? Its detail is the expected value.
template <typename T>
bool finds_expected(const Pending& p) {
  return Machine<T>::load(reinterpret_cast<const volatile T*>(p.object->address)) == *reinterpret_cast<const T*>(p.detail);
}
template <typename T>
bool finds_other(const Pending& p) {
  return !finds_expected<T>(p);
}

template <typename T>
void commit_cas(AtomicOp<T>& op, const CasResult<T>& r, T expected, T v, uint8_t flags) {
  const uint32_t event = op.commit({.outcome = r.swapped ? Outcome::success : Outcome::failure,
             .value = fold(r.old),
             .partner = op.source(),
             .choice = !r.swapped,
             .flags = flags,
             .stored = r.swapped});
  op.compared(event, r.old, expected, v, r.swapped);
}

template <typename T>
CasResult<T> atomic_cas(volatile T* a, T expected, T v, int order, int failure_order, bool weak, Place place) {
  bool preferred = false;
  const bool spurious = weak && fails_spuriously(a, place, preferred);
  OpSpec spec = AtomicOp<T>::spec_of(Kind::atomic_cas, a, order, place);
  spec.detail = reinterpret_cast<uintptr_t>(&expected);
  if (!spurious) prefer_outcome(spec, finds_expected<T>, finds_other<T>);
  AtomicOp<T> op(spec, true);
  const auto flags = static_cast<uint8_t>(spurious && preferred ? kEventPreferred : op.preferred());
  if (graph::active()) return weak_cas(op, a, expected, v, spurious ? nullptr : &v, failure_order, flags);
  const CasResult<T> r = spurious ? CasResult<T>{Machine<T>::load(a), false} : Machine<T>::cas(a, expected, v);
  if (!r.swapped) op.failure_order(failure_order);
  commit_cas(op, r, expected, v, flags);
  return r;
}

// For an operation that the caller performs right after this call, as an instruction in the program's inline assembly does. `result` computes the
// new value from the old one.
template <typename T, typename Result>
void foretell_rmw(const volatile T* a, const Result& result, Place place, int order = __ATOMIC_SEQ_CST) {
  AtomicOp<T> op(Kind::atomic_rmw, a, order, true, place);
  if (graph::active()) {
    WeakOp weak = op.weak(a);
    const T read = from_value<T>(weak.update_newest());
    weak.stores();
    const auto now = static_cast<T>(result(read));
    return op.stored(weak.commit_store({.value = fold(read)}, value_of(now)), read, now);
  }
  const T old = Machine<T>::load(a), now = static_cast<T>(result(old));
  op.stored(op.commit({.value = fold(old), .partner = op.source(), .unchanged = now == old}), old, now);
}
template <typename T>
void foretell_cas(const volatile T* a, T expected, T v, Place place) {
  OpSpec spec = AtomicOp<T>::spec_of(Kind::atomic_cas, a, __ATOMIC_SEQ_CST, place);
  spec.detail = reinterpret_cast<uintptr_t>(&expected);
  prefer_outcome(spec, finds_expected<T>, finds_other<T>);
  AtomicOp<T> op(spec, true);
  if (graph::active()) {
    WeakOp weak = op.weak(a);
    const T read = from_value<T>(weak.update_newest());
    if (read != expected) {
      return op.compared(weak.commit_load({.outcome = Outcome::failure, .value = fold(read), .choice = 1, .flags = op.preferred()}), read, expected, v, false);
    }
    weak.stores();
    return op.compared(weak.commit_store({.outcome = Outcome::success, .value = fold(read), .flags = op.preferred()}, value_of(v)), read, expected, v, true);
  }
  const T old = Machine<T>::load(a);
  commit_cas(op, CasResult<T>{old, old == expected}, expected, v, op.preferred());
}

// A plain load or store. Under a weak memory model, too, it sees the newest store: the processor may order more than acquire and release do.
template <typename T>
void foretell_load(const volatile T* a, Place place) {
  AtomicOp<T> op(Kind::atomic_load, a, __ATOMIC_SEQ_CST, false, place);
  if (graph::active()) {
    WeakOp weak = op.weak(a);
    const T read = from_value<T>(weak.update_newest());
    return op.loaded(weak.commit_load({.value = fold(read)}), read);
  }
  const T v = Machine<T>::load(a);
  op.loaded(op.commit({.value = fold(v), .partner = op.source()}), v);
}
template <typename T>
void foretell_store(const volatile T* a, T v, Place place) {
  AtomicOp<T> op(Kind::atomic_store, a, __ATOMIC_SEQ_CST, true, place);
  if (graph::active()) {
    WeakOp weak = op.weak(a);
    weak.stores_newest();
    const T below = from_value<T>(weak.below());
    return op.stored(weak.commit_store({.value = fold(v)}, value_of(v)), below, v);
  }
  const T before = Machine<T>::load(a);
  op.stored(op.commit({.value = fold(v)}), before, v);
}

void atomic_fence(int order, Place place);

}  // namespace heddle::rt::primitives
