// Large parts of the program's variables. An execution writes only few of their pages. The kernel knows which pages were written, and only
// these are compared when the variables are restored (restore/initial_state.h).
//
// The contents of such a part are in a memory file that is mapped privately over the part. A page belongs to the file until it is written, and
// /proc/self/pagemap shows which pages do. So reading costs nothing. A page that each execution writes is copied only once: giving all pages back
// each time would cost a page fault for each, as much as comparing 8 to 25 pages. Only pages that did not change in many comparisons go back to the
// file.
//
// Not used with AddressSanitizer, whose leak detection must see all memory. Not used if something fails or is unusual (protected or shared
// memory, no /proc, a limit on files). Then the part is compared as a whole, like all other data.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt::large_data {

inline constexpr size_t kPage = 4096;
inline constexpr size_t kLeast = 512 << 10;  // for less, asking the kernel costs about as much as comparing

struct Part {
  unsigned char* begin = nullptr;
  size_t size = 0;
};

// Makes `live` equal to `saved`. Returns how many bytes were written.
using PutBack = size_t (*)(unsigned char* live, const unsigned char* saved, size_t size);

// Saves the contents of a large range. Returns the part (whole pages) that restore() restores. Empty if the range is not large. REQUIRES:
// no thread writes there during the call.
Part take(unsigned char* begin, size_t size);

// Whether there is any such part.
bool any();

// Restores everything, one or more pages at a time. Returns how many bytes were written.
size_t restore(PutBack put_back);

// The program has put another mapping there. From now on the whole part is compared.
void mapped_over(uintptr_t begin, uintptr_t end);

// For tests: how many pages the last restore() compared.
size_t compared_pages();

}  // namespace heddle::rt::large_data
