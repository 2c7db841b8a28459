// Functions of <math.h> that write part of their result to memory.
#include <math.h>

#include "intercept/library_access.h"

#define HEDDLE_PART(result, name, parameters, arguments) HEDDLE_LIBRARY_FUNCTION(result, name, parameters, arguments, writes(part))
#define HEDDLE_PARTS(name, T)                                                                                                  \
  HEDDLE_PART(T, frexp##name, (T x, int* part), (x, part))                                                                     \
  HEDDLE_PART(T, modf##name, (T x, T* part), (x, part))                                                                        \
  HEDDLE_PART(T, remquo##name, (T x, T y, int* part), (x, y, part))                                                            \
  HEDDLE_PART(T, lgamma##name##_r, (T x, int* part), (x, part))                                                                \
  HEDDLE_LIBRARY_FUNCTION(void, sincos##name, (T x, T * sine, T * cosine), (x, sine, cosine), (writes(sine), writes(cosine)))
HEDDLE_PARTS(, double)
HEDDLE_PARTS(f, float)
HEDDLE_PARTS(l, long double)
