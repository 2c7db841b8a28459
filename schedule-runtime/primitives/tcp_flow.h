// What is on its way in TCP connections between threads of the execution.
//
// How much a connection takes, and how much of it has arrived when the other end reads, depends on the kernel's timers and on how busy the machine
// is. So heddle counts: a connection takes kTcpRoom bytes that are not read yet, and a read gets all of them for which it has room. It takes less
// if the program has asked for small buffers at both ends (tcp_buffers.h).
//
// A connection is no longer counted when that cannot be known any more: another process may use it, the kernel moves the bytes by itself (splice),
// or urgent data.
#pragma once

#include "primitives/descriptor.h"

namespace heddle::rt::primitives {

inline constexpr size_t kTcpRoom = 1 << 20;  // the kernel takes more at once, with Linux's own limits

// `end` is one of the two ends of a connection that was just made. Does nothing if it is not TCP.
void count_connection(const Description& end);
// How much the connections of this end take. Called when its buffers have changed.
void settle_room(const Description& end);
void count_no_longer(Stream* s);
// All connections: another process gets them.
void count_none();

// The call of a transfer. Returns the kernel's result, or that which it would have with the counted bytes.
long call_counted(const Transfer& t, Description& d, Stream& s);
// Everything that it takes has been written.
bool is_full(const Description& d);

}  // namespace heddle::rt::primitives
