// Where a target writes the data races that it has seen and that are no findings, one line each: the processes of one campaign share a file.
#pragma once

namespace heddle {

// The name of the environment variable with the file's path. Each process appends its lines when it ends.
inline constexpr char kRacesFileVariable[] = "HEDDLE_RACES_FILE";

}  // namespace heddle
