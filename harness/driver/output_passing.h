// Passes standard output and error of a process to another process, through a socket.
#pragma once

namespace heddle::driver {

void pass_outputs(int socket);
// Replaces this process's standard output and error by the passed descriptors. Other messages are ignored.
void take_outputs(int socket);

}  // namespace heddle::driver
