// The environment variable that an execution gives to the programs that it starts. If such a program is a target, too, it must run as the program that
// it is, and not begin to fuzz.
#pragma once

namespace heddle::rt {

inline constexpr char kInExecution[] = "HEDDLE_IN_EXECUTION";

}  // namespace heddle::rt
