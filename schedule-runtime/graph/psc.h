// SC of RC11 exactly: acyclic(psc), with
//   scb      = po ∪ (po≠loc ; hb ; po≠loc) ∪ hb|loc ∪ mo ∪ rb
//   psc_base = ([Esc] ∪ [Fsc] ; hb?) ; scb ; ([Esc] ∪ hb? ; [Fsc])
//   psc_F    = [Fsc] ; (hb ∪ hb ; eco ; hb) ; [Fsc]
// For graphs of up to 256 events, fences included. Each event has a number, and sets of events are sets of bits. Before the first seq_cst
// event, psc is empty: then an event costs a few stores.
//
// A new event adds edges that end at it, and, if it does not take the newest place, edges to seq_cst events behind the stores that it misses
// or overtakes. A choice is inconsistent if one of those reaches back.
#pragma once

#include "graph/admissible.h"

namespace heddle::rt::graph {

class Psc {
 public:
  static constexpr uint32_t kMostEvents = 256;
  static constexpr uint16_t kNoNode = 0xFFFF;

  void begin(const order::Memory& memory);
  // The graph is small enough so far. Once it is not, it stays so.
  bool exact() const { return exact_; }
  void give_up() { exact_ = false; }
  bool any() const { return seq_cst_.any(); }

  // Does psc stay acyclic if the step takes this position? REQUIRES: exact(). `acquires`: the release view that it reads; null: none.
  bool admits(const Location& x, const Step& step, bool seq_cst, uint32_t position, const order::VectorClock* acquires) const;

  // An operation has been executed. `past`: the thread's clock after it. Returns its number. Stores are already in the location; `position`
  // is that of its store, or of the store that it has read.
  struct Added {
    uint32_t thread, epoch;
    bool seq_cst, stores, reads;
    const order::VectorClock* past;
  };
  uint16_t add(const Location& x, uint32_t position, const Added& how);
  void add_fence(uint32_t thread, uint32_t epoch, const order::VectorClock& past);

 private:
  struct Set {
    uint64_t words[kMostEvents / 64] = {};
    bool any() const { return (words[0] | words[1] | words[2] | words[3]) != 0; }
    bool has(uint32_t i) const { return (words[i / 64] >> (i % 64) & 1) != 0; }
    void add(uint32_t i) { words[i / 64] |= 1ull << (i % 64); }
    void add(const Set& s) { for (int w = 0; w < 4; ++w) words[w] |= s.words[w]; }
    bool meets(const Set& s) const {
      return ((words[0] & s.words[0]) | (words[1] & s.words[1]) | (words[2] & s.words[2]) | (words[3] & s.words[3])) != 0;
    }
    Set operator&(const Set& s) const { return {{words[0] & s.words[0], words[1] & s.words[1], words[2] & s.words[2], words[3] & s.words[3]}}; }
    Set without(const Set& s) const { return {{words[0] & ~s.words[0], words[1] & ~s.words[1], words[2] & ~s.words[2], words[3] & ~s.words[3]}}; }
    template <typename F>
    void each(F f) const {
      for (uint32_t w = 0; w < 4; ++w) {
        for (uint64_t left = words[w]; left != 0; left &= left - 1) f(w * 64 + static_cast<uint32_t>(__builtin_ctzll(left)));
      }
    }
  };
  struct Node {
    uint32_t thread = 0, epoch = 0, object = 0;  // object 0: a fence
    uint32_t source = kNoNode;                   // of a read: the store's node
    Set readers;   // of a store
    // Sets of seq_cst events and fences:
    Set left;      // it itself, if seq_cst, and the fences in its past: [Esc] ∪ [Fsc];hb?
    Set base;      // left of everything that is scb-before it
    Set eco;       // fences before something that is eco-before it
    Set differs;   // left of what is po-before it, at another location
    Set through;   // the differs of what is hb-before it
    Set past;      // all events that are hb-before it (events since the first seq_cst one only)
  };

  Set in_past(uint32_t thread, const order::VectorClock& past, const order::VectorClock* more) const;
  // Left of what is scb-before an event at x. `below`: the stores below it if it stores, else null.
  Set base_of(uint32_t object, uint32_t thread, const Set& past, const Set* below) const;
  Set events_at(uint32_t object) const;
  Set targets(const Set& above, bool readers_too) const;
  static Set above(const Location& x, uint32_t position);
  Set readers_of(const Set& stores) const;
  void edges(const Set& from, uint32_t to);
  Node& make(uint32_t thread, uint32_t epoch, uint32_t object, bool seq_cst, const order::VectorClock& past);

  bool exact_ = true;
  uint32_t count_ = 0;
  Node* nodes_ = nullptr;
  Set* reaches_ = nullptr;  // psc, transitively
  Set seq_cst_;               // accesses and fences
  Set fences_;
  Set stores_;
};

}  // namespace heddle::rt::graph
