// Inputs to begin a search with.
#pragma once

#include <filesystem>

namespace heddle::cli {

// Writes a few simple schedules into the directory, as HEDDLE_OPTIONS want them.
void write_first_seeds(const std::filesystem::path& directory);

}  // namespace heddle::cli
