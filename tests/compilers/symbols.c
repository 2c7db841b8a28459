/* Every kind of access and atomic that a compiler announces with -fsanitize=thread. Only compiled: what it refers to is what heddle must define. */
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 uint128;
typedef uint64_t pair_of_words __attribute__((vector_size(16)));
struct __attribute__((packed)) Packed {
  uint8_t first;
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  uint128 sixteen;
  volatile uint16_t volatile_two;
  volatile uint32_t volatile_four;
  volatile uint64_t volatile_eight;
  volatile uint128 volatile_sixteen;
};
struct Bits {
  uint32_t low : 3, high : 29;
};
struct Large {
  uint64_t words[40];
};

#define ACCESSES(type, name)                                         \
  type read_##name(type *p) { return *p; }                           \
  void write_##name(type *p, type v) { *p = v; }                     \
  void change_##name(type *p) { *p += 3; }                           \
  type read_volatile_##name(volatile type *p) { return *p; }         \
  void write_volatile_##name(volatile type *p, type v) { *p = v; }   \
  void change_volatile_##name(volatile type *p) { *p += 3; }
ACCESSES(uint8_t, byte)
ACCESSES(uint16_t, two)
ACCESSES(uint32_t, four)
ACCESSES(uint64_t, eight)
ACCESSES(uint128, sixteen)
ACCESSES(pair_of_words, vector)
ACCESSES(double, number)
ACCESSES(long double, long_number)

#define UNALIGNED(type, name)                                             \
  type read_unaligned_##name(struct Packed *p) { return p->name; }        \
  void write_unaligned_##name(struct Packed *p, type v) { p->name = v; }  \
  void change_unaligned_##name(struct Packed *p) { p->name += 3; }
UNALIGNED(uint8_t, first)
UNALIGNED(uint16_t, two)
UNALIGNED(uint32_t, four)
UNALIGNED(uint64_t, eight)
UNALIGNED(uint128, sixteen)
UNALIGNED(uint16_t, volatile_two)
UNALIGNED(uint32_t, volatile_four)
UNALIGNED(uint64_t, volatile_eight)
UNALIGNED(uint128, volatile_sixteen)

uint32_t read_bits(struct Bits *b) { return b->high; }
void write_bits(struct Bits *b, uint32_t v) { b->low = v; }
void copy_structure(struct Large *to, struct Large *from) { *to = *from; }
void clear_structure(struct Large *to) { *to = (struct Large){{0}}; }
struct Large return_structure(struct Large *from) { return *from; }
void copy(void *to, const void *from, size_t n) { memcpy(to, from, n); }
void move(void *to, const void *from, size_t n) { memmove(to, from, n); }
void fill(void *to, int value, size_t n) { memset(to, value, n); }
uint64_t sum(uint64_t *from, size_t n) {
  uint64_t total = 0;
  for (size_t i = 0; i < n; ++i) total += from[i];
  return total;
}

#define RMW(type, name, order, ORDER)                                                                            \
  type name##_exchange_##order(type *a, type v) { return __atomic_exchange_n(a, v, __ATOMIC_##ORDER); }          \
  type name##_add_##order(type *a, type v) { return __atomic_fetch_add(a, v, __ATOMIC_##ORDER); }                \
  type name##_sub_##order(type *a, type v) { return __atomic_fetch_sub(a, v, __ATOMIC_##ORDER); }                \
  type name##_and_##order(type *a, type v) { return __atomic_fetch_and(a, v, __ATOMIC_##ORDER); }                \
  type name##_or_##order(type *a, type v) { return __atomic_fetch_or(a, v, __ATOMIC_##ORDER); }                  \
  type name##_xor_##order(type *a, type v) { return __atomic_fetch_xor(a, v, __ATOMIC_##ORDER); }                \
  type name##_nand_##order(type *a, type v) { return __atomic_fetch_nand(a, v, __ATOMIC_##ORDER); }              \
  type name##_add_fetch_##order(type *a, type v) { return __atomic_add_fetch(a, v, __ATOMIC_##ORDER); }          \
  int name##_strong_##order(type *a, type *e, type v) {                                                          \
    return __atomic_compare_exchange_n(a, e, v, 0, __ATOMIC_##ORDER, __ATOMIC_RELAXED);                          \
  }                                                                                                              \
  int name##_weak_##order(type *a, type *e, type v) {                                                            \
    return __atomic_compare_exchange_n(a, e, v, 1, __ATOMIC_##ORDER, __ATOMIC_ACQUIRE);                          \
  }
#define ATOMICS(type, name)                                                                              \
  type name##_load_relaxed(type *a) { return __atomic_load_n(a, __ATOMIC_RELAXED); }                     \
  type name##_load_consume(type *a) { return __atomic_load_n(a, __ATOMIC_CONSUME); }                     \
  type name##_load_acquire(type *a) { return __atomic_load_n(a, __ATOMIC_ACQUIRE); }                     \
  type name##_load_seq_cst(type *a) { return __atomic_load_n(a, __ATOMIC_SEQ_CST); }                     \
  void name##_store_relaxed(type *a, type v) { __atomic_store_n(a, v, __ATOMIC_RELAXED); }               \
  void name##_store_release(type *a, type v) { __atomic_store_n(a, v, __ATOMIC_RELEASE); }               \
  void name##_store_seq_cst(type *a, type v) { __atomic_store_n(a, v, __ATOMIC_SEQ_CST); }               \
  type name##_old_style(type *a, type v) { return __sync_val_compare_and_swap(a, v, v + 1); }            \
  type name##_old_style_set(type *a, type v) { return __sync_lock_test_and_set(a, v); }                  \
  void name##_old_style_release(type *a) { __sync_lock_release(a); }                                     \
  RMW(type, name, relaxed, RELAXED)                                                                      \
  RMW(type, name, consume, CONSUME)                                                                      \
  RMW(type, name, acquire, ACQUIRE)                                                                      \
  RMW(type, name, release, RELEASE)                                                                      \
  RMW(type, name, acq_rel, ACQ_REL)                                                                      \
  RMW(type, name, seq_cst, SEQ_CST)
ATOMICS(uint8_t, a8)
ATOMICS(uint16_t, a16)
ATOMICS(uint32_t, a32)
ATOMICS(uint64_t, a64)
ATOMICS(uint128, a128)

void fences(void) {
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __sync_synchronize();
}

int branches(uint8_t a, uint16_t b, uint32_t c, uint64_t d, int (*call)(int)) {
  if (a == 7 || a > b) return 1;
  if (b == 700 || b > c) return 2;
  if (c == 70000 || c > d) return 3;
  if (d == 7000000000ull) return call(4);
  switch (c) {
    case 1: return 10;
    case 5: return 11;
    case 1000: return 12;
    case 70: return 13;
    default: return (int)(d / c) + (int)(d % (b + 1));
  }
}
