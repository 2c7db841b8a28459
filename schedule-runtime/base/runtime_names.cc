#include "base/runtime_names.h"

#include <string.h>

namespace heddle::rt {

bool starts_with(const char* text, const char* prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

bool in_namespace(const char* name, const char* space) {
  // _Z, then a guard variable (GV), a local of a function (Z), a nested name (N).
  if (!starts_with(name, "_Z")) return false;
  name += 2;
  if (starts_with(name, "GV")) name += 2;
  if (*name == 'Z') ++name;
  if (*name != 'N') return false;
  ++name;
  if (*name == 'K') ++name;
  return starts_with(name, space);
}

bool names_runtime_variable(const char* name) {
  static constexpr const char* kPrefixes[] = {"__sancov", "__sanitizer", "__asan", "__lsan", "__ubsan", "__afl_", "__llvm_profile",
                                              "__llvm_gcov", "__gcov"};
  for (const char* prefix : kPrefixes) {
    if (starts_with(name, prefix)) return true;
  }
  static constexpr const char* kNamespaces[] = {"6fuzzer", "11__sanitizer", "6__asan", "6__lsan", "7__ubsan", "8__sancov", "14__interception"};
  for (const char* space : kNamespaces) {
    if (in_namespace(name, space)) return true;
  }
  return false;
}

bool names_runtime_unit(const char* file) {
  static constexpr const char* kUnits[] = {"Fuzzer", "sanitizer", "ubsan", "asan", "lsan", "interception", "InstrProfiling", "cpuinfo", "cpu_model",
                                           "GCDAProfiling", "libgcov", "afl"};
  for (const char* unit : kUnits) {
    if (starts_with(file, unit)) return true;
  }
  return false;
}

}  // namespace heddle::rt
