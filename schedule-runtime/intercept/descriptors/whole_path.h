// A path from the root, of a name that is relative to a directory.
#pragma once

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>

#include <string_view>

#include "base/path.h"
#include "base/raw_syscall.h"

namespace heddle::rt {

class WholePath {
 public:
  // `at`: as of openat. False: there is no such directory, or the path is too long.
  bool set(int at, const char* path) { return (path[0] == '/' || set_directory(at)) && add(path); }
  // At its end. False: it is too long.
  bool add(std::string_view part) {
    if (size_ + part.size() > sizeof text_) return false;
    memcpy(text_ + size_, part.data(), part.size());
    size_ += part.size();
    return true;
  }
  std::string_view view() const { return {text_, size_}; }

 private:
  bool set_directory(int at) {
    if (at == AT_FDCWD) {
      const long n = raw_syscall(SYS_getcwd, word(text_), sizeof text_) - 1;  // with its zero
      size_ = n > 0 && text_[0] == '/' ? static_cast<size_t>(n) : 0;
    } else {
      size_ = path_of_number(at, text_).size();
    }
    return size_ != 0 && (text_[size_ - 1] == '/' || add("/"));
  }

  char text_[PATH_MAX];
  size_t size_ = 0;
};

}  // namespace heddle::rt
