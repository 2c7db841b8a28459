// Records all cases that were possible in a wait for many things (SelectCase). Until the wait has become an event, the records are
// identified by its thread.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

class SelectLog {
 public:
  // False: the log is full, and nothing is recorded.
  bool begin(const Pending& p, size_t count) {
    auto& records = recorder().select_cases;
    if (records.capacity() - records.size() < count) return false;
    first_ = static_cast<uint32_t>(records.size());
    event_ = Recorder::kWaiting | p.thread_index;
    open_ = true;
    ++recorder().waiting_selects;
    return true;
  }
  // REQUIRES: begin() returned true, and no more than `count` calls.
  void add(uint32_t object, uint32_t index, CaseDirection direction, bool ready) {
    recorder().select_cases.push() = {event_, object, static_cast<uint16_t>(index), static_cast<uint8_t>(direction), ready};
    ++count_;
  }
  void set_ready(uint32_t nth, bool ready) {
    if (nth < count_) recorder().select_cases[first_ + nth].ready = ready;
  }
  void close(uint32_t event) {
    if (!open_) return;
    open_ = false;
    --recorder().waiting_selects;
    for (uint32_t i = 0; i < count_; ++i) recorder().select_cases[first_ + i].event = event;
  }

 private:
  uint32_t first_ = 0;
  uint32_t count_ = 0;
  uint32_t event_ = 0;
  bool open_ = false;
};

}  // namespace heddle::rt::primitives
