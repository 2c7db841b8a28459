#include "primitives/library_call.h"

#include "base/address_layout.h"

namespace heddle::rt::primitives {
namespace {

struct LibraryState {
  uint32_t user;  // the first thread that came, index + 1
  bool shared;    // another one has come since
};

// Bugs that have nothing to do with the library need fewer operations. So half of all inputs, by their seeds, run without these.
bool chosen(uint64_t seed) { return seed == 0 || (mix(seed, 0x11B4) & 1) != 0; }

// In memory of an execution, or a variable of the executable.
bool is_repeatable(uintptr_t address) {
  constexpr uintptr_t kExecutable = 1 << 16, kExecutableEnd = uintptr_t{1} << 32;
  const AddressLayout& at = address_layout();
  return address - at.heap < at.heap_size() || address - at.stacks < at.stacks_size || address - at.mappings_begin < at.mappings_end - at.mappings_begin ||
         (address >= kExecutable && address < kExecutableEnd);
}

Object& object_of(const CalledLibrary& library, size_t which, Place place) {
  Object& o = engine().object(reinterpret_cast<uintptr_t>(&library.objects[which]), Family::library, place);
  o.label = library.name;
  return o;
}

}  // namespace

void library_call(const CalledLibrary& library, uintptr_t first_argument, Place place) {
  Engine& e = engine();
  if (!chosen(e.schedule().seed)) return;
  Object& whole = object_of(library, 0, place);
  LibraryState& state = whole.as<LibraryState>();
  const uint32_t me = current_thread()->index + 1;
  const bool first = !whole.modelled;
  if (first) state.user = me;
  whole.modelled = true;
  state.shared = state.shared || state.user != me;
  if (!state.shared && !first) return;
  const bool known = is_repeatable(first_argument);
  Object& o = known ? object_of(library, 1 + mix(first_argument, 0) % (CalledLibrary::kObjects - 1), place) : whole;
  Pending& p = e.arrive({.kind = Kind::library_call, .object = &o, .place = place});
  e.commit(p, {.value = known ? static_cast<uint32_t>(mix(first_argument, 1)) : 0, .partner = o.last_write_event});
}

}  // namespace heddle::rt::primitives
