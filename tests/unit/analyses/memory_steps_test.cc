#include "analyses/report/memory_steps.h"

#include <gtest/gtest.h>

#include "tests/unit/analyses/run_builder.h"

namespace heddle::rt {
namespace {

using testing::RunBuilder;

class SourceOfARead : public ::testing::Test {
 protected:
  SourceOfARead() {
    access_log().initialise();
    access_log().begin();
    for (uint32_t& thread : threads_) thread = run_.thread(0, 10);
  }
  void write(uint32_t thread) { add(thread, 0, true); }
  void read(uint32_t thread, uint64_t value) { add(thread, value, false); }
  // Of the last access.
  uint32_t source() {
    const RunSummary& run = run_.run();
    const MemorySteps steps(run, run.event_count, access_log().total(), true);
    return steps.source(steps.size() - 1);
  }
  uint32_t last_write() {
    const RunSummary& run = run_.run();
    const MemorySteps steps(run, run.event_count, access_log().total(), true);
    uint32_t last = kNoStep;
    for (uint32_t i = 0; i < steps.size(); ++i) {
      if (steps[i].writes && steps[i].access != nullptr) last = i;
    }
    return last;
  }

  uint32_t threads_[2];

 private:
  void add(uint32_t thread, uint64_t value, bool write) {
    access_log().add({0x5000, value, thread, 20, static_cast<uint32_t>(run_.events().size()), 8, write, !write});
  }
  RunBuilder run_;
};

TEST_F(SourceOfARead, IsTheLastWrite) {
  write(threads_[0]);
  write(threads_[1]);
  read(threads_[0], 5);
  read(0, 5);
  EXPECT_EQ(source(), last_write());
}

TEST_F(SourceOfARead, IsNotKnownIfAnEarlierReadFoundAnotherValue) {
  write(threads_[0]);
  read(threads_[1], 5);
  read(0, 7);  // code that is not instrumented has written
  EXPECT_EQ(source(), kNoStep);
}

TEST_F(SourceOfARead, IsTheWriteAfterAReadOfAnotherValue) {
  read(threads_[1], 5);
  write(threads_[0]);
  read(0, 7);
  EXPECT_EQ(source(), last_write());
}

}  // namespace
}  // namespace heddle::rt
