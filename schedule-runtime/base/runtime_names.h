// Tells variables of a fuzzing engine or a sanitizer from the program's, by their names in the symbol tables.
#pragma once

namespace heddle::rt {

bool starts_with(const char* text, const char* prefix);

// Is the mangled name in this namespace? `length_and_name` is in mangled form: "6fuzzer".
bool in_namespace(const char* mangled_name, const char* length_and_name);

// True for a variable of libFuzzer, AFL++, a sanitizer, clang's profile or gcov, by its mangled name.
bool names_runtime_variable(const char* mangled_name);

// True for one of their compilation units, by the name of its source (STT_FILE). A program may have a unit with such a name, too. So use it
// only for units outside of the program on the link line.
bool names_runtime_unit(const char* file);

}  // namespace heddle::rt
