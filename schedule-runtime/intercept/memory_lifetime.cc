#include "intercept/memory_lifetime.h"

#include "heap/bad_free.h"
#include "heap/early_heap.h"
#include "heap/execution_heap.h"
#include "heap/free_notes.h"
#include "heap/heap_blocks.h"
#include "heap/quarantine.h"
#include "intercept/allocation_limit.h"
#include "intercept/plain_access.h"
#include "intercept/real.h"
#include "intercept/refuse.h"
#include "races/benign_races.h"
#include "races/race_detector.h"
#include "trace/recorder.h"

extern "C" {
__attribute__((weak)) int __sanitizer_get_ownership(const volatile void* block);
__attribute__((weak)) size_t __sanitizer_get_allocated_size(const volatile void* block);
// The bounds of the executable, from the linker.
extern __attribute__((weak, visibility("hidden"))) const char __executable_start[], _end[];
}

namespace heddle::rt {

void block_dies(void* block, size_t size, Place place) { end_of_memory(*current_thread(), reinterpret_cast<uintptr_t>(block), size, place); }

void block_ends(void* block, size_t size, Place place) { end_of_block(*current_thread(), reinterpret_cast<uintptr_t>(block), size, place); }

// While a thread is alone, only objects and benign ranges are known.
void memory_born(uintptr_t address, size_t size) {
  if (current_thread()->alone && !shadow().holds_objects()) benign_races().forget(address, size);
  else race_detector_forget(address, size);
}

void block_born(void* block, size_t size, uintptr_t caller) {
  if (block == nullptr) return;
  memory_born(reinterpret_cast<uintptr_t>(block), size);
  if (!access_notes().enabled()) return;
  Thread& t = *current_thread();
  const Spot spot = Engine::spot_of(t, {caller, 0});
  access_notes().note_block({reinterpret_cast<uintptr_t>(block), size, t.index, spot.site, spot.context});
}

void block_grown(void* block, size_t old_size, size_t size) {
  if (size > old_size) memory_born(reinterpret_cast<uintptr_t>(block) + old_size, size - old_size);
}

// Reports are made of watched executions. In others, finding the user's call costs more than the rest of a free.
Freed freed_here(Place place) {
  Thread& t = *current_thread();
  const size_t events = recorder().events.size();
  Freed by = {.thread = t.index, .events = events < Freed::kManyEvents ? static_cast<uint32_t>(events) : Freed::kManyEvents, .site = 0, .context = 0};
  if (race_detector_watches()) {
    const Spot& spot = Engine::spot_of(t, place);
    by.site = spot.site;
    by.context = spot.context;
  } else {
    by.site = sites().index_of(place.pc);
  }
  return by;
}

namespace {

__attribute__((noinline)) void bad_free(BadFree what, const void* block, Place place, const Freed& first) {
  const Freed now = freed_here(place);
  Uncontrolled guard;
  raise_bad_free({what, reinterpret_cast<uintptr_t>(block), now, first});
}

// The allocator's blocks begin at multiples of this.
constexpr uintptr_t kAlignment = 2 * sizeof(void*);

}  // namespace

HeapBlock block_to_end(const void* block, Place place) {
  HeapBlock found = execution_heap().find(block);
  if (__builtin_expect(!found || !found.record->is_live(), 0)) {
    const bool twice = found && found.record->is_freed();
    bad_free(twice ? BadFree::twice : BadFree::not_heap, block, place, twice ? found.record->by : Freed{});
    found = {};
  }
  return found;
}

bool may_be_freed(const void* block, Place place) {
  const auto address = reinterpret_cast<uintptr_t>(block);
  const bool variable = (address >= reinterpret_cast<uintptr_t>(__executable_start) && address < reinterpret_cast<uintptr_t>(_end)) ||
                        current_thread()->on_stack(address);
  const Freed* const first = heap_blocks::find_freed(block);
  if (__builtin_expect(!variable && address % kAlignment == 0 && first == nullptr, 1)) return true;
  bad_free(first != nullptr ? BadFree::twice : BadFree::not_heap, block, place, first != nullptr ? *first : Freed{});
  return false;
}

bool freed_once(const void* block, Place place, bool held) {
  const Freed* const first = heap_blocks::freed(block, freed_here(place), held);
  if (first != nullptr) bad_free(BadFree::twice, block, place, *first);
  return first == nullptr;
}

bool watched_after_free(const void* block, size_t size) {
  // glibc's large blocks go back to the system, which may give the memory to any thread.
  constexpr size_t kGoesBack = 64 << 10;
  return size < (execution_heap().contains(block) ? Quarantine::kTooLarge : kGoesBack);
}

void no_longer_accessed(const void* block, size_t size, uint32_t site) {
  // No other thread can have the block's address yet. (Exception: the program passes a freed address to a thread before it creates the
  // thread.)
  Thread& t = *current_thread();
  if (t.alone || !race_detector_watches()) return;
  if (!watched_after_free(block, size)) return race_detector_forget(reinterpret_cast<uintptr_t>(block), size);
  race_detector_freed(t.index, reinterpret_cast<uintptr_t>(block), size, site);
}

}  // namespace heddle::rt

// With ASan, or another sanitizer with an allocator, that allocator calls these hooks. They are its public interface and replace its weak
// defaults. It has its own records of blocks.
HEDDLE_SHIM void __sanitizer_malloc_hook(const volatile void* block, size_t size) {
  if (block == nullptr) return;
  if (heddle::rt::current_thread() == nullptr) {
    heddle::rt::early_heap::allocated(const_cast<void*>(block), size, 0);
    return;
  }
  if (__builtin_expect(heddle::rt::beyond_allocation_limit(size), 0)) heddle::rt::report_large_allocation(0, size);
  heddle::rt::race_detector_forget(reinterpret_cast<uintptr_t>(block), size);
}
// Called before the block is freed and with no lock held, so a choice point is possible here. The place is inside ASan. It is replaced by the
// call that led there (trace/spots.h).
HEDDLE_SHIM void __sanitizer_free_hook(const volatile void* block) {
  if (block == nullptr) return;
  if (heddle::rt::current_thread() == nullptr) {
    heddle::rt::early_heap::freed(const_cast<void*>(block));
    return;
  }
  if (heddle::rt::early_heap::keeps(const_cast<void*>(block))) {
    // ASan cannot be told to keep the block. If the execution went on, it would end in a use-after-free that is not the program's.
    heddle::rt::refuse("freeing memory from before the first execution", {0, 0},
                       "with ASan, allocate it in the body, or define its owner with HEDDLE_KEEP");
  }
  if (&__sanitizer_get_allocated_size == nullptr || &__sanitizer_get_ownership == nullptr) return;
  // Freed before, or not a block: ASan will report it. Asking ASan for the size of such a block is an error of its own.
  if (__sanitizer_get_ownership(block) == 0) return;
  const size_t size = __sanitizer_get_allocated_size(block);
  if (size == 0) return;
  const heddle::rt::Place here = HEDDLE_HERE;
  heddle::rt::block_dies(const_cast<void*>(block), size, here);
  if (heddle::rt::race_detector_watches()) heddle::rt::free_notes().note({reinterpret_cast<uintptr_t>(block), size, heddle::rt::freed_here(here)});
}
