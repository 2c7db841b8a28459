// Begins the program's initialisation: before the first constructor, those of libraries included.
#include <unistd.h>

#include "engine/initialisation.h"
#include "harness/driver/whole_program.h"

namespace heddle::driver {
namespace {

// A program that is about to run without heddle's control reads the kernel's clocks. To know that, the environment is needed, which libc sets later.
void before_constructors(int argc, char** argv, char** environment) {
  __environ = environment;
  if (!is_program() || !runs_uncontrolled(argc, argv)) rt::initialisation().begin();
}

__attribute__((section(".preinit_array"), used)) void (*const g_first)(int, char**, char**) = before_constructors;

}  // namespace
}  // namespace heddle::driver
