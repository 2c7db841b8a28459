// The library that afl-fuzz loads, without afl-fuzz.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

class AflLibrary : public testing::Test {
 protected:
  void SetUp() override {
    void* const library = dlopen(HEDDLE_AFL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    find(library, "afl_custom_init", init_);
    find(library, "afl_custom_deinit", deinit_);
    find(library, "afl_custom_fuzz", fuzz_);
    find(library, "afl_custom_fuzz_count", count_);
    mutator_ = init_(nullptr, 1);
  }
  void TearDown() override { deinit_(mutator_); }

  unsigned turn() { return count_(mutator_, entry_.data(), entry_.size()); }
  void make_children(unsigned n) {
    for (; n > 0; --n) {
      uint8_t* out = nullptr;
      ASSERT_GT(fuzz_(mutator_, entry_.data(), entry_.size(), &out, nullptr, 0, 1 << 12), 0u);
    }
  }

 private:
  template <typename T>
  void find(void* library, const char* name, T*& function) {
    function = reinterpret_cast<T*>(dlsym(library, name));
    ASSERT_NE(function, nullptr) << name;
  }

  void* (*init_)(void*, unsigned) = nullptr;
  void (*deinit_)(void*) = nullptr;
  size_t (*fuzz_)(void*, uint8_t*, size_t, uint8_t**, uint8_t*, size_t, size_t) = nullptr;
  unsigned (*count_)(void*, const uint8_t*, size_t) = nullptr;
  void* mutator_ = nullptr;
  std::vector<uint8_t> entry_ = {'0'};
};

// What the first entry's children show waits for the end of its turn.
TEST_F(AflLibrary, TheFirstTurnsAreShort) {
  EXPECT_EQ(turn(), 16u);
  make_children(16);
  EXPECT_EQ(turn(), 16u);
  make_children(500);
  EXPECT_GT(turn(), 50u);
  EXPECT_LT(turn(), 100u);
  make_children(5000);
  EXPECT_EQ(turn(), 128u);
}

}  // namespace
