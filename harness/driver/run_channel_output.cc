#include "harness/driver/run_channel_output.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/line.h"
#include "schema/run_channel.h"

namespace heddle::driver {
namespace {

constinit void* channel = nullptr;

void* map_channel(const char* path) {
  const int file = open(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return nullptr;
  struct stat status;
  void* memory = MAP_FAILED;
  if (fstat(file, &status) == 0 && status.st_size >= static_cast<off_t>(kRunChannelSize)) {
    memory = mmap(nullptr, kRunChannelSize, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  } else {
    errno = EINVAL;
  }
  const int error = errno;
  close(file);
  errno = error;
  return memory != MAP_FAILED ? memory : nullptr;
}

}  // namespace

void open_run_channel() {
  const char* path = std::getenv(kRunChannelVariable);
  if (path == nullptr) return;
  channel = map_channel(path);
  if (channel == nullptr) {
    rt::print_line(2, "heddle: %s=%s: %s. The mutator learns nothing from the executions\n", kRunChannelVariable, path,
                   std::strerror(errno));
  }
}

bool has_run_channel() { return channel != nullptr; }

void publish_run(const RunSummary& run) {
  if (channel != nullptr) write_run(channel, run);
}

}  // namespace heddle::driver
