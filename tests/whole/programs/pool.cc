// Its operator new keeps a list of free blocks.
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

namespace {

struct Block {
  Block* next;
};
constexpr size_t kSize = 64;  // all small blocks
Block* list = nullptr;
std::mutex lists;
constexpr size_t kHead = 16;  // in front of each block: its size

size_t& size_of(void* block) { return *reinterpret_cast<size_t*>(static_cast<char*>(block) - kHead); }

}  // namespace

void* operator new(size_t size) {
  if (size < kSize) size = kSize;
  if (const std::lock_guard lock(lists); size == kSize && list != nullptr) return std::exchange(list, list->next);
  void* const block = static_cast<char*>(std::malloc(kHead + size)) + kHead;
  size_of(block) = size;
  return block;
}

void operator delete(void* block) noexcept {
  if (block == nullptr) return;
  if (size_of(block) != kSize) return std::free(static_cast<char*>(block) - kHead);
  const std::lock_guard lock(lists);
  list = new (block) Block{list};
}
void operator delete(void* block, size_t) noexcept { operator delete(block); }

static void body() {
  std::mutex mutex;
  int* shared = nullptr;
  std::thread gives([&] {
    const std::lock_guard lock(mutex);
    shared = new int(1);
  });
  std::thread takes([&] {
    const std::lock_guard lock(mutex);
    delete std::exchange(shared, nullptr);
  });
  gives.join();
  takes.join();
  delete shared;
}

#ifdef HARNESS
extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, size_t) {
  body();
  return 0;
}
#else
int main() { body(); }
#endif
