// Memory that the program itself maps in an execution (mmap, mremap): the addresses of new mappings, and which parts are still mapped.
//
// New mappings get the same addresses in every process and in every execution, far from those that the kernel gives to libraries and to heddle.
// So a program that orders or hashes them does the same each time. An unmapped address stays unmapped: a later access crashes, wherever the input
// runs. Half of all inputs, by their seeds, use addresses again in the execution, as ABA bugs need. The heap's quarantine does the same.
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

  // An execution begins. `again`: addresses are used again.
  void begin(bool again);
  // A hint for the kernel, which is free to know better; null when there is no room.
  void* place(size_t bytes);
  // The program's from now on; what it maps over its own is its own already. What lies elsewhere, at an address that it wished for, is not known here:
  // somebody else may unmap it and be given the place.
  void add(uintptr_t begin, uintptr_t end);
  // No longer. `by` ended it.
  void end(uintptr_t begin, uintptr_t end, const Freed& by);
  // Who ended what the address lay in, and the first byte of that, if nothing of the program's is there now; else null.
  const Freed* ended_by(uintptr_t address, uintptr_t& begin) const;

  size_t count() const { return live_.size(); }

  // Between executions, to say what outlives them: the mapping that the word points into does, if there is one.
  void keep(uintptr_t word);
  // The execution is over: what it has left behind and is not kept is unmapped; with `all` nothing is.
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
  static constexpr size_t kMost = 1 << 17;  // more than Linux gives a process by default
  static constexpr size_t kMostEnded = 256;

  // The index of the first one that ends after the address.
  size_t first_after(uintptr_t address) const;
  void insert(size_t at, const Range& range);
  // The lowest place from `from` on; 0: none.
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
