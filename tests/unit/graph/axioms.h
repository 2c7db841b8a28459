// The axioms of RC11 over bit matrices, as its paper writes them (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017, section 3.3; release sequences of
// C++20), and small straight-line programs with all their graphs. Shares no code with the runtime: it is the runtime's oracle.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace heddle::axioms {

enum class Order : uint8_t { relaxed, acquire, release, acq_rel, seq_cst };
enum class Act : uint8_t { load, store, add, exchange, compare, fence };

// One instruction. The operand is stored, added, or (compare) stored in place of `expected`.
struct Instruction {
  Act act;
  uint32_t location = 0;
  Order order = Order::relaxed;
  uint32_t operand = 1;
  uint32_t expected = 0;
  Order failure = Order::relaxed;
};
using Program = std::vector<std::vector<Instruction>>;  // by thread

inline constexpr int kInitial = -1;

struct Event {
  uint32_t thread, index;  // the index-th instruction of the thread
  bool reads = false, writes = false;
  uint32_t location = 0;
  Order order = Order::relaxed;
  int from = kInitial;     // the event that it reads; kInitial: the initial value, which is 0
  uint32_t value = 0;      // that it leaves, if it writes
};

// po is the order of `events` within a thread. mo[location]: the stores in modification order, without the initial one.
struct Graph {
  std::vector<Event> events;
  std::vector<std::vector<int>> mo;
};

enum class Model { sc, rc11 };

// The name of an axiom that the graph breaks; empty: it is consistent. Up to 64 events.
std::string broken_axiom(const Graph& graph, Model model);

// The same for two graphs of one program if and only if reads-from and modification order are the same.
std::string key_of(const Graph& graph);

// What the next event of a thread does when it reads `value`. The graph's events must be in an order that extends po and reads-from.
Event event_of(const Instruction& instruction, uint32_t thread, uint32_t index, uint32_t value_read);

// The keys of all consistent graphs whose threads have run to their ends. Empty if there are more than `most`.
std::set<std::string> all_graphs(const Program& program, Model model, size_t most = SIZE_MAX);

}  // namespace heddle::axioms
