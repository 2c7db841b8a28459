// Which parts of a process are under control, as far as its files tell: which modules, and which units of the executable, are instrumented,
// and which of their calls can wait without the scheduler knowing.
#pragma once

#include <string>
#include <vector>

namespace heddle::driver {

struct Module {
  std::string path;
  bool executable = false;
  bool instrumented = false;
  // The C and C++ libraries. They need no instrumentation, because their thread functions are intercepted.
  bool of_the_system = false;
  // Units of the executable that do not call the instrumentation, by source file. Needs a symbol table.
  std::vector<std::string> bare_units;
  // Imported calls of libc that can wait without the scheduler knowing.
  std::vector<std::string> unseen_waits;
};

// The currently loaded modules, the executable first. Units of heddle and of the engine are not listed.
std::vector<Module> survey_modules();

}  // namespace heddle::driver
