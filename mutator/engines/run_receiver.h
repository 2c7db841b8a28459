// The mutator's end of the run channel (schema/run_channel.h): creates the memory and reads it.
#pragma once

#include <cstdint>

#include "schema/event.h"

namespace heddle::mutator {

class RunReceiver {
 public:
  RunReceiver() = default;
  ~RunReceiver();
  RunReceiver(const RunReceiver&) = delete;
  RunReceiver& operator=(const RunReceiver&) = delete;

  // Creates the memory and puts its name into the environment, for processes started later. The memory is freed when this process ends in
  // any way.
  bool open();
  // Returns a run that was not received before. Its spans are valid until the target runs again.
  bool receive(RunSummary& run);

 private:
  void* memory_ = nullptr;
  int file_ = -1;
  uint64_t last_ = 0;
};

}  // namespace heddle::mutator
