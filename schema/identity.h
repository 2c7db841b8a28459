// Identities that are equal in another run, in another process with ASLR, and after an unrelated edit of the source.
//
//   thread   its lineage: the path of child numbers from the main thread, packed so that it can be
//            read back ("main", "main.0", "main.0.3")
//   site     hash of (mangled function name, offset within it)
//   context  running hash of the last few call sites above the site
//   object   hash of the object's origin (global symbol, stack slot, or first use)
//
// Pure functions without allocation, because the runtime calls them on its hot path.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle {

using ThreadId = uint64_t;
using SiteId = uint64_t;
using ObjectId = uint64_t;

inline constexpr ThreadId kAnyThread = 0;
inline constexpr SiteId kNoSite = 0;
inline constexpr ObjectId kAnyObject = 0;

// One mixing step, good enough for tables and decisions (64x64->128 multiply, folded).
constexpr uint64_t mix(uint64_t a, uint64_t b) {
  const unsigned __int128 p = static_cast<unsigned __int128>(a ^ 0x9E3779B97F4A7C15ull) *
                              (b ^ 0xD6E8FEB86659FD93ull);
  uint64_t h = static_cast<uint64_t>(p) ^ static_cast<uint64_t>(p >> 64);
  h ^= h >> 29;
  return h * 0xBF58476D1CE4E5B9ull ^ (h >> 32);
}

// Lineages. The packed form is a sequence of child numbers in 7-bit groups (high bit: more groups follow), below a leading 1 bit that marks
// the length: main is 1. A path that does not fit into 62 bits becomes a hash with the top bit set. The hash can be compared, but not read
// back.
inline constexpr ThreadId kMainThread = 1;
inline constexpr ThreadId kHashedLineage = 1ull << 63;

constexpr ThreadId child_thread(ThreadId parent, uint32_t n) {
  if ((parent & kHashedLineage) == 0) {
    ThreadId id = parent;
    uint32_t groups = 1;
    for (uint32_t v = n >> 7; v != 0; v >>= 7) ++groups;
    bool fits = true;
    for (uint32_t g = groups; g-- > 0;) {
      if (id >> 54) { fits = false; break; }
      id = id << 8 | (g > 0 ? 0x80 : 0) | ((n >> (7 * g)) & 0x7F);
    }
    if (fits) return id;
  }
  return mix(parent, n + 1ull) | kHashedLineage;
}

// "main.0.3", or "#<16 hex digits>" for a hashed lineage and for values that are no lineage.
std::string thread_name(ThreadId id);
// The inverse. 0 if the text is no thread name.
ThreadId thread_by_name(std::string_view name);

}  // namespace heddle
