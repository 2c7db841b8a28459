#include "harness/cli/new_project.h"

namespace heddle::cli {
namespace {

constexpr const char* kSource =
    R"(// A fuzz target: heddle runs it under one order of operations after another.
#include <heddle/heddle.h>

#include <cassert>
#include <mutex>
#include <thread>

// Replace this by the code that you want to test.
class Counter {
 public:
  void add() {
    const std::lock_guard lock(mutex_);
    ++value_;
  }
  int value() const { return value_; }

 private:
  std::mutex mutex_;
  int value_ = 0;
};

HEDDLE_FUZZ_TEST(@NAME@) {
  Counter counter;
  std::thread one([&] { counter.add(); }), other([&] { counter.add(); });
  one.join();
  other.join();
  assert(counter.value() == 2);
}
)";

constexpr const char* kCMake = R"(cmake_minimum_required(VERSION 3.25)
project(@NAME@ C CXX)
set(CMAKE_CXX_STANDARD 20)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Debug)  # keeps assert()
endif()

find_package(heddle REQUIRED)
heddle_add_fuzz_target(@NAME@_fuzz @NAME@_fuzz.cc NO_AFL)

# For libraries of the project: heddle_instrument(library), and LIBRARIES library above.

enable_testing()
heddle_add_regressions(@NAME@_fuzz)
add_test(NAME @NAME@_fuzz.search
  COMMAND @NAME@_fuzz -runs=2000 -artifact_prefix=${CMAKE_CURRENT_BINARY_DIR}/ ${CMAKE_CURRENT_SOURCE_DIR}/corpora/@NAME@_fuzz)
)";

constexpr const char* kReadme = R"(# @NAME@

A fuzz target for heddle, which searches orders of operations for concurrency bugs.

    cmake -B build -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19
    cmake --build build
    ctest --test-dir build
    heddle run build/@NAME@_fuzz -i corpora/@NAME@_fuzz --seconds 60

After a finding:

    heddle explain build/@NAME@_fuzz out/findings/crash-...
    heddle promote build/@NAME@_fuzz out/findings/crash-... --name what_it_was

`heddle promote` writes a regression test into `regressions/@NAME@_fuzz`. CTest runs it.
)";

constexpr const char* kGitHub =
    R"(# Tests the regressions with each change, and searches for five minutes. HEDDLE_REPOSITORY is the address of heddle's repository: set it
# as a variable of the repository (Settings, Secrets and variables, Actions, Variables).
name: schedules
on: [push, pull_request]
permissions:
  contents: read
  security-events: write  # findings are shown under code scanning
jobs:
  schedules:
    runs-on: ubuntu-latest
    container: debian:12
    steps:
      - run: apt-get update && apt-get install -y --no-install-recommends ca-certificates git
      - uses: actions/checkout@v4
      - name: Get heddle
        run: git clone --depth 1 "$HEDDLE_REPOSITORY" heddle
        env:
          HEDDLE_REPOSITORY: ${{ vars.HEDDLE_REPOSITORY }}
      - uses: ./heddle/.github/actions/install
      - name: Build and test
        run: |
          cmake -B build -DCMAKE_C_COMPILER=clang-19 -DCMAKE_CXX_COMPILER=clang++-19
          cmake --build build
          ctest --test-dir build --output-on-failure
      - uses: ./heddle/.github/actions/search
        with:
          targets: build/@NAME@_fuzz
          seeds: corpora
          upload-sarif: true
)";

constexpr const char* kIgnore = R"(/build/
/out/
/heddle/
)";

std::string with_name(std::string text, const std::string& name) {
  constexpr const char kMark[] = "@NAME@";
  for (size_t at = 0; (at = text.find(kMark, at)) != std::string::npos; at += name.size())
    text.replace(at, sizeof kMark - 1, name);
  return text;
}

}  // namespace

std::vector<ProjectFile> new_project(const std::string& name) {
  std::vector<ProjectFile> out = {{"@NAME@_fuzz.cc", kSource},
                                  {"CMakeLists.txt", kCMake},
                                  {"README.md", kReadme},
                                  {".github/workflows/schedules.yml", kGitHub},
                                  {".gitignore", kIgnore}};
  for (ProjectFile& file : out) file = {with_name(file.path, name), with_name(file.text, name)};
  return out;
}

}  // namespace heddle::cli
