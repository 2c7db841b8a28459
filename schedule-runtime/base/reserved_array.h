// An array with a fixed address. Its whole virtual range is reserved once, and pages are touched as it grows. Pointers to elements stay
// valid for the life of the process. Appending never allocates through the target's allocator.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "base/raw_syscall.h"

namespace heddle::rt {

// Anonymous zero memory; nullptr if there is none. Does not call mmap, which is a shim: on a controlled thread, this would count as the
// program's mapping.
inline void* map_pages(size_t bytes) {
  const long p = raw_syscall(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                             static_cast<uintptr_t>(-1), 0);
  return p < 0 ? nullptr : reinterpret_cast<void*>(p);
}

inline void unmap_pages(void* pages, size_t bytes) { raw_syscall(SYS_munmap, word(pages), bytes); }

inline void* reserve_memory(size_t bytes) {
  void* const p = map_pages(bytes);
  check(p != nullptr, "cannot reserve memory for the recorder: raise the address-space limit (ulimit -v)");
  return p;
}

// The same for memory that is used from its begin on. What a small execution needs has small pages. What comes after it has large ones, if the
// system has them: an execution in a process of its own pays for each page that it touches.
inline void* reserve_growing_memory(size_t bytes) {
  constexpr uintptr_t kLarge = 2 << 20;
  void* const p = reserve_memory(bytes);
  const uintptr_t begin = (word(p) + 2 * kLarge - 1) & ~(kLarge - 1), end = word(p) + bytes;
  if (begin < end) raw_syscall(SYS_madvise, begin, end - begin, MADV_HUGEPAGE);
  return p;
}

// The offset of the next array within its first page. Short executions use only the first elements of each array. If all arrays began at
// the same offset, these elements would compete for a few sets of the processor's cache.
inline constexpr size_t kArrayPage = 4096;
inline size_t next_array_offset() {
  constexpr size_t kStep = 11 * 64;
  static constinit size_t offset = 0;
  return offset = (offset + kStep) % kArrayPage;
}

template <typename T>
class ReservedArray {
 public:
  void reserve(size_t capacity) {
    if (data_ != nullptr) return;
    const size_t offset = next_array_offset();
    data_ = reinterpret_cast<T*>(static_cast<char*>(reserve_growing_memory(offset + capacity * sizeof(T))) + offset);
    capacity_ = capacity;
  }
  // Frees the memory of an array that is no longer used.
  void give_back() {
    const uintptr_t in_page = word(data_) % kArrayPage;
    unmap_pages(reinterpret_cast<char*>(data_) - in_page, in_page + capacity_ * sizeof(T));
    *this = {};
  }
  bool full() const { return size_ == capacity_; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  void clear() { size_ = 0; }
  void resize(size_t n) { size_ = n; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T& push() { return data_[size_++]; }  // REQUIRES: !full(). The element keeps its old contents
  T& pop() { return data_[--size_]; }  // REQUIRES: not empty
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace heddle::rt
