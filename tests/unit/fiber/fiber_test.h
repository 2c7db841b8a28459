// A fiber that runs a callable, for tests. Not in namespace heddle: its thread-locals are kept.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <functional>
#include <utility>

#include "base/fault.h"
#include "fiber/context.h"
#include "fiber/fiber.h"
#include "fiber/thread_pointer_trap.h"

namespace fiber_test {

namespace fiber = heddle::fiber;
using fiber::Fiber;

class Runner {
 public:
  explicit Runner(std::function<void()> body) : body_(std::move(body)) {
    fiber::initialise();
    fiber_ = fiber::acquire(&call, this);
  }
  ~Runner() {
    if (fiber_ != nullptr) fiber::release(fiber_);
  }
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  Fiber* fiber() const { return fiber_; }
  void resume() { fiber::switch_to(fiber_); }

 private:
  static void call(void* self) { static_cast<Runner*>(self)->body_(); }

  std::function<void()> body_;
  Fiber* fiber_ = nullptr;
};

#if defined(__x86_64__)
// Lives while switches are made as in an execution on a machine whose kernel wants to be asked for them (fiber/thread_pointer_trap.h).
class TrapOn {
 public:
  static inline int mended = 0;

  TrapOn() {
    fiber::initialise();
    instruction_ = heddle_fiber_use_wrfsbase;
    fiber::thread_pointer_trap().look(true);
    if (!possible()) return;
    struct sigaction action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &before_);
    heddle::rt::g_faults_are_mended = true;
    mended = 0;
    fiber::thread_pointer_trap().begin_execution();
  }
  ~TrapOn() {
    if (!possible()) return;
    fiber::thread_pointer_trap().set(false);
    heddle::rt::g_faults_are_mended = false;
    sigaction(SIGSEGV, &before_, nullptr);
    heddle_fiber_use_wrfsbase = instruction_;
  }
  TrapOn(const TrapOn&) = delete;
  TrapOn& operator=(const TrapOn&) = delete;

  bool possible() const { return fiber::thread_pointer_trap().possible(); }

 private:
  static void handle(int signal, siginfo_t* info, void* context) {
    if (!heddle::rt::mend_fault(signal, info, context)) _exit(1);
    ++mended;
  }

  struct sigaction before_ = {};
  uint8_t instruction_ = 0;
};
#endif

}  // namespace fiber_test
