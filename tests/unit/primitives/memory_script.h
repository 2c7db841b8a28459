// Random histories of memory, made by the calls that instrumented programs make: threads take turns, in an order that no operation of theirs shows.
// What happened is written down.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace heddle::test {

// Numbers, read as: what, by whom and how, where, where else. What is not possible at that point is left out.
using Step = std::tuple<uint16_t, uint16_t, uint16_t, uint16_t>;

enum class Done : uint8_t {
  read, write, atomic_load, atomic_store, atomic_rmw, lock, unlock, create, exit, join,
  born, forgotten, freed, end_of_memory, discarded,
};
struct Entry {
  Done what;
  uint8_t position;  // see memory_calls.h
  bool acquires, releases;
  uint32_t thread, other;  // indices; of a lock its number
  uintptr_t low, high;
};

// In memory that heddle does not put back. No allocation takes place while it runs, but for those that are wanted.
struct MemoryWorld {
  static constexpr size_t kEntries = 8192, kWorkers = 5, kBlocks = 4, kMutexes = 2, kPages = 64, kCreations = 512;
  struct Race {
    uintptr_t address, first_pc, second_pc;
  };
  struct Use {
    uintptr_t address, block;
    uint32_t thread;
    bool write;
  };
  struct Block {
    char* begin;
    size_t size, usable;
    bool live;
  };
  struct Worker {
    pthread_t handle;
    uint32_t index;
    bool lives, ended;
    char* locals;
    MemoryWorld* world;
  };

  size_t entries, races, uses, creations;
  Entry entry[kEntries];
  Race race[4096];
  Use use[1 << 16];  // more than the words of two large blocks
  uintptr_t stack_low[kCreations], stack_high[kCreations];

  const Step* steps;
  size_t step_count, step;
  bool ordered;
  uint32_t turn, baton;
  Worker worker[kWorkers];
  Block block[kBlocks];
  pthread_mutex_t mutex[kMutexes];
  int owner[kMutexes];
  alignas(16) char global[64];
  bool mapped[kPages];
};

// Pages that only the script maps.
inline constexpr uintptr_t kPagesLow = 0x200000000000;

// One per process.
MemoryWorld& memory_world();
// How a whole script is run. `ordered`: nearly everything is, so that few bytes race. `held`: what is freed goes to the quarantine.
struct Manner {
  bool ordered, held;
};
// Runs the steps under control.
void run_script(const std::vector<Step>& steps, Manner manner);

}  // namespace heddle::test
