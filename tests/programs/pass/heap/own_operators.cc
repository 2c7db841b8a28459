// heddle: expect=pass runs=300
// A program that replaces the two operators for single objects: the forms for arrays, with a size and without exceptions come to these, too.
#include <heddle/heddle.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <thread>
#include <vector>

static std::atomic<long> mine{0};
constexpr std::size_t kBefore = 64;  // what is given out is not what malloc gave

void* operator new(std::size_t size) {
  void* const block = std::malloc(size + kBefore);
  if (block == nullptr) throw std::bad_alloc();
  ++mine;
  return static_cast<char*>(block) + kBefore;
}
void operator delete(void* block) noexcept {
  if (block == nullptr) return;
  --mine;
  std::free(static_cast<char*>(block) - kBefore);
}

struct Record {
  long values[20];
  virtual ~Record() = default;
};

HEDDLE_FUZZ_TEST(own_operators) {
  const long before = mine;
  std::thread other([] {
    delete new Record;
    delete[] new Record[3];
    delete[] new char[100];
  });
  std::vector<std::unique_ptr<Record[]>> all(4);
  for (auto& r : all) r = std::make_unique<Record[]>(2);
  if (mine < before + 5) std::abort();
  delete new (std::nothrow) Record;
  delete[] new (std::nothrow) int[7];
  all.clear();
  all.shrink_to_fit();
  other.join();
}
