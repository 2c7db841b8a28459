// Panics: misuse that Go answers with a panic, and that is an exception here.
//
// A send on a closed channel, a close of a closed or nil one, and a negative wait group throw
// `panic_error`. In an execution of a fuzz target each is a finding. A program that expects one,
// because it catches it on purpose, says so:
//
//   std::optional<std::string> why = heddle::recover([&] { results.send(r); });  // empty: no panic
//
// or, around code with a try block of its own:
//
//   heddle::expect_panic here;
//   try { results.send(r); } catch (const heddle::channel_error&) { ++dropped; }
//
// This holds for the calling thread, until the object is destroyed. Only panics are no findings
// then: a wrong unlock or a deadlock is one as everywhere.
#ifndef HEDDLE_PANIC_H_
#define HEDDLE_PANIC_H_

#include <heddle/detail/hooks.h>
#include <heddle/heddle.h>

#include <optional>
#include <stdexcept>
#include <string>

namespace heddle {

class panic_error : public std::logic_error {
 public:
  HEDDLE_UNSEEN explicit panic_error(const char* text) : std::logic_error(text) {}
  HEDDLE_UNSEEN panic_error(const panic_error& other) noexcept : std::logic_error(other) {}
  HEDDLE_UNSEEN ~panic_error() override {}
};

// Scopes of one thread can be nested.
class expect_panic {
 public:
  HEDDLE_UNSEEN expect_panic() noexcept { expect(1); }
  HEDDLE_UNSEEN ~expect_panic() { expect(-1); }
  expect_panic(const expect_panic&) = delete;
  expect_panic& operator=(const expect_panic&) = delete;

 private:
  HEDDLE_UNSEEN static void expect(int more) noexcept {
    if (under_control()) heddle_expect_panic(more);
  }
};

// Calls f(). If that panics, returns the panic's text. Other exceptions pass.
template <class F>
HEDDLE_UNSEEN std::optional<std::string> recover(F&& f) {
  const expect_panic here;
  try {
    static_cast<F&&>(f)();
  } catch (const panic_error& panic) {
    return panic.what();
  }
  return std::nullopt;
}

}  // namespace heddle

#endif  // HEDDLE_PANIC_H_
