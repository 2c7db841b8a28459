// Sorting: the elements are read and moved by the C library; what else a comparison reads is the program's own affair.
#include <stdlib.h>

#include "intercept/library_access.h"

HEDDLE_LIBRARY_FUNCTION(void, qsort, (void* base, size_t count, size_t size, int (*compare)(const void*, const void*)),
                        (base, count, size, compare), (reads(base, HEDDLE_BYTES(count * size)), writes(base, HEDDLE_BYTES(count * size))))
HEDDLE_LIBRARY_FUNCTION(void, qsort_r, (void* base, size_t count, size_t size, int (*compare)(const void*, const void*, void*), void* more),
                        (base, count, size, compare, more),
                        (reads(base, HEDDLE_BYTES(count * size)), writes(base, HEDDLE_BYTES(count * size))))
