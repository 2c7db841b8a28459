// Locations that go round the model, and so always take the newest store: those that the program accesses with different sizes, and the
// C++ library's own waiter counts, which rely on barriers of the kernel.
#pragma once

#include "base/address_map.h"
#include "graph/location.h"

namespace heddle::rt::graph {

class StrongLocations {
 public:
  void initialise() { by_granule_.initialise(8); }
  void begin() { by_granule_.clear(); }
  // A location begins. If it overlaps another one, both become strong. `at(object)` leads to a location.
  template <typename At>
  void add(Location& x, At at) {
    if (of_the_library(x.address)) x.strong = true;
    const uintptr_t first = x.address >> 3, last = (x.address + x.size - 1) >> 3;
    for (uintptr_t granule = first; granule <= last; ++granule) {
      bool inserted;
      uint32_t& head = by_granule_.find_or_insert(granule + 1, inserted);
      for (uint32_t other = head; other != 0;) {
        Location& y = at(other);
        if (&y != &x && !y.ended && x.address < y.address + y.size && y.address < x.address + x.size) {
          x.strong = y.strong = true;
          say_mixed(x.address);
        }
        other = y.next_in_granule;
      }
      if (granule != first) continue;  // a location is listed where it begins
      x.next_in_granule = head;
      head = x.object;
    }
    // One that begins in the granule before may reach into this one: no atomic is longer than two granules.
    if (const uint32_t* const before = by_granule_.find(first)) {
      for (uint32_t other = *before; other != 0;) {
        Location& y = at(other);
        if (!y.ended && x.address < y.address + y.size && y.address < x.address) {
          x.strong = y.strong = true;
          say_mixed(x.address);
        }
        other = y.next_in_granule;
      }
    }
  }
  // The program accesses the location with this size, too.
  static void other_size(Location& x) {
    if (!x.strong) say_mixed(x.address);
    x.strong = true;
  }

 private:
  static bool of_the_library(uintptr_t address);
  static void say_mixed(uintptr_t address);

  AddressMap by_granule_;  // granule + 1 -> object of a location that begins there
};

// Once per process: memory of a location was written by code outside of the model.
void say_foreign(uintptr_t address);

}  // namespace heddle::rt::graph
