// Large parts of the program's variables, of which an execution mostly writes little: the kernel knows which pages it has written, and only those
// are compared when the variables are put back (restore/initial_state.h).
//
// What such a part holds is kept in a memory file, which is mapped over the part itself, privately: a page is the file's until it is written, and
// /proc/self/pagemap tells them apart. So reading costs nothing, and a page that each execution writes has been copied once and for all: to give all
// pages back each time would cost a page fault for each of them, which is as dear as comparing 8 to 25. Only pages that have been compared in vain
// for long go back to the file.
//
// Not with AddressSanitizer, which wants to be told what leads to leaks, and not where anything fails or is unusual about the part (protected or
// shared memory, no /proc, a limit on files): then it is compared as all the rest is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt::large_data {

inline constexpr size_t kPage = 4096;
inline constexpr size_t kLeast = 512 << 10;  // below, asking the kernel costs about as much as comparing

struct Part {
  unsigned char* begin = nullptr;
  size_t size = 0;
};

// Makes `live` what `saved` is and returns how many bytes had to be written.
using PutBack = size_t (*)(unsigned char* live, const unsigned char* saved, size_t size);

// Remembers what the range holds now, if it is large, and returns what of it is put back by restore(): whole pages; empty if it is not.
// REQUIRES: nobody writes there meanwhile.
Part take(unsigned char* begin, size_t size);

// Whether there is anything.
bool any();

// Puts everything back, a page or more at a time, and returns how many bytes had to be written.
size_t restore(PutBack put_back);

// The program has put another mapping there: all of the part is compared from now on.
void mapped_over(uintptr_t begin, uintptr_t end);

// For tests: how many pages the last restore() compared.
size_t compared_pages();

}  // namespace heddle::rt::large_data
