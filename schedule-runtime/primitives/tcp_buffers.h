// The sizes of buffers that the program asks for on TCP sockets (SO_SNDBUF, SO_RCVBUF).
//
// The kernel does not get them. With small buffers, its timers decide when there is room again: an acknowledgement can take 40 ms, and for the
// program's threads, which do not wait in real time, the room would never come. So they only say how much a connection takes (tcp_flow.h).
#pragma once

namespace heddle::rt::primitives {

// setsockopt(). False: this is no such option, or no TCP socket of the execution. The kernel has to be asked.
bool ask_for_buffer(int descriptor, int option, int size);
// getsockopt(). 0: the kernel has to be asked.
int buffer_asked_for(int descriptor, int option);

}  // namespace heddle::rt::primitives
