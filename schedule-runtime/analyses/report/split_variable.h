// Compilers make several variables of one: a global structure whose address nobody takes becomes one variable for each member that is used, and a
// block that malloc gives to a global pointer becomes a variable, too. Their symbols have the name of the first one with an ending: "server.0",
// "server.0.body", or demangled "server (.0)".
#pragma once

#include <string_view>

namespace heddle::rt {

struct SplitVariable {
  std::string_view name;  // of the variable in the program. Of a static variable in the fuzz target's body: without the body's name
  std::string_view part;  // ".0": one of several. Which member it is, is not known
  bool block;             // the memory to which the variable points
};

SplitVariable split_variable(std::string_view symbol);

}  // namespace heddle::rt
