// Mappings that the program creates and removes. The end of a mapping is a write to all of it. A later mapping at the same address is new
// memory.
//
// Mappings that libc and the runtime make for themselves do not come here. The kernel is called directly, without libc: the shims may be
// called before any initialisation, and by an allocator that the look-up of a function would call.
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/asan.h"
#include "base/program_code.h"
#include "base/raw_syscall.h"
#include "heap/execution_mappings.h"
#include "heap/shared_views.h"
#include "intercept/memory_lifetime.h"
#include "intercept/plain_access.h"
#include "intercept/real.h"
#include "primitives/file_operation.h"
#include "races/race_detector.h"
#include "restore/large_data.h"

// ASan unpoisons memory that is mapped or unmapped.
extern "C" {
__attribute__((weak)) void* ___interceptor_mmap(void* address, size_t size, int protection, int flags, int file, off_t offset);
__attribute__((weak)) int ___interceptor_munmap(void* address, size_t size);
}

using namespace heddle::rt;

namespace {

void* map(void* address, size_t size, int protection, int flags, int file, off_t offset) {
  if (&___interceptor_mmap != nullptr) return ___interceptor_mmap(address, size, protection, flags, file, offset);
  return reinterpret_cast<void*>(through_errno(raw_syscall(SYS_mmap, word(address), size, word(protection), word(flags), word(file),
                                                           static_cast<uintptr_t>(offset))));
}

int unmap(void* address, size_t size) {
  if (&___interceptor_munmap != nullptr) return ___interceptor_munmap(address, size);
  return static_cast<int>(through_errno(raw_syscall(SYS_munmap, word(address), size)));
}

constexpr uintptr_t kPage = ExecutionMappings::kPage;
constexpr uintptr_t whole_pages(size_t size) { return (size + kPage - 1) & ~(kPage - 1); }

// If the kernel will refuse the call, there is no access.
bool sensible(const void* address, size_t size) {
  return size != 0 && word(address) % kPage == 0 && size < uintptr_t{1} << Shadow::kAddressBits;
}

// An access that is not ordered with the end of the mapping is a race. There is no choice point here.
void mapping_ended(const void* address, size_t size, Place place) {
  Thread& t = *current_thread();
  if (shared_views().seen_elsewhere(word(address), word(address) + whole_pages(size))) return;  // the others go by other views
  if (t.alone || !race_detector_watches() || (t.ignored.what & kIgnoreWrites) != 0 || !sensible(address, size) || !of_program(place.pc)) return;
  const Spot spot = Engine::spot_of(t, place);
  race_detector_end_of_memory(t.index, word(address), whole_pages(size), spot.site, spot.context);
}

// Like the end of a heap block: there is a choice point if the input asks for it.
void mapping_dies(void* address, size_t size, Place place) {
  if (!sensible(address, size) || !of_program(place.pc) || shared_views().seen_elsewhere(word(address), word(address) + whole_pages(size))) return;
  // The program may have poisoned it by hand, and unmapping is no access for ASan.
  if (asan_linked() && by_address(&__asan_region_is_poisoned)(address, kEndShown) != nullptr) return mapping_ended(address, size, place);
  end_of_memory(*current_thread(), word(address), whole_pages(size), place);
}

// Several threads may each map the same file for a short time. They see each other's data only if another thread can run between the two
// calls. So there is a choice point.
void leave_view(const void* address, Place place) {
  const SharedViews::View* const view = shared_views().at(word(address));
  if (view == nullptr || view->file.device == 0 || current_thread()->alone || !of_program(place.pc)) return;
  primitives::file_operation(heddle::Kind::file_write, place);
}

void forget(const void* address, size_t size) { memory_born(word(address), whole_pages(size)); }

void mapped_at(const void* address, size_t size, Place place) {
  shared_views().end(word(address), word(address) + whole_pages(size));
  forget(address, size);
  large_data::mapped_over(word(address), word(address) + whole_pages(size));
  if (of_program(place.pc)) execution_mappings().add(word(address), word(address) + whole_pages(size));
}

void unmapped_at(const void* address, size_t size, Place place) {
  shared_views().end(word(address), word(address) + whole_pages(size));
  forget(address, size);
  execution_mappings().end(word(address), word(address) + whole_pages(size), freed_here(place));
}

// The program now sees this part of the file at the address. Called when the mapping is known.
void shows(const void* address, size_t size, const SharedViews::File& file, uint64_t offset, int protection, Place place) {
  if (!of_program(place.pc)) return;
  const bool had_several = shared_views().any();
  shared_views().add(word(address), word(address) + whole_pages(size), file, offset, protection);
  if (shared_views().any() && !had_several) engine().memory_aliased();
}

void shows_file(const void* address, size_t size, int protection, int flags, int file, off_t offset, Place place) {
  struct stat status;
  if ((flags & MAP_SHARED) == 0) return;  // MAP_SHARED_VALIDATE includes this bit
  if ((flags & MAP_ANONYMOUS) != 0) return shows(address, size, shared_views().anonymous(), 0, protection, place);
  // Skip devices: each mapping of a device may have different contents.
  if (raw_syscall(SYS_fstat, word(file), word(&status)) != 0 || !S_ISREG(status.st_mode)) return;
  shows(address, size, {status.st_dev, status.st_ino}, static_cast<uint64_t>(offset), protection, place);
}

void* controlled_map(void* address, size_t size, int protection, int flags, int file, off_t offset, Place place) {
  const bool anywhere = address == nullptr && (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_32BIT)) == 0;
  if (anywhere && of_program(place.pc)) address = execution_mappings().place(size);
  // The kernel removes the old mapping there.
  else if ((flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) == MAP_FIXED) mapping_dies(address, size, place);
  void* const mapped = map(address, size, protection, flags, file, offset);
  if (mapped == MAP_FAILED) return mapped;
  mapped_at(mapped, size, place);
  shows_file(mapped, size, protection, flags, file, offset, place);
  return mapped;
}

