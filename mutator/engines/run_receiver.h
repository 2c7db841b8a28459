// The mutator's end of the run channel (schema/run_channel.h): makes the memory and looks into it.
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

  // Makes the memory and names it in the environment, for processes started from now on. It goes with this process, however that ends.
  bool open();
  // A run that was not received before. Its spans are valid until the target runs again.
  bool receive(RunSummary& run);

 private:
  void* memory_ = nullptr;
  int file_ = -1;
  uint64_t last_ = 0;
};

}  // namespace heddle::mutator
