#include "intercept/memory_lifetime.h"

#include "engine/engine.h"
#include "intercept/real.h"
#include "memory/ledger.h"
#include "memory/race_detector.h"

extern "C" {
// The executable's code, by the linker.
extern __attribute__((weak, visibility("hidden"))) const char __executable_start[], etext[];
}

namespace heddle::rt {
namespace {

bool of_program(uintptr_t caller) {
  return caller >= reinterpret_cast<uintptr_t>(__executable_start) && caller < reinterpret_cast<uintptr_t>(etext);
}

}  // namespace

void block_born(void* block, size_t size, uintptr_t caller) {
  if (block == nullptr) return;
  race_detector_forget(reinterpret_cast<uintptr_t>(block), size);
  if (of_program(caller)) ledger::allocated(block, size);
}

void block_grown(void* block, size_t old_size, size_t size, uintptr_t caller) {
  if (size > old_size) race_detector_forget(reinterpret_cast<uintptr_t>(block) + old_size, size - old_size);
  if (of_program(caller)) ledger::allocated(block, size);
}

}  // namespace heddle::rt

// With ASan, or another sanitizer with an allocator, that allocator tells: these hooks are its public interface and replace its weak
// defaults. Its own accounting makes the ledger unnecessary there.
HEDDLE_SHIM void __sanitizer_malloc_hook(const volatile void* block, size_t size) {
  if (heddle::rt::current_thread() == nullptr || block == nullptr) return;
  heddle::rt::race_detector_forget(reinterpret_cast<uintptr_t>(block), size);
}
HEDDLE_SHIM void __sanitizer_free_hook(const volatile void*) {}
