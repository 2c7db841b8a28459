#include "intercept/refuse.h"

#include <sys/syscall.h>

#include <cstdio>

#include "base/exit_codes.h"
#include "base/line.h"
#include "base/raw_syscall.h"

namespace heddle::rt {

void refuse(const char* call, Place place, const char* advice) {
  char line[256];
  snprintf(line, sizeof line, "%s is not supported on a controlled thread: %s", call, advice);
  engine().misuse(FindingType::unsupported, nullptr, place, kNoEvent, kNoEvent, line);
  // Never continue as if the call had worked, with any report options.
  print_line(2, "heddle: %s\n", line);
  raw_syscall(SYS_exit_group, kInternalErrorExit);
}

}  // namespace heddle::rt
