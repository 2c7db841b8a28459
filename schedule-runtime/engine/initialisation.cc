#include "engine/initialisation.h"

#include <algorithm>

#include "base/kernel_clock.h"
#include "schema/identity.h"

namespace heddle::rt {
namespace {

constexpr uint64_t kSecond = 1'000'000'000;
constexpr uint64_t kStartOfTime = 1'000 * kSecond;  // not 0, which programs take for "unset"

}  // namespace

constinit Initialisation g_initialisation(kStartOfTime);

uint64_t Initialisation::read_time() {
  constexpr uint64_t kCost = 1'000, kBehind = 10 * kSecond;
  constexpr uint32_t kCheap = 1'000;  // a program may log its start with the time
  const uint64_t kernels = kernel_clock(CLOCK_MONOTONIC);
  if (begun_ == 0) begun_ = kernels;
  if (++reads_ > kCheap) time_ += kCost * (reads_ - kCheap);
  const uint64_t taken = kernels - begun_;
  if (taken > kBehind) time_ = std::max(time_, kStartOfTime + taken - kBehind);
  return time_ += kCost;
}

uint64_t Initialisation::random() {
  constexpr uint64_t kSubject = 0x1217;
  return mix(kSubject, ++draws_);
}

}  // namespace heddle::rt
