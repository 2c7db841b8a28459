#include "harness/driver/plain_positions.h"

#include <cstring>
#include <unordered_map>

#include "base/call_instruction.h"
#include "base/elf.h"
#include "base/own_code.h"
#include "trace/sites.h"

namespace heddle::driver {
namespace {

constexpr size_t kMost = 200'000;  // a larger program than that has its positions only from its runs

struct Search {
  std::unordered_map<const void*, bool> accesses;  // the functions that the compiler calls for an access; true: for a write
  std::vector<PlainPosition> found;
};

bool begins_with(const char*& name, const char* prefix) {
  const size_t length = std::strlen(prefix);
  if (std::strncmp(name, prefix, length) != 0) return false;
  name += length;
  return true;
}

// "__tsan_unaligned_write8", but not "__tsan_read_write8", which is both.
void add_access(const rt::Symbol& function, void* argument) {
  const char* name = function.name;
  if (!begins_with(name, "__tsan_")) return;
  begins_with(name, "unaligned_");
  begins_with(name, "volatile_");
  const bool reads = begins_with(name, "read"), writes = !reads && begins_with(name, "write");
  if ((reads || writes) && *name >= '0' && *name <= '9')
    static_cast<Search*>(argument)->accesses.emplace(reinterpret_cast<const void*>(function.start), writes);
}

void add_positions(const rt::Symbol& function, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  if (!rt::is_main_executable(function.start) || rt::of_heddle(function.start)) return;
  for (size_t at = 0; at + rt::kCallSize <= function.size && search.found.size() < kMost; at += rt::kCallStep) {
    const uintptr_t place = function.start + at;
    const auto callee = search.accesses.find(rt::callee_at(reinterpret_cast<const unsigned char*>(place), false));
    if (callee != search.accesses.end()) search.found.push_back({rt::sites().index_of(place + rt::kCallSize), callee->second});
  }
}

}  // namespace

std::vector<PlainPosition> plain_positions() {
  Search search;
  rt::each_function(add_access, &search);
  rt::each_function(add_positions, &search);
  return search.found;
}

}  // namespace heddle::driver
