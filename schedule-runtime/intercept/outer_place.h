// Stores the user's position for operations within its scope. They happen inside a library function, whose position says nothing about the
// program.
#pragma once

#include <utility>

#include "engine/engine.h"

namespace heddle::rt {

class OuterPlace {
 public:
  // `frame` is the shim's, if the library function has nothing of the program on the stack and calls no code of the program; else 0.
  explicit OuterPlace(uintptr_t pc, uintptr_t frame = 0) : thread_(current_thread()) {
    if (thread_ == nullptr) return;
    saved_pc_ = std::exchange(thread_->outer_pc, pc);
    saved_frame_ = std::exchange(thread_->outer_frame, frame);
  }
  ~OuterPlace() {
    if (thread_ == nullptr) return;
    thread_->outer_pc = saved_pc_;
    thread_->outer_frame = saved_frame_;
  }
  OuterPlace(const OuterPlace&) = delete;
  OuterPlace& operator=(const OuterPlace&) = delete;

 private:
  Thread* thread_;
  uintptr_t saved_pc_ = 0, saved_frame_ = 0;
};

}  // namespace heddle::rt
