#include "analyses/report/demangled_name.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace heddle::rt {
namespace {

std::string name_of(std::string_view demangled, size_t room = 200) {
  std::string out(room, 'x');
  const size_t n = put_qualified_name(demangled, out.data(), room);
  EXPECT_LT(n, room);
  EXPECT_EQ(out[n], '\0');
  return out.substr(0, n);
}

TEST(DemangledNames, TheQualifiedNameIsLeft) {
  const std::pair<const char*, const char*> names[] = {
      {"main", "main"},
      {"LLVMFuzzerTestOneInput", "LLVMFuzzerTestOneInput"},
      {"push(int, char const*)", "push"},
      {"app::Broker::publish(std::function<void (int)> const&) const", "app::Broker::publish"},
      {"(anonymous namespace)::push()", "push"},
      {"(anonymous namespace)::Queue::push(int)", "Queue::push"},
      {"void Queue<int>::push<char>(char&&)", "Queue<int>::push<char>"},
      {"unsigned long count<int>()", "count<int>"},
      {"decltype(auto) pick<int>(int)", "pick<int>"},
      {"std::vector<int, std::allocator<int>> made<int>()", "made<int>"},
      {"std::vector<Session, std::allocator<Session>, And<More>>::push_back(Session&&)", "std::vector<...>::push_back"},
      {"Session::~Session()", "Session::~Session"},
      {"test()::$_0::operator()() const", "test::$_0"},
      {"test(int)::'lambda'(int)::operator()(int) const", "test::lambda"},
      {"Pool::start()::'lambda0'()::operator()() const", "Pool::start::lambda#2"},
      {"Pool::start()::{lambda(int)#1}::operator()(int) const", "Pool::start::lambda"},
      {"test()::{lambda()#3}::operator()() const", "test::lambda#3"},
      {"auto test()::'lambda'(auto)::operator()<int>(auto) const", "test::lambda"},
      {"Less::operator()(int, int) const", "Less::operator()"},
      {"Wide::operator<(Wide const&) const", "Wide::operator<"},
      {"Wide::operator->() const", "Wide::operator->"},
      {"std::ostream& operator<< <int>(std::ostream&, int)", "operator<< <int>"},
      {"Wide::operator unsigned long() const", "Wide::operator unsigned long"},
      {"operator new(unsigned long)", "operator new"},
      {"operators::apply(int)", "operators::apply"},
      {"my_operator(int)", "my_operator"},
      {"f(int) (.cold)", "f"},
      {"f[abi:cxx11](int)", "f"},
      {"A<(B)1, &f(int)>::g()", "A<(B)1, &f(int)>::g"},
      {"", ""},
      {"(", "("},
      {"'lambda", "lambda#2"},
      {"{lambda", "lambda"},
      {"f<", "f<"},
  };
  for (const auto& [demangled, name] : names) EXPECT_EQ(name_of(demangled), name) << demangled;
}

TEST(DemangledNames, WhatDoesNotFitIsCut) {
  EXPECT_EQ(name_of("abcdefgh(int)", 4), "abc");
  EXPECT_EQ(name_of("(*abcdefgh)(int)", 4), "(*a");
}

TEST(DemangledNames, AnyTextIsRead) {
  static constexpr const char* kParts[] = {"(", ")", "<", ">", "::", " ", "'lambda", "'", "{lambda", "#", "}", "operator", "()", "~", "a", "1", "[", "-", "$_0"};
  EXPECT_TRUE(rc::check([] {
    std::string text;
    for (const size_t part : *rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(0, std::size(kParts)))) text += kParts[part];
    RC_ASSERT(name_of(text, *rc::gen::inRange<size_t>(1, 40)).size() < 40u);
  }));
}

}  // namespace
}  // namespace heddle::rt
