#include "analyses/report/split_variable.h"

#include <gtest/gtest.h>

namespace heddle::rt {
namespace {

void expect(std::string_view symbol, std::string_view name, bool part, bool block) {
  const SplitVariable split = split_variable(symbol);
  EXPECT_EQ(split.name, name) << symbol;
  EXPECT_EQ(split.part, part) << symbol;
  EXPECT_EQ(split.block, block) << symbol;
}

TEST(SplitVariable, HasTheNameOfTheWhole) {
  expect("server", "server", false, false);
  expect("server.0", "server", true, false);
  expect("server.12", "server", true, false);
  expect("ns::server (.0)", "ns::server", true, false);
  expect("server.0.body", "server", false, true);
  expect("ns::server (.body)", "ns::server", false, true);
  expect("ns::server (.0.body)", "ns::server", false, true);
}

TEST(SplitVariable, IsNoStaticOfAFunction) {
  expect("main.requests", "main.requests", false, false);
  expect("request.body", "request.body", false, false);
}

}  // namespace
}  // namespace heddle::rt
