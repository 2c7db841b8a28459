#include "races/full_table.h"

#include "base/line.h"

namespace heddle::rt {

__attribute__((noinline, cold)) void say_full(const char* what) {
  static bool said = false;
  if (said) return;
  said = true;
  print_line(2, "heddle: race detection: an execution has too many %s. Some races are missed; no false race is reported\n", what);
}

}  // namespace heddle::rt
