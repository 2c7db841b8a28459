// Code positions: program counter -> the site's identity, resolved once per new PC and cached for the life of the process.
//
// A site is hash(mangled function name, offset within it): it survives ASLR and edits of other functions. Without symbols it is
// hash(module file name, offset within the module), which does not survive edits.
#pragma once

#include <cstdint>

#include "base/address_map.h"
#include "base/reserved_array.h"
#include "schema/event.h"

namespace heddle::rt {

struct SiteInfo {
  SiteId id;
  uintptr_t pc;
  const char* function;  // mangled; null when unknown
  uint32_t offset;       // within the function (or module)
  bool library;          // inside the standard library or a module that is not instrumented, so not in the user's code
  bool passes_on;        // inside the C++ library, ASan or another library that is not instrumented: the place is the call into it
};

// Searches the functions of all loaded modules for the positions with these identities, and enters those found in sites(). The program need
// not have reached them. For tools.
void look_up_sites(const SiteId* ids, size_t count);

class SiteTable {
 public:
  void initialise();
  // What every access and operation needs to know about its position.
  struct Position {
    uintptr_t pc;
    uint32_t site;  // index of its record
    bool library, passes_on;  // as in SiteInfo
  };
  // `pc` is a return address.
  const Position& position(uintptr_t pc) {
    Position& p = near_[(pc ^ pc >> 12) % kNear];
    if (__builtin_expect(p.pc != pc, 0)) fetch(p, pc);
    return p;
  }
  // The one at its place in the table, which may be another one's. For callers that must not call anything.
  const Position& nearby(uintptr_t pc) const { return near_[(pc ^ pc >> 12) % kNear]; }
  uint32_t index_of(uintptr_t pc) { return position(pc).site; }
  const SiteInfo& operator[](uint32_t index) const { return info_[index]; }
  const SiteRecord* records() const { return records_.data(); }
  uint32_t size() const { return static_cast<uint32_t>(records_.size()); }

 private:
  static constexpr size_t kNear = 1 << 12;

  void fetch(Position& p, uintptr_t pc);
  uint32_t resolve(uintptr_t pc);

  Position near_[kNear] = {};  // direct-mapped, before by_pc_
  AddressMap by_pc_;
  ReservedArray<SiteInfo> info_;
  ReservedArray<SiteRecord> records_;
};

// One per process: positions do not change between executions.
extern SiteTable g_sites;
inline SiteTable& sites() { return g_sites; }

// Functions of the runtime and of the harness.
bool is_runtime_function(const char* mangled);

}  // namespace heddle::rt