// A mapping that grows is moved, as usually happens in a process that maps from the top down. So a program that keeps the old address gets
// an error. MREMAP_FIXED would remove whatever is at the new address, so that range is reserved first.
long move_mapping(const void* address, size_t old_size, size_t size, int flags) {
  void* const wish = execution_mappings().place(size);
  const long taken = wish == nullptr ? -1 : raw_syscall(SYS_mmap, word(wish), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, ~0ul, 0);
  if (taken <= 0) return raw_syscall(SYS_mremap, word(address), old_size, size, word(flags), 0);
  const long moved = raw_syscall(SYS_mremap, word(address), old_size, size, word(flags | MREMAP_FIXED), static_cast<uintptr_t>(taken));
  if (moved < 0) raw_syscall(SYS_munmap, static_cast<uintptr_t>(taken), size);
  return moved;
}

}  // namespace

HEDDLE_SHIM void* mmap(void* address, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  if (current_thread() == nullptr) return map(address, size, protection, flags, file, offset);
  return controlled_map(address, size, protection, flags, file, offset, HEDDLE_HERE);
}

// The same function. _FILE_OFFSET_BITS=64 uses this name.
HEDDLE_SHIM void* mmap64(void* address, size_t size, int protection, int flags, int file, off64_t offset) noexcept {
  if (current_thread() == nullptr) return map(address, size, protection, flags, file, offset);
  return controlled_map(address, size, protection, flags, file, offset, HEDDLE_HERE);
}

HEDDLE_SHIM int munmap(void* address, size_t size) noexcept {
  if (current_thread() == nullptr) return unmap(address, size);
  leave_view(address, HEDDLE_HERE);
  mapping_dies(address, size, HEDDLE_HERE);
  const int result = unmap(address, size);
  if (result == 0) unmapped_at(address, size, HEDDLE_HERE);
  return result;
}

