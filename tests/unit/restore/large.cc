// Large variables, of which only the written pages are compared. Everything must be restored after any writes of an execution, and also
// where the kernel cannot be asked. No GoogleTest: its own variables would be put back, too.
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <string_view>

#include "fiber/fiber.h"
#include "restore/initial_state.h"
#include "restore/large_data.h"

namespace heddle::fiber {
void ignore_leaks_behind(const void*, size_t) {}
}  // namespace heddle::fiber

namespace {

namespace large_data = heddle::rt::large_data;

constexpr size_t kCount = (4 << 20) / sizeof(uint64_t), kPerPage = large_data::kPage / sizeof(uint64_t), kPages = kCount / kPerPage;

volatile uint64_t zero[kCount];
volatile uint64_t initialised[kCount] = {1, 2, 3};
volatile uint64_t filled[kCount];  // before main
alignas(large_data::kPage) volatile uint64_t locked[kCount];
alignas(large_data::kPage) volatile uint64_t replaced[kCount];

__attribute__((constructor)) void fill() {
  for (size_t i = 0; i < kCount; ++i) filled[i] = i * 3 + 1;
  for (size_t i = 0; i < kCount; i += 7) replaced[i] = i + 1;
}

int failed = 0;

void expect(const char* what, bool holds) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  failed = 1;
}

void check_contents(const char* when) {
  for (size_t i = 0; i < kCount; ++i) {
    if (zero[i] == 0 && initialised[i] == (i < 3 ? i + 1 : 0) && filled[i] == i * 3 + 1 && locked[i] == 0 &&
        replaced[i] == (i % 7 == 0 ? i + 1 : 0)) {
      continue;
    }
    std::printf("FAILED %s: element %zu\n", when, i);
    failed = 1;
    return;
  }
}

// What covers two pages, the first and last bytes, and a few between.
void write_a_little(size_t from) {
  for (volatile uint64_t* array : {zero, initialised, filled}) {
    for (size_t page = from; page < kPages; page += kPages / 8) array[page * kPerPage] = 77;
    array[0] = 78;
    array[kCount - 1] = 78;
    auto* const across = reinterpret_cast<volatile unsigned char*>(array + 5 * kPerPage - 1);
    for (size_t i = 4; i < 12; ++i) across[i] = 0xee;
  }
}

void write_everything() {
  for (volatile uint64_t* array : {zero, initialised, filled}) {
    for (size_t i = 0; i < kCount; ++i) array[i] = i + 100;
  }
}

void put_back(const char* when) {
  heddle::rt::restore_initial_state();
  check_contents(when);
}

// Runs executions that write a little until no more pages are compared than that needs.
bool becomes_cheap() {
  for (int i = 0; i < 300; ++i) {
    write_a_little(3);
    heddle::rt::restore_initial_state();
    if (large_data::compared_pages() < 60) return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  const bool without_files = argc > 1 && std::string_view(argv[1]) == "without-files";
  if (without_files) {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_FSIZE, &none);
  }
  heddle::rt::capture_initial_state();
  expect("taken exactly where files may be written", large_data::any() != without_files);
  check_contents("after the capture");
  put_back("untouched");
  for (size_t round = 0; round < 40; ++round) {
    write_a_little(round);
    expect("something was written", heddle::rt::restore_initial_state() != 0);
    check_contents("after a little was written");
  }
  write_everything();
  put_back("after all was written");
  if (large_data::any()) {
    expect("few pages are compared, once all that was written long ago is given up", becomes_cheap());
    for (int round = 0; round < 30; ++round) {
      write_everything();
      expect("all that changed was written", heddle::rt::restore_initial_state() >= 3 * (kCount - kPerPage) * sizeof(uint64_t));
    }
    expect("few pages again", becomes_cheap());
  }
  if (const pid_t child = fork(); child == 0) {
    write_a_little(1);
    put_back("in a child");
    _exit(failed);
  } else {
    int status = -1;
    waitpid(child, &status, 0);
    expect("the child", status == 0);
  }
  check_contents("after the child");

  mlock(const_cast<uint64_t*>(locked), 64 << 10);  // what is refused is as good
  for (int round = 0; round < 40; ++round) {
    locked[0] = 9;
    locked[5000] = 9;
    put_back("locked");
  }
  void* const page = const_cast<uint64_t*>(replaced);
  expect("mapped over", mmap(page, sizeof replaced / 2, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == page);
  large_data::mapped_over(reinterpret_cast<uintptr_t>(page), reinterpret_cast<uintptr_t>(page) + sizeof replaced / 2);
  put_back("replaced by another mapping");
  return failed;
}
