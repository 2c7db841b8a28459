// The lines of a source file that are worth showing beside a run.
#pragma once

#include <string>
#include <vector>

namespace heddle::cli {

struct SourcePart {
  unsigned first;  // number of its first line, from 1
  std::vector<std::string> lines;
};

// The whole file if it is short, else what is near these lines. Nothing if it cannot be read.
std::vector<SourcePart> source_excerpt(const std::string& file, const std::vector<unsigned>& lines);

}  // namespace heddle::cli
