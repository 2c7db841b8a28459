// An array of fixed address: its whole virtual range is reserved once and pages are touched as it grows. Pointers to
// elements stay valid for the life of the process, and appending never allocates through the
// target's allocator.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "base/raw_syscall.h"

namespace heddle::rt {

// Anonymous memory, zero; nullptr when there is none. Not by mmap, which is a shim: on a controlled thread this would be the program's.
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

template <typename T>
class ReservedArray {
 public:
  void reserve(size_t capacity) {
    if (data_ != nullptr) return;
    data_ = static_cast<T*>(reserve_memory(capacity * sizeof(T)));
    capacity_ = capacity;
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
  T& push() { return data_[size_++]; }  // REQUIRES: !full(); the element holds what lay there
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
