/* Makes atomic operations visible that clang's -fsanitize=thread passes over: maximum and minimum, and addition of floating-point numbers. clang turns
   them into a loop of machine instructions, and tells nobody. assembly_atomics.h includes this file, so it stands in front of every source of a target.
   Here the built-in functions become calls of heddle, by the type of the object. For all other types they stay what they are. So std::atomic of libc++
   is covered, too: it uses the same built-in functions. libstdc++ makes loops of visible operations itself.

   Not covered are ++ and -- of an _Atomic double in C, OpenMP's atomic constructs, and floating-point numbers of 16 bits. heddle notes such
   instructions when the program starts. */
#ifndef HEDDLE_DETAIL_ATOMIC_CALLS_H_
#define HEDDLE_DETAIL_ATOMIC_CALLS_H_
#if defined(__clang__) && defined(__LP64__) && !defined(__ASSEMBLER__)
#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#endif

/* heddle_detail_old_max_int(object, operand, order) is heddle's function, and gives the old value; heddle_detail_new_max_int gives the new one. */
#define HEDDLE_DETAIL_ATOMIC(type, suffix, bits, name, of_heddle, result)                                                                \
  __extension__ type heddle_detail_old_##name##_##suffix(volatile void*, type, int) __asm__("__tsan_atomic" #bits "_fetch_" #of_heddle); \
  __extension__ static __inline__ __attribute__((always_inline, nodebug, unused)) type heddle_detail_new_##name##_##suffix(              \
      volatile void* object, type operand, int order) {                                                                                  \
    const type old = heddle_detail_old_##name##_##suffix(object, operand, order);                                                        \
    return result;                                                                                                                       \
  }
#define HEDDLE_DETAIL_EXTREMES(type, suffix, bits, of_heddle_max, of_heddle_min)                    \
  HEDDLE_DETAIL_ATOMIC(type, suffix, bits, max, of_heddle_max, old < operand ? operand : old)       \
  HEDDLE_DETAIL_ATOMIC(type, suffix, bits, min, of_heddle_min, operand < old ? operand : old)
#define HEDDLE_DETAIL_FLOATING(type, bits)                                                          \
  HEDDLE_DETAIL_ATOMIC(type, type, bits, add, fadd, old + operand)                                  \
  HEDDLE_DETAIL_ATOMIC(type, type, bits, sub, fsub, old - operand)                                  \
  HEDDLE_DETAIL_ATOMIC(type, type, bits, max, fmax, operand > old || old != old ? operand : old)    \
  HEDDLE_DETAIL_ATOMIC(type, type, bits, min, fmin, operand < old || old != old ? operand : old)

HEDDLE_DETAIL_EXTREMES(signed char, schar, 8, max, min)
HEDDLE_DETAIL_EXTREMES(unsigned char, uchar, 8, umax, umin)
HEDDLE_DETAIL_EXTREMES(short, short, 16, max, min)
HEDDLE_DETAIL_EXTREMES(unsigned short, ushort, 16, umax, umin)
HEDDLE_DETAIL_EXTREMES(int, int, 32, max, min)
HEDDLE_DETAIL_EXTREMES(unsigned int, uint, 32, umax, umin)
HEDDLE_DETAIL_EXTREMES(long, long, 64, max, min)
HEDDLE_DETAIL_EXTREMES(unsigned long, ulong, 64, umax, umin)
HEDDLE_DETAIL_EXTREMES(long long, llong, 64, max, min)
HEDDLE_DETAIL_EXTREMES(unsigned long long, ullong, 64, umax, umin)
HEDDLE_DETAIL_EXTREMES(__int128, int128, 128, max, min)
HEDDLE_DETAIL_EXTREMES(unsigned __int128, uint128, 128, umax, umin)
HEDDLE_DETAIL_FLOATING(float, 32)
HEDDLE_DETAIL_FLOATING(double, 64)

#undef HEDDLE_DETAIL_ATOMIC
#undef HEDDLE_DETAIL_EXTREMES
#undef HEDDLE_DETAIL_FLOATING
#ifdef __cplusplus
}
#endif

