#include "intercept/process/test_frameworks.h"

#include <string.h>

#include "base/elf.h"

namespace heddle::rt {
namespace {

struct Framework {
  const char* function;  // mangled; each program with the framework has it
  const char* advice;
};

constexpr const char* kAcutest = "acutest starts a process for each test. Let it run them in one: HEDDLE_OPTIONS=args=--no-exec";

// In the order of preference: a program with GoogleTest always contains its death tests, whoever forks.
constexpr Framework kFrameworks[] = {
    {"acutest_run_", kAcutest},
    {"test_do_run__", kAcutest},  // before its functions were renamed,
    {"test_do_run_", kAcutest},   // and before that
    {"munit_suite_main_custom", "munit starts a process for each test. Let it run them in one: HEDDLE_OPTIONS=args=--no-fork"},
    {"srunner_run_all", "Check starts a process for each test. Let it run them in one: set CK_FORK=no in the environment"},
    {"criterion_run_all_tests", "Criterion starts a process for each test, and cannot do otherwise. Use another main for these tests"},
    {"_ZN7testing8internal13ExecDeathTest10AssumeRoleEv",
     "if this is a death test of GoogleTest, leave it out: HEDDLE_OPTIONS=args='--gtest_filter=-*DeathTest*'"},
};
constexpr size_t kCount = sizeof kFrameworks / sizeof *kFrameworks;

const Framework* framework() {
  size_t found = kCount;
  each_function(
      [](const Symbol& symbol, void* best) {
        auto& index = *static_cast<size_t*>(best);
        for (size_t i = 0; i < index; ++i) {
          if (strcmp(symbol.name, kFrameworks[i].function) == 0) index = i;
        }
      },
      &found);
  return found != kCount ? &kFrameworks[found] : nullptr;
}

}  // namespace

const char* advice_for_fork(const char* otherwise) {
  const Framework* const used = framework();
  return used != nullptr ? used->advice : otherwise;
}

}  // namespace heddle::rt
