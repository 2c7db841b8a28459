// heddle: expect=pass runs=3000
// Every execution finds its mappings at the same addresses and leaves some behind. They end with it, except one that is kept on purpose. If they did
// not, 3,000 executions would have more mappings than Linux gives a process.
#include <heddle/heddle.h>
#include <sys/mman.h>

#include <cassert>
#include <cerrno>
#include <cstdint>
#include <thread>

namespace {

constexpr size_t kPage = 4096, kMany = 40;

HEDDLE_KEEP char* kept = nullptr;
// Negated, because a pointer here would keep the mapping.
HEDDLE_KEEP uintptr_t hidden[kMany] = {};
HEDDLE_KEEP int executions = 0;

// Protections alternate, so that the kernel does not make one of them.
char* map(int number) {
  void* const p = mmap(nullptr, kPage, number % 2 != 0 ? PROT_READ : PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(p != MAP_FAILED);
  return static_cast<char*>(p);
}

bool is_mapped(void* page) { return madvise(page, kPage, MADV_NORMAL) == 0 || errno != ENOMEM; }

}  // namespace

HEDDLE_FUZZ_TEST(left_behind) {
  if (executions++ == 0) kept = map(0);
  else assert(*kept == 7);
  *kept = 7;
  std::thread worker([] {
    for (size_t i = 0; i < kMany; ++i) {
      if (hidden[i] != 0) assert(!is_mapped(reinterpret_cast<void*>(~hidden[i])));
      char* const page = map(static_cast<int>(i));
      assert(hidden[i] == 0 || page == reinterpret_cast<char*>(~hidden[i]));
      hidden[i] = ~reinterpret_cast<uintptr_t>(page);
    }
  });
  worker.join();
}
