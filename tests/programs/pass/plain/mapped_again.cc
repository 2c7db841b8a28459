// heddle: expect=pass runs=2000 options=report_races=1
// What is mapped at a place where another mapping was is new memory: nothing done to the old one races with it, and no lock of the old one is held.
// The threads pass the place on by relaxed stores, which order nothing.
#include <heddle/heddle.h>
#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <cassert>
#include <thread>

namespace {

constexpr size_t kPage = 4096, kSize = 4 * kPage;
constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS;

void* map(void* at, int flags) {
  void* const p = mmap(at, kSize, PROT_READ | PROT_WRITE, kPrivate | flags, -1, 0);
  assert(p != MAP_FAILED);
  return p;
}

// A lock that is held when its memory is unmapped, and bytes next to it.
struct Page {
  pthread_mutex_t mutex;
  int number;
};

void use(void* memory) {
  auto* page = static_cast<Page*>(memory);
  assert(page->number == 0);
  page->mutex = PTHREAD_MUTEX_INITIALIZER;
  assert(pthread_mutex_trylock(&page->mutex) == 0);
  page->number = 1;
}

}  // namespace

HEDDLE_FUZZ_TEST(mapped_again) {
  std::atomic<char*> free_place{nullptr}, emptied{nullptr};
  std::thread first([&] {
    auto* place = static_cast<char*>(map(nullptr, 0));
    for (size_t at = 0; at < kSize; at += kPage) use(place + at);
    // Mapped over, moved, made smaller, and unmapped.
    map(place, MAP_FIXED);
    use(place);
    auto* moved = static_cast<char*>(mremap(place, kSize, 64 * kSize, MREMAP_MAYMOVE));
    assert(moved != MAP_FAILED);
    use(moved + 40 * kSize);
    assert(mremap(moved, 64 * kSize, kPage, 0) == moved);
    munmap(moved, kPage);
    auto* last = static_cast<char*>(map(nullptr, 0));
    last[kPage] = 1;
    assert(madvise(last, kSize, MADV_DONTNEED) == 0);
    emptied.store(last, std::memory_order_relaxed);
    auto* gone = static_cast<char*>(map(nullptr, 0));
    use(gone);
    munmap(gone, kSize);
    free_place.store(gone, std::memory_order_relaxed);
  });
  char *gone, *last;
  while ((gone = free_place.load(std::memory_order_relaxed)) == nullptr) std::this_thread::yield();
  while ((last = emptied.load(std::memory_order_relaxed)) == nullptr) std::this_thread::yield();
  assert(last[kPage] == 0);
  last[kPage] = 2;
  use(map(gone, MAP_FIXED));
  // Nothing is done at an address that is no page's, or with no bytes.
  assert(munmap(gone + 1, kPage) == -1 && munmap(gone, 0) == -1);
  munmap(gone, kSize);
  first.join();
  munmap(last, kSize);
}
