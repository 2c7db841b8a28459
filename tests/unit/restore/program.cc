// A program with every kind of variable that a link can bring, which must all be as they were after a restore. No
// GoogleTest: its own variables would be put back, too.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fiber/fiber.h"
#include "heddle/heddle.h"
#include "restore/exit_handlers.h"
#include "restore/initial_state.h"
#include "tests/unit/restore/shared.h"

int initialised = 7;
int zero;
// Volatile where the compiler could prove that no other unit writes to them, which a restore does, between executions.
static volatile int internal = 3;
int large[65536];
__attribute__((section("my_section"))) int own_section = 11;
HEDDLE_KEEP static volatile int kept = 1;
thread_local int per_thread = 5;

// The fiber library is not part of this test: without ASan leaks are not reported.
namespace heddle::fiber {
void ignore_leaks_behind(const void*, size_t) {}
}  // namespace heddle::fiber

namespace {

volatile int anonymous = 0;

struct Built {
  int value;
  Built() : value(initialised + 1) {}
};
Built built;

int& local_static() {
  static int value = initialised * 2;  // initialised again in each execution, with its guard
  return value;
}

int expect(const char* what, int found, int wanted) {
  if (found == wanted) return 0;
  std::printf("FAILED %s: %d, expected %d\n", what, found, wanted);
  return 1;
}

void change_everything() {
  initialised = 100;
  ++zero, ++own_section, ++built.value, ++per_thread;
  internal = internal + 1;
  kept = kept + 1;
  anonymous = anonymous + 1;
  ++heddle_test_inline, ++heddle_test_tentative, ++heddle_test_template<int>;
  large[0] = large[32768] = large[65535] = 9;
  ++local_static();
  heddle_test_bump_archive();
  heddle_test_bump_library();
  heddle_test_bump_bare_library();
  heddle_test_bump_runtime();
}

int check_everything(int round) {
  return expect("initialised", initialised, 7) + expect("zero", zero, 0) + expect("internal", internal, 3) +
         expect("own section", own_section, 11) + expect("built before main", built.value, 8) +
         expect("first of a large array", large[0], 0) + expect("middle", large[32768], 0) +
         expect("last", large[65535], 0) + expect("inline variable", heddle_test_inline, 21) +
         expect("tentative definition", heddle_test_tentative, 0) +
         expect("template variable", heddle_test_template<int>, 31) + expect("anonymous", anonymous, 0) +
         expect("local static", local_static(), 14) + expect("static in an archive", heddle_test_archive(), 41) +
         expect("static in an instrumented library", heddle_test_library(), 51) +
         expect("statics in a library that is not instrumented", heddle_test_bare_library(), 81) +
         expect("six variables of a runtime", heddle_test_runtime(), 6 * round) + expect("kept", kept, 1 + round) + expect("thread-local", per_thread, 5 + round);
}

int check_exit_handlers() {
  static volatile int order;
  order = 0;
  int on_the_stack = 0;
  const auto append = [](void* value) { order = order * 10 + *static_cast<int*>(value); };
  static int one = 1, two = 2;
  int failed = expect("the program's object", heddle::rt::register_exit_handler(append, &one, nullptr), 1) +
               expect("another one", heddle::rt::register_exit_handler(append, &two, nullptr), 1) +
               expect("not the program's", heddle::rt::register_exit_handler(append, &on_the_stack, nullptr), 0);
  heddle::rt::run_exit_handlers();
  failed += expect("latest first", order, 21);
  heddle::rt::register_exit_handler(append, &one, nullptr);
  heddle::rt::forget_exit_handlers();
  heddle::rt::run_exit_handlers();
  return failed + expect("forgotten", order, 21);
}

double nanoseconds_per_restore() {
  constexpr int kRepeats = 2000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kRepeats; ++i) heddle::rt::restore_initial_state();
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - begin;
  return spent.count() / kRepeats;
}

}  // namespace

int main(int argc, char** argv) {
  const bool opted_out = argc > 1 && std::string_view(argv[1]) == "opted-out";
  heddle::rt::capture_initial_state();
  const size_t size = heddle::rt::initial_state_size();
  if (opted_out) return expect("covered bytes", static_cast<int>(size), 0);

  int failed = 0;
  if (heddle::rt::restore_initial_state() != 0) {
    // Nothing was changed since, except what the C library keeps in the program: there is none.
    std::printf("FAILED: an untouched state was written\n");
    ++failed;
  }
  for (int round = 1; round <= 3; ++round) {
    change_everything();
    const size_t written = heddle::rt::restore_initial_state();
    if (written == 0 || written > 64 * 32) {
      std::printf("FAILED: %zu bytes written, expected a few blocks\n", written);
      ++failed;
    }
    failed += check_everything(round);
    heddle::rt::restore_initial_state();  // local_static() was initialised by the check
  }
  failed += check_exit_handlers();
  if (size < sizeof large) {
    std::printf("FAILED: only %zu bytes covered\n", size);
    ++failed;
  }
  std::printf("%zu bytes covered, %.0f ns to put them back\n", size, nanoseconds_per_restore());
  return failed == 0 ? 0 : 1;
}
