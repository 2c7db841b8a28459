// The parts of the C++ library's archive that its headers need for heddle's code, hidden in the combined object. So a target can be linked
// with either C++ library, no matter which one heddle was compiled with. heddle's strings and tables use no code that could be different in
// the program's library.
//
// Symbols that exist in both libraries with the same meaning are not replaced: exceptions (__cxa_*), std::terminate, std::bad_alloc.
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/check.h"

#define HEDDLE_OWN __attribute__((visibility("hidden")))

namespace {

// Each is about twice the one before. If more buckets are requested, the exact number is used: its remainders are good enough.
constexpr size_t kPrimes[] = {
    2,         5,         11,        23,         47,         97,         197,        397,       797,       1597,      3203,      6421,       12853,
    25717,     51437,     102877,    205759,     411527,     823117,     1646237,    3292489,   6584983,   13169977,  26339969,  52679969,   105359939,
    210719881, 421439783, 842879579, 1685759167, 3371518343, 6743036717,
};

size_t prime_from(size_t n) {
  for (const size_t prime : kPrimes) {
    if (prime >= n) return prime;
  }
  return n;
}

}  // namespace

#if defined(__GLIBCXX__)

namespace std {

// heddle's code never catches any of these.
HEDDLE_OWN void __throw_bad_alloc() { heddle::rt::fail("no memory"); }
HEDDLE_OWN void __throw_bad_array_new_length() { heddle::rt::fail("no memory: an array too long"); }
HEDDLE_OWN void __throw_logic_error(const char* what) { heddle::rt::fail(what); }
HEDDLE_OWN void __throw_length_error(const char* what) { heddle::rt::fail(what); }
HEDDLE_OWN void __throw_out_of_range(const char* what) { heddle::rt::fail(what); }
HEDDLE_OWN void __throw_out_of_range_fmt(const char* what, ...) { heddle::rt::fail(what); }
HEDDLE_OWN void __throw_invalid_argument(const char* what) { heddle::rt::fail(what); }
HEDDLE_OWN void __throw_bad_function_call() { heddle::rt::fail("an empty std::function was called"); }

namespace __detail {

// For the hashed containers: the number of buckets, and when it grows.
HEDDLE_OWN size_t _Prime_rehash_policy::_M_next_bkt(size_t n) const {
  const size_t buckets = prime_from(n);
  _M_next_resize = static_cast<size_t>(static_cast<double>(buckets) * _M_max_load_factor);
  return buckets;
}

HEDDLE_OWN pair<bool, size_t> _Prime_rehash_policy::_M_need_rehash(size_t buckets, size_t elements, size_t more) const {
  if (elements + more <= _M_next_resize) return {false, 0};
  constexpr size_t kFirst = 11;  // a table is empty, or has this many
  const size_t needed = _M_bkt_for_elements(elements + more < kFirst && _M_next_resize == 0 ? kFirst - 1 : elements + more) + 1;
  if (needed <= buckets) {
    _M_next_resize = static_cast<size_t>(static_cast<double>(buckets) * _M_max_load_factor);
    return {false, 0};
  }
  return {true, _M_next_bkt(needed > 2 * buckets ? needed : 2 * buckets)};
}

}  // namespace __detail
}  // namespace std

#endif
