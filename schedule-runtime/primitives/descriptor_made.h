// New descriptors: what is behind each, and which streams connect them. All descriptors in the kernel are non-blocking; `nonblocking` is
// what the program asked for.
#pragma once

#include "primitives/descriptor_table.h"

struct sockaddr;

namespace heddle::rt::primitives {

void made_pipe(int reads, int writes, bool nonblocking, Place place);
void made_socket_pair(int one, int other, bool nonblocking, Place place);
void made_socket(int descriptor, bool nonblocking, Place place);
void made_eventfd(int descriptor, bool nonblocking, Place place);
void made_epoll(int descriptor, Place place);
// A connection that was accepted from a listener. `half`: of take_connection(). Returns its number, which can be another one than the
// kernel has given, or -errno.
long made_accepted(Description* half, int descriptor, bool nonblocking, Place place);

long socket_bind(int descriptor, const sockaddr* address, unsigned size);
// May another process end a wait on it? No if it is a listener whose address the kernel has found: only the program knows that.
bool may_end_outside(const Description& d);
// REQUIRES: the socket is in the table. 0, -errno or kWaitsOutside.
long socket_connect(int descriptor, const sockaddr* address, unsigned size, Place place);

}  // namespace heddle::rt::primitives
