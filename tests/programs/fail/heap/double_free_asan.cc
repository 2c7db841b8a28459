// heddle: expect=double-free budget=200 asan
// Two owners free one block, if each looks whether it is there before the other has let go. ASan reports it, under its own name.
#include <heddle/heddle.h>

#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

struct Owner {
  std::mutex mutex;
  void* block = std::malloc(12);

  void let_go() {
#ifdef FIXED
    std::lock_guard lock(mutex);
    std::free(block);
    block = nullptr;
#else
    void* mine;
    {
      std::lock_guard lock(mutex);
      mine = block;
    }
    std::free(mine);
    std::lock_guard lock(mutex);
    block = nullptr;
#endif
  }
};

}  // namespace

HEDDLE_FUZZ_TEST(double_free_asan) {
  Owner owner;
  std::thread one([&] { owner.let_go(); });
  std::thread other([&] { owner.let_go(); });
  one.join();
  other.join();
}
