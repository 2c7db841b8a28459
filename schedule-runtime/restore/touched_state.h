// State of the whole process, in the C library or the kernel, that calls of an execution change. It is restored when the execution ends. So
// every execution begins with the same state (docs/design/runtime-laws.md#what-an-execution-depends-on), and the fuzzing engine keeps its
// own.
//
// The shims of the calls handle each kind of state, which is one object here. The engine does not know the kinds: it restores the objects
// that were touched.
#pragma once

namespace heddle::rt {

class TouchedState {
 public:
  // `put_back` is called after an execution that has touched the state, outside of all executions. Null: the state belongs to the shims,
  // and is created again on the next use.
  constexpr explicit TouchedState(void (*put_back)()) : put_back_(put_back) {}

  // Called on a controlled thread before it reads or changes the state. True for the first time in an execution: then the state to restore
  // is still unchanged.
  bool touch();

 private:
  friend void put_back_touched_state();

  void (*put_back_)();
  TouchedState* next_ = nullptr;
  bool touched_ = false;
};

// Restores the latest touched first. REQUIRES: no controlled thread is running.
void put_back_touched_state();

}  // namespace heddle::rt
