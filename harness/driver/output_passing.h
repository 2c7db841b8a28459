// A process's standard output and error for another process, over a socket between them.
#pragma once

namespace heddle::driver {

void pass_outputs(int socket);
// What was passed becomes this process's own; what is no such message is left out.
void take_outputs(int socket);

}  // namespace heddle::driver
