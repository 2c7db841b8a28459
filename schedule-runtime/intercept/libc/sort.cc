// Sorting and searching. The C library reads and moves the elements. What the comparison function reads is seen in the program's own code.
#include <search.h>
#include <stdlib.h>

#include "intercept/library_access.h"

HEDDLE_LIBRARY_FUNCTION(void, qsort, (void* base, size_t count, size_t size, int (*compare)(const void*, const void*)),
                        (base, count, size, compare), (reads(base, HEDDLE_BYTES(count * size)), writes(base, HEDDLE_BYTES(count * size))))
HEDDLE_LIBRARY_FUNCTION(void, qsort_r, (void* base, size_t count, size_t size, int (*compare)(const void*, const void*, void*), void* more),
                        (base, count, size, compare, more),
                        (reads(base, HEDDLE_BYTES(count * size)), writes(base, HEDDLE_BYTES(count * size))))

// Trees. The C library allocates the nodes, so the root represents them.
#define HEDDLE_TREE(name, Root, access) \
  HEDDLE_LIBRARY_FUNCTION(void*, name, (const void* key, Root root, __compar_fn_t compare), (key, root, compare), (reads(root), access))
HEDDLE_TREE(tsearch, void**, writes(root))
HEDDLE_TREE(tdelete, void**, writes(root))
HEDDLE_TREE(tfind, void* const*, static_cast<void>(0))