HEDDLE_SHIM void* mremap(void* address, size_t old_size, size_t size, int flags, ...) noexcept {
  va_list rest;
  va_start(rest, flags);
  void* const wanted = flags & MREMAP_FIXED ? va_arg(rest, void*) : nullptr;
  va_end(rest);
  const uintptr_t kept = whole_pages(old_size), bytes = whole_pages(size);
  char* const old = static_cast<char*>(address);
  if (current_thread() == nullptr) {
    return reinterpret_cast<void*>(through_errno(raw_syscall(SYS_mremap, word(address), old_size, size, word(flags), word(wanted))));
  }
  const Place place = HEDDLE_HERE;
  if (wanted != nullptr) mapping_dies(wanted, bytes, place);
  if (bytes < kept && wanted == nullptr) mapping_dies(old + bytes, kept - bytes, place);
  const bool moves = wanted == nullptr && (flags & MREMAP_MAYMOVE) != 0 && bytes > kept && of_program(place.pc);
  const long result = moves ? move_mapping(address, old_size, size, flags)
                            : raw_syscall(SYS_mremap, word(address), old_size, size, word(flags), word(wanted));
  char* const mapped = reinterpret_cast<char*>(result);
  if (result < 0) return reinterpret_cast<void*>(through_errno(result));
  const SharedViews::View* const view = shared_views().at(word(address));
  const SharedViews::View shown = view != nullptr ? *view : SharedViews::View{};
  const uint64_t offset = shown.offset + (word(address) - shown.begin);
  if (mapped == address) {
    if (bytes < kept) unmapped_at(mapped + bytes, kept - bytes, place);
    if (bytes > kept) {
      mapped_at(mapped + kept, bytes - kept, place);
      if (view != nullptr) shows(mapped + kept, bytes - kept, shown.file, offset + kept, shown.protection, place);
    }
  } else {
    // Only now it is known that it has moved, and no other thread has run since. An old size of 0 makes a second mapping of the same
    // memory.
    mapping_ended(address, kept, place);
    mapped_at(mapped, bytes, place);
    if (view != nullptr) shows(mapped, bytes, shown.file, offset, shown.protection, place);
    if ((flags & MREMAP_DONTUNMAP) == 0) unmapped_at(address, kept, place);
    else if (view == nullptr) forget(address, kept);
  }
  return mapped;
}

// On the next access, the memory is zero or may be zero. Shared memory keeps its contents, and locks in it stay valid. So objects are kept.
HEDDLE_SHIM int madvise(void* address, size_t size, int advice) noexcept {
  const int result = static_cast<int>(through_errno(raw_syscall(SYS_madvise, word(address), size, word(advice))));
  if (result != 0 || current_thread() == nullptr || current_thread()->alone) return result;
  if (advice == MADV_DONTNEED || advice == MADV_FREE) race_detector_discarded(word(address), whole_pages(size));
  return result;
}

// System V segments are ordinary shared memory.
HEDDLE_SHIM void* shmat(int segment, const void* wish, int flags) noexcept {
  const auto attach = [&](const void* address) { return raw_syscall(SYS_shmat, word(segment), word(address), word(flags)); };
  shmid_ds about;
  if (current_thread() == nullptr || raw_syscall(SYS_shmctl, word(segment), IPC_STAT, word(&about)) != 0) {
    return reinterpret_cast<void*>(through_errno(attach(wish)));
  }
  const Place place = HEDDLE_HERE;
  const void* const hint = wish == nullptr && of_program(place.pc) ? execution_mappings().place(about.shm_segsz) : nullptr;
  if (wish != nullptr && (flags & SHM_REMAP) != 0) mapping_dies(const_cast<void*>(wish), about.shm_segsz, place);
  long mapped = attach(hint != nullptr ? hint : wish);
  if (mapped < 0 && hint != nullptr) mapped = attach(nullptr);
  if (mapped < 0) return reinterpret_cast<void*>(through_errno(mapped));
  void* const at = reinterpret_cast<void*>(mapped);
  mapped_at(at, about.shm_segsz, place);
  constexpr uint64_t kSegments = ~uint64_t{0};  // no device
  shows(at, about.shm_segsz, {kSegments, static_cast<uint64_t>(segment)}, 0, (flags & SHM_RDONLY) != 0 ? PROT_READ : PROT_READ | PROT_WRITE, place);
  return at;
}

HEDDLE_SHIM int shmdt(const void* address) noexcept {
  const Place place = HEDDLE_HERE;
  const size_t size = current_thread() != nullptr ? shared_views().extent(word(address)) : 0;
  if (size != 0) mapping_dies(const_cast<void*>(address), size, place);
  const long result = raw_syscall(SYS_shmdt, word(address));
  if (result == 0 && size != 0) unmapped_at(address, size, place);
  return static_cast<int>(through_errno(result));
}