/* Of the types only one is evaluated; the others must only compile. */
#define HEDDLE_DETAIL_TYPE(type, suffix, which, p, v, o) type: (type)heddle_detail_##which##_##suffix((volatile void*)(p), (type)(v), o)
#ifdef __CHAR_UNSIGNED__
#define HEDDLE_DETAIL_CHAR(which, p, v, o) char: (char)heddle_detail_##which##_uchar((volatile void*)(p), (unsigned char)(v), o)
#else
#define HEDDLE_DETAIL_CHAR(which, p, v, o) char: (char)heddle_detail_##which##_schar((volatile void*)(p), (signed char)(v), o)
#endif
#define HEDDLE_DETAIL_EXTREME(which, p, v, o)                                                                \
  __extension__ _Generic(*(p), HEDDLE_DETAIL_CHAR(which, p, v, o),                                           \
    HEDDLE_DETAIL_TYPE(signed char, schar, which, p, v, o), HEDDLE_DETAIL_TYPE(unsigned char, uchar, which, p, v, o), \
    HEDDLE_DETAIL_TYPE(short, short, which, p, v, o), HEDDLE_DETAIL_TYPE(unsigned short, ushort, which, p, v, o), \
    HEDDLE_DETAIL_TYPE(int, int, which, p, v, o), HEDDLE_DETAIL_TYPE(unsigned int, uint, which, p, v, o), \
    HEDDLE_DETAIL_TYPE(long, long, which, p, v, o), HEDDLE_DETAIL_TYPE(unsigned long, ulong, which, p, v, o), \
    HEDDLE_DETAIL_TYPE(long long, llong, which, p, v, o), HEDDLE_DETAIL_TYPE(unsigned long long, ullong, which, p, v, o), \
    HEDDLE_DETAIL_TYPE(__int128, int128, which, p, v, o), HEDDLE_DETAIL_TYPE(unsigned __int128, uint128, which, p, v, o), \
    HEDDLE_DETAIL_TYPE(float, float, which, p, v, o), HEDDLE_DETAIL_TYPE(double, double, which, p, v, o))
#define HEDDLE_DETAIL_SUM(which, p, v, o, built_in)                                                                                        \
  __extension__ _Generic(*(p), HEDDLE_DETAIL_TYPE(float, float, which, p, v, o), HEDDLE_DETAIL_TYPE(double, double, which, p, v, o), \
                         default: built_in)

/* By the number of arguments: a call in which the preprocessor sees more, since one is a template or an initialiser with a comma, stays what it is. */
#define HEDDLE_DETAIL_TENTH(a, b, c, d, e, f, g, h, i, name, ...) name
#define HEDDLE_DETAIL_OF_TWO(two, other, ...) HEDDLE_DETAIL_TENTH(__VA_ARGS__, other, other, other, other, other, other, other, two, other, other)(__VA_ARGS__)
#define HEDDLE_DETAIL_OF_THREE(three, other, ...) HEDDLE_DETAIL_TENTH(__VA_ARGS__, other, other, other, other, other, other, three, other, other, other)(__VA_ARGS__)
#define HEDDLE_DETAIL_OF_FOUR(four, other, ...) HEDDLE_DETAIL_TENTH(__VA_ARGS__, other, other, other, other, other, four, other, other, other, other)(__VA_ARGS__)

