// Executions for the command (schema/request.h): heddle minimize and heddle triage need thousands.
#pragma once

namespace heddle::driver {

// The environment asks for it.
bool serves_requests();

// Answers the command's requests until it closes the socket. Then the process ends.
[[noreturn]] void serve_requests();

}  // namespace heddle::driver
