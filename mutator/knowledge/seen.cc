#include "mutator/knowledge/seen.h"

#include <bit>

namespace heddle::mutator {

uint64_t element_key(uint64_t key, const Element& e) {
  const uint64_t bucket = e.occurrence == 0 ? 0 : 1 + std::bit_width(e.occurrence - 1);
  key = mix(key, e.site);
  key = mix(key, e.thread);
  return mix(key, bucket << 32 | static_cast<uint64_t>(e.thread_var) << 16 |
                      static_cast<uint64_t>(e.chain) << 8 | static_cast<uint8_t>(e.kind));
}

uint64_t constraint_key(const Schedule& s) {
  if (s.elements.empty() && s.reads_from.empty() && s.delays.empty()) return 0;
  uint64_t key = 1;
  for (const Element& e : s.elements) key = element_key(key, e);
  for (const ReadsFrom& r : s.reads_from) {
    key = element_key(element_key(mix(key, r.negative), r.read), r.write);
  }
  for (const Delay& d : s.delays) key = element_key(element_key(key, d.what), d.until);
  return key | 1;
}

}  // namespace heddle::mutator
