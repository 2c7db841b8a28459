/* Included by gcc in front of every source of a target (heddle-gcc, heddle_instrument): its -fsanitize=thread announces what memcpy, memmove and memset
   access only where it makes a load and a store of them. So, as with clang, the rest are calls of __tsan_memcpy and its kin. */
#ifndef HEDDLE_DETAIL_GCC_MEMORY_H_
#define HEDDLE_DETAIL_GCC_MEMORY_H_
#ifndef __ASSEMBLER__
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

/* Other constant sizes would be moved in place, unannounced. Fortified, these have bodies of the C library's. */
#if !defined(_FORTIFY_SOURCE) || _FORTIFY_SOURCE == 0
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
