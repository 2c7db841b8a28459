/* Included by gcc, and by clang before 16, in front of every source of a target (the wrappers, heddle_instrument): what memcpy, memmove and memset access
   gcc's -fsanitize=thread announces only where it makes a load and a store of them, and that clang not at all. So they are calls of
   __tsan_memcpy and its kin, as clang has made them since 16. */
#ifndef HEDDLE_DETAIL_MEMORY_CALLS_H_
#define HEDDLE_DETAIL_MEMORY_CALLS_H_
#if !defined(__ASSEMBLER__) && (!defined(__clang__) || __clang_major__ < 16)
#pragma GCC system_header

#ifdef __cplusplus
extern "C" {
#if __cplusplus >= 201103L
#define HEDDLE_NOTHROW noexcept
#else
#define HEDDLE_NOTHROW throw()
#endif
#else
#define HEDDLE_NOTHROW
#endif

void* __tsan_memcpy(void* to, const void* from, __SIZE_TYPE__ size) HEDDLE_NOTHROW;
void* __tsan_memmove(void* to, const void* from, __SIZE_TYPE__ size) HEDDLE_NOTHROW;
void* __tsan_memset(void* to, int value, __SIZE_TYPE__ size) HEDDLE_NOTHROW;

/* The names of the built-in functions, too. */
void* memcpy(void* to, const void* from, __SIZE_TYPE__ size) HEDDLE_NOTHROW __asm__("__tsan_memcpy");
void* memmove(void* to, const void* from, __SIZE_TYPE__ size) HEDDLE_NOTHROW __asm__("__tsan_memmove");
void* memset(void* to, int value, __SIZE_TYPE__ size) HEDDLE_NOTHROW __asm__("__tsan_memset");

/* Other constant sizes would gcc move in place, unannounced. Fortified, these have bodies of the C library's. */
#if !defined(__clang__) && (!defined(_FORTIFY_SOURCE) || _FORTIFY_SOURCE == 0)
#define HEDDLE_MEMORY extern __inline__ __attribute__((__always_inline__, __gnu_inline__, __artificial__))
#define HEDDLE_ONE_MOVE(size) (__builtin_constant_p(size) && ((size) == 1 || (size) == 2 || (size) == 4 || (size) == 8 || (size) == 16))
HEDDLE_MEMORY void* memcpy(void* to, const void* from, __SIZE_TYPE__ size) HEDDLE_NOTHROW {
  return HEDDLE_ONE_MOVE(size) ? __builtin_memcpy(to, from, size) : __tsan_memcpy(to, from, size);
}
HEDDLE_MEMORY void* memmove(void* to, const void* from, __SIZE_TYPE__ size) HEDDLE_NOTHROW {
  return HEDDLE_ONE_MOVE(size) ? __builtin_memmove(to, from, size) : __tsan_memmove(to, from, size);
}
HEDDLE_MEMORY void* memset(void* to, int value, __SIZE_TYPE__ size) HEDDLE_NOTHROW {
  return __tsan_memset(to, value, size);
}
#undef HEDDLE_MEMORY
#undef HEDDLE_ONE_MOVE
#endif
#undef HEDDLE_NOTHROW

#ifdef __cplusplus
}
#endif
#endif
#endif
