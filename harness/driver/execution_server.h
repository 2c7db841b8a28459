// What servers of executions share: a process that is prepared once, and forks another one for each execution (fork_server.h, requests.h).
#pragma once

#include <cstddef>

namespace heddle::driver {

// This process makes executions from now on, and ends with the process that has started it. What each execution would do first is done here,
// once for all of them.
void become_execution_server();

// The engine's handlers would save inputs and print statistics, which only the engine's process should do.
void drop_engine_handlers();

// Forks a process for one execution, which calls `execute`. `donors`: threads that executions have needed so far. `connection`: the server's
// descriptor, which the execution does not need. Returns the wait status when it has ended; -1: it could not be forked.
int execute_in_child(size_t donors, int connection, void (*execute)(void* argument), void* argument);

}  // namespace heddle::driver
