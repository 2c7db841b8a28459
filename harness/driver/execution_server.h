// What servers of executions share: a process that is prepared once, and forks others that make the executions (fork_server.h, requests.h).
#pragma once

#include <cstddef>

namespace heddle::driver {

// This process has executions made from now on, and ends with the process that has started it. What each of its children would do first is done
// here, once for all of them. `one_execution_each`: the children make no second execution.
void become_execution_server(bool one_execution_each);

// The engine's handlers would save inputs and print statistics, which only the engine's process should do.
void drop_engine_handlers();

// Forks a process that calls `execute`. `donors`: threads that executions have needed so far. `connection`: a descriptor of the server that
// the process does not need, or -1. Returns the wait status when it has ended; -1: it could not be forked.
int execute_in_child(size_t donors, int connection, void (*execute)(void* argument), void* argument);

}  // namespace heddle::driver
