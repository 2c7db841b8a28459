// Conversions from strings to numbers: what the C library reads.
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

#include "intercept/library_access.h"

// Up to and including the first character that is not part of the number. The position of that character is written.
#define HEDDLE_NUMBER_OF(C, result, name, parameters, arguments)                 \
  HEDDLE_LIBRARY_FUNCTION(result, name, parameters, arguments, {                 \
    writes(end);                                                                 \
    C* after = nullptr;                                                          \
    C** const end = &after;                                                      \
    reads(s, HEDDLE_BYTES((peek_##name arguments, after - s + 1) * sizeof(C)));  \
  })
#define HEDDLE_NUMBER(result, name, parameters, arguments) HEDDLE_NUMBER_OF(char, result, name, parameters, arguments)
HEDDLE_NUMBER(long, strtol, (const char* s, char** end, int base), (s, end, base))
HEDDLE_NUMBER(unsigned long, strtoul, (const char* s, char** end, int base), (s, end, base))
HEDDLE_NUMBER(long long, strtoll, (const char* s, char** end, int base), (s, end, base))
HEDDLE_NUMBER(unsigned long long, strtoull, (const char* s, char** end, int base), (s, end, base))
HEDDLE_NUMBER(intmax_t, strtoimax, (const char* s, char** end, int base), (s, end, base))
HEDDLE_NUMBER(uintmax_t, strtoumax, (const char* s, char** end, int base), (s, end, base))
HEDDLE_NUMBER(long double, strtold, (const char* s, char** end), (s, end))
HEDDLE_NUMBER(double, strtod, (const char* s, char** end), (s, end))
HEDDLE_NUMBER(float, strtof, (const char* s, char** end), (s, end))

#define HEDDLE_WIDE_INTEGER(result, name) \
  HEDDLE_NUMBER_OF(wchar_t, result, name, (const wchar_t* s, wchar_t** end, int base), (s, end, base))
HEDDLE_WIDE_INTEGER(long, wcstol)
HEDDLE_WIDE_INTEGER(unsigned long, wcstoul)
HEDDLE_WIDE_INTEGER(long long, wcstoll)
HEDDLE_WIDE_INTEGER(unsigned long long, wcstoull)
#define HEDDLE_WIDE_REAL(result, name) HEDDLE_NUMBER_OF(wchar_t, result, name, (const wchar_t* s, wchar_t** end), (s, end))
HEDDLE_WIDE_REAL(float, wcstof)
HEDDLE_WIDE_REAL(double, wcstod)
HEDDLE_WIDE_REAL(long double, wcstold)

// The names in newer C libraries.
HEDDLE_NUMBER(long, __isoc23_strtol, (const char* s, char** end, int base), (s, end, base))
HEDDLE_NUMBER(unsigned long, __isoc23_strtoul, (const char* s, char** end, int base), (s, end, base))
HEDDLE_NUMBER(long long, __isoc23_strtoll, (const char* s, char** end, int base), (s, end, base))
HEDDLE_NUMBER(unsigned long long, __isoc23_strtoull, (const char* s, char** end, int base), (s, end, base))
HEDDLE_NUMBER(intmax_t, __isoc23_strtoimax, (const char* s, char** end, int base), (s, end, base))
HEDDLE_NUMBER(uintmax_t, __isoc23_strtoumax, (const char* s, char** end, int base), (s, end, base))

#define HEDDLE_SHORT_NUMBER(result, name, same)                 \
  HEDDLE_LIBRARY_FUNCTION(result, name, (const char* s), (s), { \
    char* after = nullptr;                                      \
    reads(s, HEDDLE_BYTES((same, after - s + 1)));              \
  })
HEDDLE_SHORT_NUMBER(int, atoi, peek_strtol(s, &after, 10))
HEDDLE_SHORT_NUMBER(long, atol, peek_strtol(s, &after, 10))
HEDDLE_SHORT_NUMBER(long long, atoll, peek_strtoll(s, &after, 10))
HEDDLE_SHORT_NUMBER(double, atof, peek_strtod(s, &after))
