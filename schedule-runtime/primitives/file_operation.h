// Calls by which a thread looks at files or changes them: names, contents, what the kernel says of them. Threads meet there as they do in memory, without
// anything else between them: so a choice stands before each.
//
// One object stands for all files. Which of them a name leads to is the kernel's business (links, directories, what is renamed), and calls on different
// ones are few. It orders nothing: that a file was read is no happens-before in C or C++.
#pragma once

#include "engine/engine.h"

namespace heddle::rt::primitives {

// `kind` is file_read or file_write. The call follows at once: nothing runs between the operation and it. `how`: its value, where what the thread finds is
// known, and whether it is progress in any case; a loop that finds the same again and again is spinning.
void file_operation(Kind kind, Place place, Commit how = {});

}  // namespace heddle::rt::primitives
