// Clocks of single events, found by the event's number. They belong to the values in the slots of a channel.
#pragma once

#include <cstdint>

#include "order/memory.h"
#include "order/vector_clock.h"
#include "schema/event.h"

namespace heddle::order {

struct Token {
  uint32_t event = kNoEvent;
  VectorClock clock;
};

class Tokens {
 public:
  uint32_t size() const { return count_; }
  Token& at(uint32_t index, const Memory& memory) { return tokens_.at(index, memory); }
  Token& append(const Memory& memory) { return tokens_.at(count_++, memory); }

  // Null: there is none. Constant time if the callers take the tokens in order, as sends and receives of a channel do.
  Token* find(uint32_t event, const Memory& memory) {
    for (uint32_t& next : next_) {
      const uint32_t i = next < count_ ? next : 0;
      if (i >= count_ || tokens_.at(i, memory).event != event) continue;
      next = i + 1;
      return &tokens_.at(i, memory);
    }
    for (uint32_t i = 0; i < count_; ++i) {
      if (tokens_.at(i, memory).event != event) continue;
      next_[turn_ ^= 1] = i + 1;
      return &tokens_.at(i, memory);
    }
    return nullptr;
  }

 private:
  ChunkTable<Token> tokens_;
  uint32_t count_ = 0;
  uint32_t next_[2] = {};  // where each of two callers will probably look next
  uint32_t turn_ = 0;
};

}  // namespace heddle::order
