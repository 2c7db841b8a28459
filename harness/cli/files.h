// Files and output of the command. If a file cannot be read or written, one line tells why.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cli/command_exit_codes.h"

namespace heddle::cli {

// Ends the command: one line on stderr, then the exit code.
class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& line) : std::runtime_error(line), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// Reads the whole file, also a pipe. Throws Failure(kUsage).
std::vector<uint8_t> read_file(const std::string& path);

// A line of a file, without blanks at its ends.
std::string trimmed(std::string_view line);

// Of a file that the target itself reads, more than once. Throws Failure(kUsage).
void require_regular(const std::string& path);

// Before the work whose result goes there: a file that can be written, and none of the inputs. Throws Failure(kUsage).
void require_output(const std::string& path, const std::vector<std::string>& inputs);

// Writes everything, or throws Failure: kInternal if the disk is full. Then an older file of this name is as it was.
void write_file(const std::string& path, const void* data, size_t size);

// The same for standard output.
void print(std::string_view text);

// A directory that the destructor removes.
class ScratchDirectory {
 public:
  ScratchDirectory();
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace heddle::cli
