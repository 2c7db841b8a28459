// The memory of clocks. The runtime passes an arena that ends with the execution. Offline users take `OwnedMemory`. Nothing is freed one by
// one: the owner frees the memory as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

namespace heddle::order {

// REQUIRES: `allocate` returns memory aligned to 16 and never null.
struct Memory {
  void* (*allocate)(void* context, size_t bytes);
  void* context;

  void* get(size_t bytes) const { return allocate(context, bytes); }

  template <typename T>
  T* make_array(size_t count) const {
    T* p = static_cast<T*>(get(count * sizeof(T)));
    for (size_t i = 0; i < count; ++i) new (p + i) T();
    return p;
  }
};

// A table of states, indexed by the dense numbers of a run. Addresses are stable, it grows by chunks, and it calls no destructors.
template <typename T, uint32_t kChunkBits = 3>
class ChunkTable {
 public:
  // The entry, made on first use.
  [[gnu::always_inline]] T& at(uint32_t index, const Memory& memory) {
    const uint32_t chunk = index >> kChunkBits;
    if (chunk >= chunk_count_) grow(chunk, memory);
    if (!chunks_[chunk]) chunks_[chunk] = memory.make_array<T>(kChunkSize);
    return chunks_[chunk][index & (kChunkSize - 1)];
  }
  // The entry if it exists, else null.
  const T* find(uint32_t index) const {
    const uint32_t chunk = index >> kChunkBits;
    if (chunk >= chunk_count_ || !chunks_[chunk]) return nullptr;
    return &chunks_[chunk][index & (kChunkSize - 1)];
  }

 private:
  static constexpr uint32_t kChunkSize = 1u << kChunkBits;

  [[gnu::noinline]] void grow(uint32_t chunk, const Memory& memory) {
    uint32_t wanted = chunk_count_ ? chunk_count_ * 2 : 4;
    while (wanted <= chunk) wanted *= 2;
    T** bigger = static_cast<T**>(memory.get(wanted * sizeof(T*)));
    if (chunk_count_) std::memcpy(bigger, chunks_, chunk_count_ * sizeof(T*));
    std::memset(bigger + chunk_count_, 0, (wanted - chunk_count_) * sizeof(T*));
    chunks_ = bigger;
    chunk_count_ = wanted;
  }

  T** chunks_ = nullptr;
  uint32_t chunk_count_ = 0;
};

}  // namespace heddle::order
