// What an execution creates in the file system (files, directories, links, names of sockets and of shared memory) is removed at its end. So the next
// execution, and a replay in another process, find the same files. Changes of what was there before are not undone.
//
// The list of such names is shared by all processes of a target: if an execution's process dies, the one that has started it removes them.
#pragma once

#include "intercept/descriptors/whole_path.h"

namespace heddle::rt {

// Stands around a call that may create `path`. Nothing happens on a thread that is not controlled, nor if the path is there already.
class NewFile {
 public:
  // `at`: the directory of a relative path, or AT_FDCWD. `path` may be null, or no address of a text: the call itself will fail then.
  NewFile(int at, const char* path);
  // The call has created it.
  void made();
  // The call has moved `path` there.
  void moved(int at, const char* path);

 private:
  bool is_new_ = false;
  WholePath path_;
};

// The call has created it, and would have failed if it had been there before.
void new_file_made(int at, const char* path);
// Before a call that removes or moves `path`. What was there before the execution is the user's: its name is left alone from now on.
void file_leaves(int at, const char* path);

// Before another process begins that may make executions.
void share_new_files();
// Around each execution: several processes of the target take turns (directory_turns.h).
void take_turn_with_files();
void end_turn_with_files();
// Safe in any state of the process.
void remove_new_files();

}  // namespace heddle::rt
