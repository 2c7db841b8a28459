// Makes the schedule smaller: constraints go first, then payload bytes, then parameters.
#include <algorithm>

#include "mutator/operators/operator.h"
#include "schema/codec.h"

namespace heddle::mutator {
namespace {

template <typename T>
void drop_random(std::vector<T>& list, size_t bytes, Rng& rng) {
  const size_t count = std::min(list.size(), std::max<size_t>(1, bytes / sizeof(T)));
  const uint32_t from = rng.below(static_cast<uint32_t>(list.size() - count + 1));
  list.erase(list.begin() + from, list.begin() + from + static_cast<long>(count));
}

bool drop_constraint(Schedule& s, size_t excess, Rng& rng) {
  const uint32_t start = rng.below(7);
  for (uint32_t i = 0; i < 7; ++i) {
    switch ((start + i) % 7) {
      case 0: if (!s.elements.empty()) return drop_random(s.elements, excess, rng), true; break;
      case 1: if (!s.reads_from.empty()) return drop_random(s.reads_from, excess, rng), true; break;
      case 2: if (!s.selects.empty()) return drop_random(s.selects, excess, rng), true; break;
      case 3: if (!s.delays.empty()) return drop_random(s.delays, excess, rng), true; break;
      case 4: if (!s.visible_plain.empty()) return drop_random(s.visible_plain, excess, rng), true; break;
      case 5: if (!s.weights.empty()) return drop_random(s.weights, excess, rng), true; break;
      case 6: if (!s.graph.empty()) return drop_random(s.graph, excess, rng), true; break;
    }
  }
  return false;
}

bool drop_payload(Schedule& s, size_t excess, Rng& rng) {
  if (s.payload.empty()) return false;
  drop_random(s.payload, excess, rng);
  return true;
}

}  // namespace

std::vector<uint8_t> shrink(Schedule& s, size_t max_size, Rng& rng) {
  // Minimisation asks many times for slightly smaller schedules. If every constraint is needed, the payload must get its turn.
  const bool payload_first = rng.chance(1, 4);
  std::vector<uint8_t> bytes = encode_schedule(s);
  for (bool parameters = true; bytes.size() > max_size; bytes = encode_schedule(s)) {
    const size_t excess = bytes.size() - max_size;
    if (payload_first && drop_payload(s, excess, rng)) continue;
    if (drop_constraint(s, excess, rng) || drop_payload(s, excess, rng)) continue;
    if (!parameters) return {};
    s = Schedule{.memory_model = s.memory_model, .assumes = s.assumes};
    parameters = false;
  }
  return bytes;
}

}  // namespace heddle::mutator
