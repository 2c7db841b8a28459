/* Makes the accesses of memcpy, memmove and memset visible, for gcc and for clang before 16. The wrappers and heddle_instrument include it in front of
   every source of a target. With -fsanitize=thread, gcc reports these accesses only if it turns the call into a load and a store; these versions of
   clang never do. So the calls become calls of __tsan_memcpy and so on, as in clang since 16. */
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

/* Also for the names of the built-in functions. */
void* memcpy(void* to, const void* from, __SIZE_TYPE__ size) HEDDLE_NOTHROW __asm__("__tsan_memcpy");
void* memmove(void* to, const void* from, __SIZE_TYPE__ size) HEDDLE_NOTHROW __asm__("__tsan_memmove");
void* memset(void* to, int value, __SIZE_TYPE__ size) HEDDLE_NOTHROW __asm__("__tsan_memset");

/* gcc would move other constant sizes in place, unreported. With _FORTIFY_SOURCE, these functions have bodies from the C library. */
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
