// The functions that a module imports: the table of pointers through which it calls them (.got.plt).
#pragma once

#include <link.h>

namespace heddle::rt {

struct Import {
  const char* name;
  void** slot;
  bool read_only;  // the dynamic linker has protected the table
};

// Calls `take` for each function in the table. Functions whose address the module takes are in another table, so their addresses stay the
// same in all modules.
void each_import(const dl_phdr_info& module, void (*take)(const Import& import, void* context), void* context);

}  // namespace heddle::rt
