// Notes the user's position for the operations in its scope, which happen inside a library function that says nothing about the program.
#pragma once

#include "engine/engine.h"

namespace heddle::rt {

class OuterPlace {
 public:
  explicit OuterPlace(uintptr_t pc) : thread_(current_thread()) {
    if (thread_ == nullptr) return;
    saved_ = thread_->outer_pc;
    thread_->outer_pc = pc;
  }
  ~OuterPlace() {
    if (thread_ != nullptr) thread_->outer_pc = saved_;
  }
  OuterPlace(const OuterPlace&) = delete;
  OuterPlace& operator=(const OuterPlace&) = delete;

 private:
  Thread* thread_;
  uintptr_t saved_ = 0;
};

}  // namespace heddle::rt
