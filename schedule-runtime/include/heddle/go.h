// Starts a detached thread: heddle::go(f, arguments...).
//
//   heddle::go([done, jobs] { for (Job& job : jobs) run(job); done.close(); });
//
// The function and its arguments are copied or moved into the thread, as by std::thread. It is a
// thread of the operating system: ten thousand of them are many. Throws std::system_error if the
// system cannot start another one. An exception that leaves the function ends the program. Nothing
// waits for the thread: to wait for it, use a channel or wait_group::go.
#ifndef HEDDLE_GO_H_
#define HEDDLE_GO_H_

#include <thread>

namespace heddle {

// Instrumented, as std::thread is: the calling context of the new thread is the user's call.
template <class F, class... Arguments>
void go(F&& f, Arguments&&... arguments) {
  std::thread(static_cast<F&&>(f), static_cast<Arguments&&>(arguments)...).detach();
}

}  // namespace heddle

#endif  // HEDDLE_GO_H_