#define HEDDLE_DETAIL_atomic_fetch_max(p, v, o) HEDDLE_DETAIL_EXTREME(old_max, p, v, o)
#define HEDDLE_DETAIL_atomic_fetch_max_other(...) __atomic_fetch_max(__VA_ARGS__)
#define __atomic_fetch_max(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_atomic_fetch_max, HEDDLE_DETAIL_atomic_fetch_max_other, __VA_ARGS__)
#define HEDDLE_DETAIL_atomic_max_fetch(p, v, o) HEDDLE_DETAIL_EXTREME(new_max, p, v, o)
#define HEDDLE_DETAIL_atomic_max_fetch_other(...) __atomic_max_fetch(__VA_ARGS__)
#define __atomic_max_fetch(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_atomic_max_fetch, HEDDLE_DETAIL_atomic_max_fetch_other, __VA_ARGS__)
#define HEDDLE_DETAIL_atomic_fetch_min(p, v, o) HEDDLE_DETAIL_EXTREME(old_min, p, v, o)
#define HEDDLE_DETAIL_atomic_fetch_min_other(...) __atomic_fetch_min(__VA_ARGS__)
#define __atomic_fetch_min(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_atomic_fetch_min, HEDDLE_DETAIL_atomic_fetch_min_other, __VA_ARGS__)
#define HEDDLE_DETAIL_atomic_min_fetch(p, v, o) HEDDLE_DETAIL_EXTREME(new_min, p, v, o)
#define HEDDLE_DETAIL_atomic_min_fetch_other(...) __atomic_min_fetch(__VA_ARGS__)
#define __atomic_min_fetch(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_atomic_min_fetch, HEDDLE_DETAIL_atomic_min_fetch_other, __VA_ARGS__)
#define HEDDLE_DETAIL_atomic_fetch_add(p, v, o) HEDDLE_DETAIL_SUM(old_add, p, v, o, __atomic_fetch_add(p, v, o))
#define HEDDLE_DETAIL_atomic_fetch_add_other(...) __atomic_fetch_add(__VA_ARGS__)
#define __atomic_fetch_add(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_atomic_fetch_add, HEDDLE_DETAIL_atomic_fetch_add_other, __VA_ARGS__)
#define HEDDLE_DETAIL_atomic_add_fetch(p, v, o) HEDDLE_DETAIL_SUM(new_add, p, v, o, __atomic_add_fetch(p, v, o))
#define HEDDLE_DETAIL_atomic_add_fetch_other(...) __atomic_add_fetch(__VA_ARGS__)
#define __atomic_add_fetch(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_atomic_add_fetch, HEDDLE_DETAIL_atomic_add_fetch_other, __VA_ARGS__)
#define HEDDLE_DETAIL_atomic_fetch_sub(p, v, o) HEDDLE_DETAIL_SUM(old_sub, p, v, o, __atomic_fetch_sub(p, v, o))
#define HEDDLE_DETAIL_atomic_fetch_sub_other(...) __atomic_fetch_sub(__VA_ARGS__)
#define __atomic_fetch_sub(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_atomic_fetch_sub, HEDDLE_DETAIL_atomic_fetch_sub_other, __VA_ARGS__)
#define HEDDLE_DETAIL_atomic_sub_fetch(p, v, o) HEDDLE_DETAIL_SUM(new_sub, p, v, o, __atomic_sub_fetch(p, v, o))
#define HEDDLE_DETAIL_atomic_sub_fetch_other(...) __atomic_sub_fetch(__VA_ARGS__)
#define __atomic_sub_fetch(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_atomic_sub_fetch, HEDDLE_DETAIL_atomic_sub_fetch_other, __VA_ARGS__)
#define HEDDLE_DETAIL_c11_atomic_fetch_max(p, v, o) HEDDLE_DETAIL_EXTREME(old_max, p, v, o)
#define HEDDLE_DETAIL_c11_atomic_fetch_max_other(...) __c11_atomic_fetch_max(__VA_ARGS__)
#define __c11_atomic_fetch_max(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_c11_atomic_fetch_max, HEDDLE_DETAIL_c11_atomic_fetch_max_other, __VA_ARGS__)
#define HEDDLE_DETAIL_c11_atomic_fetch_min(p, v, o) HEDDLE_DETAIL_EXTREME(old_min, p, v, o)
#define HEDDLE_DETAIL_c11_atomic_fetch_min_other(...) __c11_atomic_fetch_min(__VA_ARGS__)
#define __c11_atomic_fetch_min(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_c11_atomic_fetch_min, HEDDLE_DETAIL_c11_atomic_fetch_min_other, __VA_ARGS__)
#define HEDDLE_DETAIL_c11_atomic_fetch_add(p, v, o) HEDDLE_DETAIL_SUM(old_add, p, v, o, __c11_atomic_fetch_add(p, v, o))
#define HEDDLE_DETAIL_c11_atomic_fetch_add_other(...) __c11_atomic_fetch_add(__VA_ARGS__)
#define __c11_atomic_fetch_add(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_c11_atomic_fetch_add, HEDDLE_DETAIL_c11_atomic_fetch_add_other, __VA_ARGS__)
#define HEDDLE_DETAIL_c11_atomic_fetch_sub(p, v, o) HEDDLE_DETAIL_SUM(old_sub, p, v, o, __c11_atomic_fetch_sub(p, v, o))
#define HEDDLE_DETAIL_c11_atomic_fetch_sub_other(...) __c11_atomic_fetch_sub(__VA_ARGS__)
#define __c11_atomic_fetch_sub(...) HEDDLE_DETAIL_OF_THREE(HEDDLE_DETAIL_c11_atomic_fetch_sub, HEDDLE_DETAIL_c11_atomic_fetch_sub_other, __VA_ARGS__)
#define HEDDLE_DETAIL_scoped_atomic_fetch_max(p, v, o, scope) HEDDLE_DETAIL_EXTREME(old_max, p, v, o)
#define HEDDLE_DETAIL_scoped_atomic_fetch_max_other(...) __scoped_atomic_fetch_max(__VA_ARGS__)
#define __scoped_atomic_fetch_max(...) HEDDLE_DETAIL_OF_FOUR(HEDDLE_DETAIL_scoped_atomic_fetch_max, HEDDLE_DETAIL_scoped_atomic_fetch_max_other, __VA_ARGS__)
#define HEDDLE_DETAIL_scoped_atomic_max_fetch(p, v, o, scope) HEDDLE_DETAIL_EXTREME(new_max, p, v, o)
#define HEDDLE_DETAIL_scoped_atomic_max_fetch_other(...) __scoped_atomic_max_fetch(__VA_ARGS__)
#define __scoped_atomic_max_fetch(...) HEDDLE_DETAIL_OF_FOUR(HEDDLE_DETAIL_scoped_atomic_max_fetch, HEDDLE_DETAIL_scoped_atomic_max_fetch_other, __VA_ARGS__)
#define HEDDLE_DETAIL_scoped_atomic_fetch_min(p, v, o, scope) HEDDLE_DETAIL_EXTREME(old_min, p, v, o)
#define HEDDLE_DETAIL_scoped_atomic_fetch_min_other(...) __scoped_atomic_fetch_min(__VA_ARGS__)
#define __scoped_atomic_fetch_min(...) HEDDLE_DETAIL_OF_FOUR(HEDDLE_DETAIL_scoped_atomic_fetch_min, HEDDLE_DETAIL_scoped_atomic_fetch_min_other, __VA_ARGS__)
#define HEDDLE_DETAIL_scoped_atomic_min_fetch(p, v, o, scope) HEDDLE_DETAIL_EXTREME(new_min, p, v, o)
#define HEDDLE_DETAIL_scoped_atomic_min_fetch_other(...) __scoped_atomic_min_fetch(__VA_ARGS__)
#define __scoped_atomic_min_fetch(...) HEDDLE_DETAIL_OF_FOUR(HEDDLE_DETAIL_scoped_atomic_min_fetch, HEDDLE_DETAIL_scoped_atomic_min_fetch_other, __VA_ARGS__)
#define HEDDLE_DETAIL_scoped_atomic_fetch_add(p, v, o, scope) HEDDLE_DETAIL_SUM(old_add, p, v, o, __scoped_atomic_fetch_add(p, v, o, scope))
#define HEDDLE_DETAIL_scoped_atomic_fetch_add_other(...) __scoped_atomic_fetch_add(__VA_ARGS__)
#define __scoped_atomic_fetch_add(...) HEDDLE_DETAIL_OF_FOUR(HEDDLE_DETAIL_scoped_atomic_fetch_add, HEDDLE_DETAIL_scoped_atomic_fetch_add_other, __VA_ARGS__)
#define HEDDLE_DETAIL_scoped_atomic_add_fetch(p, v, o, scope) HEDDLE_DETAIL_SUM(new_add, p, v, o, __scoped_atomic_add_fetch(p, v, o, scope))
#define HEDDLE_DETAIL_scoped_atomic_add_fetch_other(...) __scoped_atomic_add_fetch(__VA_ARGS__)
#define __scoped_atomic_add_fetch(...) HEDDLE_DETAIL_OF_FOUR(HEDDLE_DETAIL_scoped_atomic_add_fetch, HEDDLE_DETAIL_scoped_atomic_add_fetch_other, __VA_ARGS__)
#define HEDDLE_DETAIL_scoped_atomic_fetch_sub(p, v, o, scope) HEDDLE_DETAIL_SUM(old_sub, p, v, o, __scoped_atomic_fetch_sub(p, v, o, scope))
#define HEDDLE_DETAIL_scoped_atomic_fetch_sub_other(...) __scoped_atomic_fetch_sub(__VA_ARGS__)
#define __scoped_atomic_fetch_sub(...) HEDDLE_DETAIL_OF_FOUR(HEDDLE_DETAIL_scoped_atomic_fetch_sub, HEDDLE_DETAIL_scoped_atomic_fetch_sub_other, __VA_ARGS__)
#define HEDDLE_DETAIL_scoped_atomic_sub_fetch(p, v, o, scope) HEDDLE_DETAIL_SUM(new_sub, p, v, o, __scoped_atomic_sub_fetch(p, v, o, scope))
#define HEDDLE_DETAIL_scoped_atomic_sub_fetch_other(...) __scoped_atomic_sub_fetch(__VA_ARGS__)
#define __scoped_atomic_sub_fetch(...) HEDDLE_DETAIL_OF_FOUR(HEDDLE_DETAIL_scoped_atomic_sub_fetch, HEDDLE_DETAIL_scoped_atomic_sub_fetch_other, __VA_ARGS__)
#define HEDDLE_DETAIL_sync_fetch_and_max(p, v) HEDDLE_DETAIL_EXTREME(old_max, p, v, 5)
#define HEDDLE_DETAIL_sync_fetch_and_max_other(...) __sync_fetch_and_max(__VA_ARGS__)
#define __sync_fetch_and_max(...) HEDDLE_DETAIL_OF_TWO(HEDDLE_DETAIL_sync_fetch_and_max, HEDDLE_DETAIL_sync_fetch_and_max_other, __VA_ARGS__)
#define HEDDLE_DETAIL_sync_fetch_and_min(p, v) HEDDLE_DETAIL_EXTREME(old_min, p, v, 5)
#define HEDDLE_DETAIL_sync_fetch_and_min_other(...) __sync_fetch_and_min(__VA_ARGS__)
#define __sync_fetch_and_min(...) HEDDLE_DETAIL_OF_TWO(HEDDLE_DETAIL_sync_fetch_and_min, HEDDLE_DETAIL_sync_fetch_and_min_other, __VA_ARGS__)
#define HEDDLE_DETAIL_sync_fetch_and_umax(p, v) HEDDLE_DETAIL_EXTREME(old_max, p, v, 5)
#define HEDDLE_DETAIL_sync_fetch_and_umax_other(...) __sync_fetch_and_umax(__VA_ARGS__)
#define __sync_fetch_and_umax(...) HEDDLE_DETAIL_OF_TWO(HEDDLE_DETAIL_sync_fetch_and_umax, HEDDLE_DETAIL_sync_fetch_and_umax_other, __VA_ARGS__)
#define HEDDLE_DETAIL_sync_fetch_and_umin(p, v) HEDDLE_DETAIL_EXTREME(old_min, p, v, 5)
#define HEDDLE_DETAIL_sync_fetch_and_umin_other(...) __sync_fetch_and_umin(__VA_ARGS__)
#define __sync_fetch_and_umin(...) HEDDLE_DETAIL_OF_TWO(HEDDLE_DETAIL_sync_fetch_and_umin, HEDDLE_DETAIL_sync_fetch_and_umin_other, __VA_ARGS__)

#endif
#endif
