// The handlers of pthread_atfork. In an execution they run as operations of the thread that forks, so heddle sees the locks that they take.
#pragma once

namespace heddle::rt {

enum class ForkHandlers { prepare, in_parent, in_child };
// As in the C library: prepare() in the reverse of the order in which they were registered, the others in that order.
void run_fork_handlers(ForkHandlers which);

}  // namespace heddle::rt
