// The files of a new project with one fuzz target.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

struct ProjectFile {
  std::string path;  // in the project's directory
  std::string text;
};

std::vector<ProjectFile> new_project(const std::string& name);

}  // namespace heddle::cli
