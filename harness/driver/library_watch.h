// Watches shared libraries whose variables are not restored between executions (restore/restored_modules.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::driver {

// Saves the values of their variables when it is created, and tells which have changed since. The C and C++ libraries are left out: their
// state is restored by other means, or does not depend on the program.
class LibraryWatch {
 public:
  LibraryWatch();
  // The name of the first changed library; empty: none.
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
