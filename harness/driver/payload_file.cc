#include "harness/driver/payload_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

#include "base/high_copy.h"
#include "base/line.h"

namespace heddle::driver {

int raise_descriptor(int low) {
  const long high = rt::high_copy(static_cast<uintptr_t>(low));
  if (high < 0) return low;
  close(low);
  return static_cast<int>(high);
}

bool PayloadFile::make() {
  if (descriptor_ >= 0) return true;
  const int low = memfd_create("payload", MFD_CLOEXEC);
  if (low < 0) return false;
  descriptor_ = raise_descriptor(low);
  std::snprintf(path_, sizeof path_, "/proc/self/fd/%d", descriptor_);
  return true;
}

void PayloadFile::fill(const uint8_t* data, size_t size) {
  if (ftruncate(descriptor_, 0) != 0) return;
  lseek(descriptor_, 0, SEEK_SET);
  rt::write_all(descriptor_, reinterpret_cast<const char*>(data), size);
  lseek(descriptor_, 0, SEEK_SET);
}

}  // namespace heddle::driver
