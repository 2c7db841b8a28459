// Changes the data bytes of the harness, with the engine's mutator if there is one.
#include <algorithm>

#include "mutator/byte_mutator.h"
#include "mutator/operators/chain.h"
#include "schema/codec.h"

namespace heddle::mutator {

namespace {

// Changes one byte that a run with these data has read. If a harness reads only the third of a hundred bytes, most other changes would have
// no effect.
bool change_read_byte(Context& c) {
  auto& bytes = c.schedule.payload;
  uint32_t read[64], count = 0;
  for (uint32_t i = 0; i < 64 && i < bytes.size(); ++i) {
    if ((c.payload_reads >> i & 1) != 0) read[count++] = i;
  }
  // With few bytes there is not much else to try.
  if (count == 0 || !c.rng.chance(count <= 4 ? 7 : 4, 8)) return false;
  uint8_t& byte = bytes[read[c.rng.below(count)]];
  const uint8_t before = byte;
  switch (c.rng.below(8)) {
    case 0: byte ^= static_cast<uint8_t>(1u << c.rng.below(8)); break;
    case 1: byte += static_cast<uint8_t>(c.rng.chance(1, 2) ? 1 : 255); break;
    default: byte = static_cast<uint8_t>(c.rng.next()); break;
  }
  return byte != before;
}

}  // namespace

bool payload(Context& c) {
  auto& bytes = c.schedule.payload;
  if (c.payload_room == 0) return false;
  if (change_read_byte(c)) return true;
  const std::vector<uint8_t> before = bytes;
  if (c.byte_mutator) {
    const size_t size = bytes.size();
    const size_t room = std::min<size_t>(c.payload_room, size + 64);
    if (size > room) return false;
    bytes.resize(room);
    const size_t changed = c.byte_mutator(bytes.data(), size, room);
    bytes.resize(std::min(changed, room));
    // libFuzzer crosses with whole inputs, which here are schedules. As data bytes these mean nothing.
    if (changed == 0 || (holds_schedule(bytes) && !holds_schedule(before))) bytes = before;
  }
  if (bytes == before) mutate_bytes(bytes, c.payload_room, c.rng);
  return bytes != before;
}

}  // namespace heddle::mutator
