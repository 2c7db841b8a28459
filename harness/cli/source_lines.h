// The text of source lines.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace heddle::cli {

// A line that the next build of a changed program still has: it is recognised by its text.
struct SourceLine {
  std::string file;  // its name without directories
  unsigned line = 0;
  std::string function;
  std::string text;  // empty: the source was not there

  bool operator==(const SourceLine&) const = default;
};

// "dir/queue.cc:41" or "dir/queue.cc:41:7". False: there is no line.
bool split_location(const std::string& location, std::string& path, unsigned& line);

class SourceTexts {
 public:
  // Without space at both ends, and shortened. Empty: there is no such line.
  const std::string& text(const std::string& path, unsigned line);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle::cli
