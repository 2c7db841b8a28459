#include "analyses/report/thread_local_name.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "analyses/report/function_name.h"
#include "analyses/report/names.h"
#include "base/runtime_names.h"
#include "trace/live_state.h"

namespace heddle::rt {
namespace {

constexpr char kUnnamed[] = "(anon)::";

// "c" for "_ZZ4minevE1c", a variable of a function. The length of the name is in front of it.
const char* name_within_function(const char* mangled) {
  for (const char* e = strrchr(mangled, 'E'); e != nullptr && strncmp(mangled, "_ZZ", 3) == 0; e = nullptr) {
    char* name = nullptr;
    const unsigned long length = strtoul(e + 1, &name, 10);
    if (length != 0 && strlen(name) == length) return name;
  }
  return nullptr;
}

}  // namespace

bool name_thread_local(const RunSummary& run, uintptr_t address, char* out, size_t size) {
  for (uint32_t t = 0; t < run.thread_count; ++t) {
    uintptr_t offset = 0;
    const char* const mangled = live_state().thread_local_at(t, address, offset);
    if (mangled == nullptr) continue;
    const char* const local = name_within_function(mangled);
    const char* name = local != nullptr ? local : short_function_name(mangled);
    if (starts_with(name, kUnnamed)) name += sizeof kUnnamed - 1;
    char within[24] = "";
    if (offset != 0) snprintf(within, sizeof within, "+%llu", static_cast<unsigned long long>(offset));
    snprintf(out, size, "%s%s of %s", name, within, thread_title(run, t, ""));
    return true;
  }
  return false;
}

}  // namespace heddle::rt
