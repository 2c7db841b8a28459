#include "engine/initialisation.h"

#include "schema/identity.h"

namespace heddle::rt {

constinit Initialisation g_initialisation;

uint64_t Initialisation::read_time() {
  constexpr uint64_t kCost = 1'000;
  constexpr uint32_t kCheap = 1'000;  // a program may log its start with the time
  if (++reads_ > kCheap) time_ += kCost * (reads_ - kCheap);
  return time_ += kCost;
}

uint64_t Initialisation::random() {
  constexpr uint64_t kSubject = 0x1217;
  return mix(kSubject, ++draws_);
}

}  // namespace heddle::rt
