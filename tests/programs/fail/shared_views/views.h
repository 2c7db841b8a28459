// One page of a memory file, mapped twice.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>

template <typename T>
struct Views {
  static constexpr size_t kSize = 4096;

  Views() {
    const int file = memfd_create("views", 0);
    [[maybe_unused]] const int sized = ftruncate(file, kSize);
    assert(sized == 0);
    for (T*& view : of) {
      view = static_cast<T*>(mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
      assert(view != MAP_FAILED);
    }
    close(file);
  }
  ~Views() {
    for (T* view : of) {
      if (view != nullptr) munmap(view, kSize);
    }
  }
  void unmap(int which) {
    munmap(of[which], kSize);
    of[which] = nullptr;
  }

  T* of[2];
};
