// Shared libraries that are not instrumented: their variables are not put back between executions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::driver {

// Remembers what their variables are when it is made, and says which of them have changed since. The C and C++ libraries are left out: what they
// keep is put back by other means, or says nothing about the program.
class LibraryWatch {
 public:
  LibraryWatch();
  // The name of the first one that has; empty: none.
  std::string changed() const;

 private:
  struct Range {
    const unsigned char* begin;
    size_t size;
    uint64_t hash;
    std::string library;
  };
  std::vector<Range> ranges_;
};

}  // namespace heddle::driver
