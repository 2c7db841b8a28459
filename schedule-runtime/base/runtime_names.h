// Names by which the symbol tables tell an engine's or a sanitizer's variables from the program's.
#pragma once

namespace heddle::rt {

bool starts_with(const char* text, const char* prefix);

// Is the mangled name one of the namespace? `length_and_name` is as the mangling has it: "6fuzzer".
bool in_namespace(const char* mangled_name, const char* length_and_name);

// A variable of libFuzzer, AFL++, a sanitizer or clang's profile: by its mangled name.
bool names_runtime_variable(const char* mangled_name);

// One of their units of compilation, by the name of its source (STT_FILE). A program may have a unit of such a name, too: to be asked only
// of units that stand outside of the program on the link line.
bool names_runtime_unit(const char* file);

}  // namespace heddle::rt
