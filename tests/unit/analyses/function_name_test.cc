#include "analyses/report/function_name.h"

#include <gtest/gtest.h>

#include <utility>

namespace heddle::rt {
namespace {

TEST(FunctionNames, SimpleOnesAreReadWithoutADemangler) {
  const std::pair<const char*, const char*> names[] = {
      {"main", "main"},
      {"_Z4pushi", "push"},
      {"_ZL4pushi", "push"},
      {"_ZN5Queue4pushEi", "Queue::push"},
      {"_ZN12_GLOBAL__N_14pushEv", "(anon)::push"},
      {"_ZZL4testvENK3$_1clEv", "test::$_1"},
      {"_ZZN4Base5startEvENKUlvE_clEv", "Base::start::lambda"},
      {"_ZZ4testvENKUliE0_clEi", "test::lambda#2"},
      {"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJZL4testvE3$_1EEEEE6_M_runEv", "test::$_1"},
      {"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJZN4Base5startEvEUlvE_EEEEE6_M_runEv", "Base::start::lambda"},
      {"_ZNSt17_Function_handlerIFvvEZ4testvE3$_0E9_M_invokeERKSt9_Any_data", "test::$_0"},
      {"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJZN6heddle10wait_group2goIZL4testvE3$_2JEEEvOT_DpOT0_EUlvE_EEEEE6_M_runEv", "test::$_2"},
      {"_ZNSt6vectorIZ4testvE5LocalSaIS1_EE9push_backERKS1_", "_ZNSt6vectorIZ4testvE5LocalSaIS1_EE9push_backERKS1_"},
      {"_Z3runIZ4testvE3$_0EvT_", "run"},
      {"_ZN4PoolC2Ei", "Pool::Pool"},
      {"_ZN3net4PoolD0Ev", "net::Pool::~Pool"},
      {"_ZNSt10_Sp_lockerC1EPKv", "std::_Sp_locker::_Sp_locker"},
      {"_ZNSt6thread11_State_implINS_8_InvokerISt5tupleIJZN4PoolC1EiEUlvE_EEEEE6_M_runEv", "Pool::Pool::lambda"},
      {"_ZZN4PoolC1EiENKUlvE_clEv", "Pool::Pool::lambda"},
      {"_ZN4Pooldl1EPv", "_ZN4Pooldl1EPv"},
      {"_ZZ4testvE5count", "_ZZ4testvE5count"},
      {"_Z3fooIiEvv", "foo"},
      {"_ZN99999xE", "_ZN99999xE"},
  };
  for (const auto& [mangled, name] : names) EXPECT_STREQ(short_function_name(mangled), name) << mangled;
}

TEST(FunctionNames, OfALambdaAmongTheTypesOfAnInstance) {
  EXPECT_STREQ(lambda_among_types("_Z3runIZ4testvE3$_0EvT_"), "test::$_0");
  EXPECT_STREQ(lambda_among_types("_ZN4Pool6submitIZN4Base5startEvEUlvE_EEvT_"), "Base::start::lambda");
  for (const char* none : {"main", "_Z3fooIiEvv", "_Z1fI1ZEvv", "_ZZ4testvE5count", "_Z"}) EXPECT_EQ(lambda_among_types(none), nullptr) << none;
}

}  // namespace
}  // namespace heddle::rt
