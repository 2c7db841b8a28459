// What the runtime makes of panics, and of wait groups that are used out of order.
#include <gtest/gtest.h>
#include <heddle/csp.h>

#include <thread>
#include <vector>

#include "controlled_run.h"

namespace heddle::test {
namespace {

using rt::FindingType;

TEST(Panic, IsNoFindingWhereItIsExpected) {
  bool caught = false, outside = false;
  const Result r = run_seed(1, [&] {
    auto c = make_chan<void>(1);
    c.close();
    caught = recover([&] { c.send(); }).has_value();
    try {
      c.close();
    } catch (const panic_error&) {
      outside = true;
    }
  });
  EXPECT_TRUE(caught && outside);
  EXPECT_EQ(r.findings, std::vector{FindingType::close_of_closed_channel});
}

TEST(WaitGroup, AnAddThatBeginsARoundIsOrderedWithTheWaits) {
  const Ends beside = run_seeds(100, [] {
    wait_group all;
    std::thread other([&] {
      all.add(1);
      all.done();
    });
    all.wait();
    other.join();
  });
  EXPECT_GT(beside.findings.at(FindingType::wait_group_misuse), 10);  // not again in an order that has been judged
  const Ends before = run_seeds(100, [] {
    wait_group all;
    all.add(1);
    std::thread other([&] {
      all.add(1);
      all.add(-2);
    });
    all.wait();
    all.add(1);
    all.done();
    other.join();
    all.wait();
  });
  EXPECT_EQ(before.finished, 100);
  EXPECT_TRUE(before.findings.empty());
}

}  // namespace
}  // namespace heddle::test
