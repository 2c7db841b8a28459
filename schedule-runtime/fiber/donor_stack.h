// Addresses of the donors' stacks. The n-th stack has the same address in every process. So has the thread's handle, which is at the
// stack's upper end. Programs hash the handle: libstdc++'s std::barrier uses it to choose where in its tree a thread arrives. Without fixed
// addresses, a schedule would depend on address randomisation.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/address_layout.h"
#include "fiber/donor.h"

namespace heddle::fiber {

inline constexpr size_t kLargestStack = 64 << 20;
static_assert(kLargestStack + rt::kStackGuard <= rt::kUsualLayout.stack_slot);
static_assert((kMaxDonors + 1) * rt::kUsualLayout.stack_slot <= rt::kUsualLayout.stacks_size);

// The lowest address of `size` bytes, with a guard below; nullptr if there is no room: then the stack may lie anywhere (with low_addresses=1 the process ends instead). Asked again, in a child that was
// forked off, it is the same memory.
void* donor_stack(size_t number, size_t size);

}  // namespace heddle::fiber
