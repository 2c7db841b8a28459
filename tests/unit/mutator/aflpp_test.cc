// The library that afl-fuzz loads, without afl-fuzz.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "schema/codec.h"

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
    find(library, "afl_custom_post_process", post_process_);
    mutator_ = init_(nullptr, 1);
  }
  void TearDown() override { deinit_(mutator_); }

  void start_another() { init_(nullptr, 2); }
  unsigned turn() { return count_(mutator_, entry_.data(), entry_.size()); }
  std::vector<uint8_t> as_run(std::vector<uint8_t> input) {
    uint8_t* out = nullptr;
    const size_t size = post_process_(mutator_, input.data(), input.size(), &out);
    return {out, out + size};
  }
  std::vector<uint8_t> child() {
    uint8_t* out = nullptr;
    const size_t size = fuzz_(mutator_, entry_.data(), entry_.size(), &out, nullptr, 0, 1 << 12);
    return {out, out + size};
  }
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
  size_t (*post_process_)(void*, uint8_t*, size_t, uint8_t**) = nullptr;
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

class PatientAflLibrary : public AflLibrary {
 protected:
  void SetUp() override {
    setenv("HEDDLE_OPTIONS", "stats=1:timeouts=patient", 1);
    AflLibrary::SetUp();
    unsetenv("HEDDLE_OPTIONS");
  }
};

// What afl-fuzz saves is what this gives: no crash file needs the option.
TEST_F(PatientAflLibrary, WhatIsNoScheduleBecomesOne) {
  heddle::Schedule schedule;
  ASSERT_TRUE(heddle::decode_schedule(as_run({'a', 'b'}), schedule));
  EXPECT_EQ(schedule.assumes, heddle::kPatientTimeouts);
  EXPECT_EQ(schedule.payload, (std::vector<uint8_t>{'a', 'b'}));
  const std::vector<uint8_t> other = heddle::encode_schedule({});
  EXPECT_EQ(as_run(other), other);
  ASSERT_TRUE(heddle::decode_schedule(child(), schedule));
  EXPECT_EQ(schedule.assumes, heddle::kPatientTimeouts);
}

TEST_F(AflLibrary, WithoutAnOptionTheTargetGetsTheBytes) { EXPECT_EQ(as_run({'a', 'b'}), (std::vector<uint8_t>{'a', 'b'})); }

// afl-fuzz shows what the mutator prints, so the message lists the modes itself.
TEST_F(AflLibrary, AnUnknownModeIsRefusedWithTheNamesOfTheModes) {
  setenv("HEDDLE_OPTIONS", "mode=gopiee", 1);
  EXPECT_EXIT(start_another(), testing::ExitedWithCode(2), "unknown mode 'gopiee'; the modes are mixed, gopie, ");
  unsetenv("HEDDLE_OPTIONS");
}

}  // namespace
