// A processor copies many bytes in many steps. Another thread may run in between, and find or leave half of the old bytes and half of the
// new ones. So a copy that the input makes visible has two parts, and a choice stands before each. Copies that are not visible stay whole.
#pragma once

#include <cstring>

#include "engine/engine.h"

namespace heddle::rt {

// The bytes of the first part of a copy; all of them if it has only one. In an execution, all copies of a size are divided in the same place.
// So two copies of one variable have the same parts, and their parts conflict with each other.
constexpr size_t first_part(size_t size, uint64_t seed) {
  constexpr size_t kWord = sizeof(uint64_t);
  constexpr uint64_t kPartSubject = 0x9A27;
  if (size <= kWord) return size;
  const uint64_t drawn = mix(seed, mix(kPartSubject, size));
  const uint64_t most = (size - 1) / kWord;
  // The first word is often a length or a version, and the last one a checksum.
  const uint64_t words = drawn % 4 == 0 ? 1 : drawn % 4 == 1 ? most : 1 + (drawn >> 2) % most;
  return words * kWord;
}
inline size_t first_part(size_t size) { return first_part(size, engine().schedule().seed); }

// Called in the place of the accesses of a copy. `access(done, write)` reports one access, of what is left of the source or of the destination
// when so many bytes have been copied, and says whether it was visible. `size()`: the bytes of the copy; asked after the accesses, because
// another thread may have changed them. How many bytes are copied then: the first part, or none if the copy stays whole. The rest is up to
// the caller.
template <typename Size, typename Access>
[[gnu::always_inline]] inline size_t begin_copy(void* to, const void* from, Size size, Access access) {
  const bool read = access(0, false), written = access(0, true);
  if (__builtin_expect(!read && !written, 1)) return 0;
  const size_t all = size(), first = first_part(all);
  // Where the source begins before its copy and overlaps with it, its end must be copied first. Such copies stay whole.
  const bool end_first = reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from) < all;
  if (first == all || end_first) return 0;
  memmove(to, from, first);
  if (read) access(first, false);
  if (written) access(first, true);
  return first;
}

}  // namespace heddle::rt
