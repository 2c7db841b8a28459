// The data bytes as a file, for programs that read a file.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::driver {

// Moves a descriptor far above those that the program gets.
int raise_descriptor(int low);

// A file in memory. Its descriptor is far above those of the program, so that the program gets its usual numbers.
class PayloadFile {
 public:
  // Returns false if the system refuses.
  bool make();
  // Sets the contents.
  void fill(const uint8_t* data, size_t size);
  int descriptor() const { return descriptor_; }
  const char* path() const { return path_; }

 private:
  int descriptor_ = -1;
  char path_[32] = {};
};

}  // namespace heddle::driver
