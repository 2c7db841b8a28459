// Descriptor 2, where reports go, belongs to the program, too: it may close it, or send it to a file. Reports still go where the fuzzing engine's
// messages go.
#pragma once

namespace heddle::rt {

// A controlled thread is about to change descriptor 2. `copy`: another number for what it is now; negative: there is none.
void keep_error_output(long copy);
bool error_output_is_kept();
// Descriptor 2 is again what it was.
void forget_error_output();

// Descriptor 2 is what it was before the program changed it, until give_back(). If a report ends the process, it stays so for the engine's messages.
class EnginesErrorOutput {
 public:
  EnginesErrorOutput();
  void give_back();

 private:
  long programs_ = -1;  // another number for the program's
  bool taken_ = false;
};

}  // namespace heddle::rt
