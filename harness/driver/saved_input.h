// The file that has the current input, or that the engine is about to save it in. Asked when a finding is reported: uses only system calls.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::driver {

// Reads the engine's command line, which names the files to run, or tells where artifacts go. Reports name the files from then on.
void prepare_saved_input(int argc, char** argv);
// Sets the current input. Its bytes must stay valid until the next one.
void set_current_input(const uint8_t* data, size_t size);

struct CurrentInput {
  const uint8_t* data;  // null: there is none
  size_t size;
};
CurrentInput current_input();

// Whether the engine only runs the files of its command line: then nobody mutates, and libFuzzer saves nothing. Of other engines that is not known.
bool runs_files();

// libFuzzer's name for an artifact of this kind ("crash"). Null: it is not known.
const char* artifact_path(const char* kind);
// The same, or the file of the command line that the input comes from.
const char* saved_input_path(const char* kind);

}  // namespace heddle::driver
