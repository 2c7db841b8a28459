// State of the whole process in the C library or the kernel that calls of an execution change. It is restored when the execution ends, so that every
// execution begins with the same state (docs/design/runtime-laws.md#what-an-execution-depends-on), and the fuzzing engine keeps its own.
//
// The shims of the calls handle each kind of state, which is an object here. The engine knows none of them: it asks those that were touched.
#pragma once

namespace heddle::rt {

class TouchedState {
 public:
  // `put_back` is called when an execution that has touched the state has ended, outside of all executions. Null: the state is the shims' own,
  // and is made again when it is touched next.
  constexpr explicit TouchedState(void (*put_back)()) : put_back_(put_back) {}

  // To be called on a controlled thread before it reads or changes the state. True for the first time in an execution: what is to be put back
  // is still there.
  bool touch();

 private:
  friend void put_back_touched_state();

  void (*put_back_)();
  TouchedState* next_ = nullptr;
  bool touched_ = false;
};

// The latest touched goes first. REQUIRES: no controlled thread is running.
void put_back_touched_state();

}  // namespace heddle::rt
