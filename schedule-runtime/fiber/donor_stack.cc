#include "fiber/donor_stack.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "base/address_layout.h"
#include "base/check.h"
#include "base/raw_syscall.h"

namespace heddle::fiber {
namespace {

// For each slot: how many pages are mapped, without the guard; 0: none.
constinit uint16_t mapped[kMaxDonors] = {};

}  // namespace

void* donor_stack(size_t number, size_t size) {
  static_assert(kLargestStack / 4096 < UINT16_MAX);
  using rt::kStackGuard;
  const rt::AddressLayout& layout = rt::address_layout();
  if (rt::low_addresses()) {
    rt::check(size + kStackGuard <= layout.stack_slot && (number + 1) * layout.stack_slot <= layout.stacks_size,
              "HEDDLE_OPTIONS: low_addresses=1: there is room for 225 threads at a time, each with a stack of up to 8 MiB");
  }
  if (number >= kMaxDonors || size > kLargestStack) return nullptr;
  const uintptr_t high = layout.stacks + (number + 1) * layout.stack_slot, low = high - size;
  if (mapped[number] != 0) return mapped[number] * 4096ul == size ? reinterpret_cast<void*>(low) : nullptr;
  const uintptr_t all = size + kStackGuard;
  const long at = rt::raw_syscall(SYS_mmap, low - kStackGuard, all, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE | MAP_FIXED_NOREPLACE, ~0ul, 0);
  // A kernel without MAP_FIXED_NOREPLACE treats the address as a hint.
  if (at != static_cast<long>(low - kStackGuard)) {
    if (at > 0) rt::raw_syscall(SYS_munmap, static_cast<uintptr_t>(at), all);
    return nullptr;
  }
  rt::raw_syscall(SYS_mprotect, low - kStackGuard, kStackGuard, PROT_NONE);
  rt::raw_syscall(SYS_madvise, low, size, MADV_NOHUGEPAGE);  // no huge pages: with them each thread would touch two megabytes at once
  mapped[number] = static_cast<uint16_t>(size / 4096);
  return reinterpret_cast<void*>(low);
}

}  // namespace heddle::fiber
