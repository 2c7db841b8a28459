// Memory that the program itself maps in an execution (mmap, mremap): the addresses of new mappings, and which parts are still mapped.
//
// New mappings get the same addresses in every process and in every execution, far from those that the kernel gives to libraries and to
// heddle. So a program that orders or hashes them does the same each time. An unmapped address stays unmapped: a later access crashes
// wherever the input runs. But half of all inputs, by their seeds, reuse addresses within the execution, because ABA bugs need that. The
// heap's quarantine does the same.
//
// Mappings of libraries are not tracked. They are where the kernel puts them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/reserved_array.h"
#include "heap/heap_record.h"

namespace heddle::rt {

class ExecutionMappings {
 public:
  static constexpr size_t kPage = 4096;  // the least there is

  void initialise();

  // An execution begins. `again`: addresses are reused.
  void begin(bool again);
  // An address hint for the kernel, which may choose another address. Null if there is no room.
  void* place(size_t bytes);
  // The range is the program's from now on. (If the program maps over its own mapping, the range is already known.) A mapping at an address
  // that the program chose elsewhere is not tracked: other code may unmap it and get its place.
  void add(uintptr_t begin, uintptr_t end);
  // The range is no longer the program's. `by` ended it.
  void end(uintptr_t begin, uintptr_t end, const Freed& by);
  // Who ended the mapping that contained the address, and its first byte. Null if the program has a mapping there now, or never had one.
  const Freed* ended_by(uintptr_t address, uintptr_t& begin) const;

  size_t count() const { return live_.size(); }

  // Between executions: if the word points into a mapping, that mapping survives.
  void keep(uintptr_t word);
  // The execution is over. Mappings that it left behind and that are not kept are unmapped. With `all`, none is.
  void renew(bool all);

 private:
  struct Range {
    uintptr_t begin, end;
    bool kept;
  };
  struct Ended {
    uintptr_t begin, end;
    Freed by;
  };
  static constexpr size_t kMost = 1 << 17;  // above Linux's default limit for a process
  static constexpr size_t kMostEnded = 256;

  // The index of the first range that ends after the address.
  size_t first_after(uintptr_t address) const;
  void insert(size_t at, const Range& range);
  // The lowest free address from `from` on; 0: none.
  uintptr_t gap(uintptr_t from, size_t bytes) const;

  ReservedArray<Range> live_;  // by address; they do not overlap
  Ended ended_[kMostEnded] = {};  // a ring
  size_t ended_count_ = 0;        // in this execution
  uintptr_t next_ = 0;
  bool again_ = false;
};

extern constinit ExecutionMappings g_execution_mappings;
inline ExecutionMappings& execution_mappings() { return g_execution_mappings; }

}  // namespace heddle::rt
