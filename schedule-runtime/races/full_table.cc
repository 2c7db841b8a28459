#include "races/full_table.h"

#include "base/line.h"

namespace heddle::rt {

__attribute__((noinline, cold)) void say_full(const char* what) {
  static bool said = false;
  if (said) return;
  said = true;
  print_line(2, "heddle: race detection: an execution has more %s than are watched; races are missed there, none is invented\n", what);
}

}  // namespace heddle::rt
