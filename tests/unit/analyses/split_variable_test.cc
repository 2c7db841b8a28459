#include "analyses/report/split_variable.h"

#include <gtest/gtest.h>

namespace heddle::rt {
namespace {

void expect(std::string_view symbol, std::string_view name, std::string_view part, bool block) {
  const SplitVariable split = split_variable(symbol);
  EXPECT_EQ(split.name, name) << symbol;
  EXPECT_EQ(split.part, part) << symbol;
  EXPECT_EQ(split.block, block) << symbol;
}

TEST(SplitVariable, HasTheNameOfTheWhole) {
  expect("server", "server", "", false);
  expect("server.0", "server", ".0", false);
  expect("server.12", "server", ".12", false);
  expect("ns::server (.0)", "ns::server", ".0", false);
  expect("server.0.body", "server", ".0", true);
  expect("ns::server (.body)", "ns::server", "", true);
  expect("ns::server (.0.body)", "ns::server", ".0", true);
}

TEST(SplitVariable, IsNamedWithoutTheBodyOfTheFuzzTest) {
  expect("LLVMFuzzerTestOneInput::hits", "hits", "", false);
  expect("LLVMFuzzerTestOneInput::$_0::operator()() const::hits", "$_0::operator()() const::hits", "", false);
  expect("LLVMFuzzerTestOneInput.hits", "hits", "", false);
  expect("LLVMFuzzerTestOneInput.hits.0", "hits", ".0", false);
  expect("heddle_body_of_queue()::m", "m", "", false);
  expect("LLVMFuzzerTestOneInput", "LLVMFuzzerTestOneInput", "", false);
  expect("heddle_body_of_queue", "heddle_body_of_queue", "", false);
}

TEST(SplitVariable, IsNoStaticOfAFunction) {
  expect("main.requests", "main.requests", "", false);
  expect("request.body", "request.body", "", false);
}

}  // namespace
}  // namespace heddle::rt
