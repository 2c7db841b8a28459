// The calls that the compiler makes for atomics with -fsanitize=thread. Outside of an execution they are machine operations with sequential
// consistency, which is at least as strong as the requested order.
#include "intercept/real.h"
#include "primitives/atomic.h"

using namespace heddle::rt;
using primitives::Machine;
using primitives::Rmw;

namespace {

template <typename T>
[[gnu::always_inline]] inline T load(const volatile T* a, int order, Place here) {
  return current_thread() != nullptr ? primitives::atomic_load(a, order, here) : Machine<T>::load(a);
}

template <typename T>
[[gnu::always_inline]] inline void store(volatile T* a, T v, int order, Place here) {
  if (current_thread() != nullptr) primitives::atomic_store(a, v, order, here);
  else if (order == __ATOMIC_SEQ_CST || sizeof(T) == 16) Machine<T>::store(a, v);
  else if constexpr (sizeof(T) < 16) __atomic_store_n(a, v, __ATOMIC_RELEASE);
}

template <Rmw op, typename T>
[[gnu::always_inline]] inline T rmw(volatile T* a, T v, int order, Place here) {
  return current_thread() != nullptr ? primitives::atomic_rmw<op>(a, v, order, here) : Machine<T>::template rmw<op>(a, v);
}

template <typename T>
[[gnu::always_inline]] inline primitives::CasResult<T> cas(volatile T* a, T expected, T v, int order, int failure, bool weak,
                                                           Place here) {
  return current_thread() != nullptr ? primitives::atomic_cas(a, expected, v, order, failure, weak, here)
                                     : Machine<T>::cas(a, expected, v);
}

template <typename T>
[[gnu::always_inline]] inline int cas_to(volatile T* a, T* expected, T v, int order, int failure, bool weak, Place here) {
  const primitives::CasResult<T> r = cas(a, *expected, v, order, failure, weak, here);
  if (!r.swapped) *expected = r.old;
  return r.swapped;
}

using a8 = uint8_t;
using a16 = uint16_t;
using a32 = uint32_t;
using a64 = uint64_t;
using a128 = primitives::uint128_t;

}  // namespace

#define HEDDLE_RMW(bits, name, op)                                                        \
  HEDDLE_SHIM a##bits __tsan_atomic##bits##_##name(volatile a##bits* a, a##bits v, int order) { \
    return rmw<Rmw::op>(a, v, order, HEDDLE_HERE);                                        \
  }

#define HEDDLE_ATOMICS(bits)                                                                              \
  HEDDLE_SHIM a##bits __tsan_atomic##bits##_load(const volatile a##bits* a, int order) {                  \
    return load(a, order, HEDDLE_HERE);                                                                   \
  }                                                                                                       \
  HEDDLE_SHIM void __tsan_atomic##bits##_store(volatile a##bits* a, a##bits v, int order) {               \
    store(a, v, order, HEDDLE_HERE);                                                                      \
  }                                                                                                       \
  HEDDLE_RMW(bits, exchange, exchange)                                                                    \
  HEDDLE_RMW(bits, fetch_add, add)                                                                        \
  HEDDLE_RMW(bits, fetch_sub, sub)                                                                        \
  HEDDLE_RMW(bits, fetch_and, bit_and)                                                                    \
  HEDDLE_RMW(bits, fetch_or, bit_or)                                                                      \
  HEDDLE_RMW(bits, fetch_xor, bit_xor)                                                                    \
  HEDDLE_RMW(bits, fetch_nand, nand)                                                                      \
  HEDDLE_RMW(bits, fetch_max, max)                                                                        \
  HEDDLE_RMW(bits, fetch_min, min)                                                                        \
  HEDDLE_RMW(bits, fetch_umax, umax)                                                                      \
  HEDDLE_RMW(bits, fetch_umin, umin)                                                                      \
  HEDDLE_SHIM int __tsan_atomic##bits##_compare_exchange_strong(volatile a##bits* a, a##bits* expected,   \
                                                                a##bits v, int order, int failure) {      \
    return cas_to(a, expected, v, order, failure, false, HEDDLE_HERE);                                    \
  }                                                                                                       \
  HEDDLE_SHIM int __tsan_atomic##bits##_compare_exchange_weak(volatile a##bits* a, a##bits* expected,     \
                                                              a##bits v, int order, int failure) {        \
    return cas_to(a, expected, v, order, failure, true, HEDDLE_HERE);                                     \
  }                                                                                                       \
  HEDDLE_SHIM a##bits __tsan_atomic##bits##_compare_exchange_val(volatile a##bits* a, a##bits expected,   \
                                                                 a##bits v, int order, int failure) {     \
    return cas(a, expected, v, order, failure, false, HEDDLE_HERE).old;                                   \
  }

HEDDLE_ATOMICS(8)
HEDDLE_ATOMICS(16)
HEDDLE_ATOMICS(32)
HEDDLE_ATOMICS(64)
HEDDLE_ATOMICS(128)

// These, and maximum and minimum, are not called by the compiler, but by heddle/detail/atomic_calls.h.
#define HEDDLE_RMW_OF_NUMBERS(bits, number, op)                                                                            \
  HEDDLE_SHIM number __tsan_atomic##bits##_fetch_##op(volatile number* a, number v, int order) {                           \
    return std::bit_cast<number>(rmw<Rmw::op>(reinterpret_cast<volatile a##bits*>(a), std::bit_cast<a##bits>(v), order, HEDDLE_HERE)); \
  }
#define HEDDLE_NUMBERS(bits, number)        \
  HEDDLE_RMW_OF_NUMBERS(bits, number, fadd) \
  HEDDLE_RMW_OF_NUMBERS(bits, number, fsub) \
  HEDDLE_RMW_OF_NUMBERS(bits, number, fmax) \
  HEDDLE_RMW_OF_NUMBERS(bits, number, fmin)
HEDDLE_NUMBERS(32, float)
HEDDLE_NUMBERS(64, double)

HEDDLE_SHIM void __tsan_atomic_thread_fence(int order) {
  if (current_thread() != nullptr) primitives::atomic_fence(order, HEDDLE_HERE);
  else __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

HEDDLE_SHIM void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
