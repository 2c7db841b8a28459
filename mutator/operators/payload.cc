// The data bytes of the harness, through the engine mutator if there is one.
#include <algorithm>

#include "mutator/byte_mutator.h"
#include "mutator/operators/chain.h"

namespace heddle::mutator {

bool payload(Context& c) {
  auto& bytes = c.schedule.payload;
  if (c.payload_room == 0) return false;
  const std::vector<uint8_t> before = bytes;
  if (c.byte_mutator) {
    const size_t size = bytes.size();
    const size_t room = std::min<size_t>(c.payload_room, size + 64);
    if (size > room) return false;
    bytes.resize(room);
    const size_t changed = c.byte_mutator(bytes.data(), size, room);
    bytes.resize(std::min(changed, room));
    if (changed == 0) bytes = before;
  }
  if (bytes == before) mutate_bytes(bytes, c.payload_room, c.rng);
  return bytes != before;
}

}  // namespace heddle::mutator
