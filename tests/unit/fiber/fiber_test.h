// A fiber that runs a callable, for tests. Not in namespace heddle: its thread-locals are kept.
#pragma once

#include <functional>
#include <utility>

#include "fiber/fiber.h"

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

}  // namespace fiber_test
