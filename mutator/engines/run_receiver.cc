#include "mutator/engines/run_receiver.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "schema/run_channel.h"

namespace heddle::mutator {

RunReceiver::~RunReceiver() {
  if (memory_ != nullptr) munmap(memory_, kRunChannelSize);
  if (file_ >= 0) close(file_);
}

bool RunReceiver::open() {
  file_ = memfd_create("heddle-run", MFD_CLOEXEC);
  if (file_ < 0 || ftruncate(file_, static_cast<off_t>(kRunChannelSize)) != 0) return false;
  void* memory = mmap(nullptr, kRunChannelSize, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
  if (memory == MAP_FAILED) return false;
  memory_ = memory;
  const std::string path = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file_);
  return setenv(kRunChannelVariable, path.c_str(), 1) == 0;
}

bool RunReceiver::receive(RunSummary& run) {
  uint64_t number;
  if (memory_ == nullptr || !read_run(memory_, run, number) || number == last_) return false;
  last_ = number;
  return true;
}

}  // namespace heddle::mutator
