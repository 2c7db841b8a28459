// What the kernel keeps of TCP connections after their end must not be seen by the next execution.
//
// Once both ends are closed, nobody can see anything of a connection. The kernel would still keep it for a minute (TIME_WAIT). Then its port
// is taken when a later execution wants it, so a correct program fails once in some hundred executions, and never again with the same input.
// And each call takes longer, the more such connections there are.
#pragma once

#include <sys/socket.h>

namespace heddle::rt::primitives {

bool is_tcp(int descriptor);

// Called before the last descriptor of one end is closed. The connection is reset, so nothing is left of it: there is nobody who could miss
// what is lost by that. REQUIRES: the other end is closed in the execution, or will be before the program goes on. Does nothing if it is
// still open in the kernel: a child process may have it.
void leave_no_connection(int descriptor);

// For the connections of which something is left all the same: the program has called shutdown() on both ends. Called before a connect and
// after an accept. A listener can then have the port.
void leave_port_free(int descriptor);

// bind(). It succeeds if the port is taken only by connections for which leave_port_free() was called. Returns the kernel's result.
//
// Both set SO_REUSEADDR, which the program could read.
long bind_port(int descriptor, const sockaddr* address, unsigned size);

}  // namespace heddle::rt::primitives
