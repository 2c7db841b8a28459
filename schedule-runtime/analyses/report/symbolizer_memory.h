// What the symbolizer has answered, in memory that several processes share: each execution of a forked search is a process, and most of those with
// a finding ask the same questions. To start the symbolizer takes longer than hundreds of executions.
//
// REQUIRES: one of the processes at a time adds to it. If it dies meanwhile, the unfinished answer is not there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "analyses/report/report_text.h"

namespace heddle::rt {

class SymbolizerMemory {
 public:
  // Null: there is none.
  const char* find(std::string_view question, size_t& size) const {
    const uint64_t wanted = hash_of_text(question);
    for (uint32_t at = 0; at < used_;) {
      const Entry& e = *reinterpret_cast<const Entry*>(bytes_ + at);
      if (e.question == wanted) return size = e.size, reinterpret_cast<const char*>(&e + 1);
      at += space_for(e.size);
    }
    return nullptr;
  }
  // Nothing happens when it is full.
  void add(std::string_view question, std::string_view answer) {
    const uint32_t space = space_for(answer.size());
    if (space > kSize - used_) return;
    Entry& e = *reinterpret_cast<Entry*>(bytes_ + used_);
    e = {hash_of_text(question), static_cast<uint32_t>(answer.size())};
    memcpy(&e + 1, answer.data(), answer.size());
    __atomic_store_n(&used_, used_ + space, __ATOMIC_RELEASE);
  }

 private:
  static constexpr uint32_t kSize = 1 << 18;
  struct Entry {
    uint64_t question;
    uint32_t size;  // of the answer, which follows
  };
  static uint32_t space_for(size_t answer) { return static_cast<uint32_t>((sizeof(Entry) + answer + alignof(Entry) - 1) & ~(alignof(Entry) - 1)); }

  uint32_t used_;
  alignas(Entry) char bytes_[kSize];
};

}  // namespace heddle::rt
