#include "intercept/refuse.h"

#include <unistd.h>

#include <cstdio>

#include "base/line.h"

namespace heddle::rt {

void refuse(const char* call, const Place& place, const char* advice) {
  char line[256];
  snprintf(line, sizeof line, "%s is not supported on a controlled thread: %s", call, advice);
  engine().misuse(FindingType::unsupported, nullptr, place, kNoEvent, kNoEvent, line);
  // Never go on as if the call had worked, whatever the report's options say.
  print_line(2, "heddle: %s\n", line);
  _exit(99);
}

}  // namespace heddle::rt
