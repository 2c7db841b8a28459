// Passes standard output and error of a process to another process, over a socket.
#pragma once

namespace heddle::driver {

void pass_outputs(int socket);
// The passed descriptors replace this process's own. Other messages are ignored.
void take_outputs(int socket);

}  // namespace heddle::driver
