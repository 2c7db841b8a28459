// The pointer in a handle of a channel or a context. A handle is a variable of the program like any
// other: two threads that use it without order race. The functions of the library are not
// instrumented, so they announce these accesses here.
#ifndef HEDDLE_DETAIL_HANDLE_H_
#define HEDDLE_DETAIL_HANDLE_H_

#include <heddle/detail/hooks.h>
#include <heddle/heddle.h>

namespace heddle::detail {

namespace real {
// Instrumented: a thread sanitizer sees the access.
template <class State>
State* read_handle(State* const& handle) {
  return handle;
}
template <class State>
void write_handle(State*& handle, State* state) {
  handle = state;
}
}  // namespace real

template <class State>
HEDDLE_UNSEEN State* read_handle(State* const& handle, Caller caller) {
  if (heddle_handle_access == nullptr) return real::read_handle(handle);
  heddle_handle_access(&handle, 0, caller.pc, caller.frame);
  return handle;
}

// Returns the former state of a handle that exists.
template <class State>
HEDDLE_UNSEEN State* exchange_handle(State*& handle, State* state, Caller caller) {
  if (heddle_handle_access == nullptr) {
    State* const old = real::read_handle(handle);
    real::write_handle(handle, state);
    return old;
  }
  heddle_handle_access(&handle, 1, caller.pc, caller.frame);
  State* const old = handle;
  handle = state;
  return old;
}

// For a handle that begins.
template <class State>
HEDDLE_UNSEEN void begin_handle(State*& handle, State* state, Caller caller) {
  if (heddle_handle_access == nullptr) return real::write_handle(handle, state);
  heddle_handle_access(&handle, 1, caller.pc, caller.frame);
  handle = state;
}

}  // namespace heddle::detail

#endif  // HEDDLE_DETAIL_HANDLE_H_
