// heddle new: a project with one fuzz target, to begin with.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <utility>

#include "harness/cli/commands.h"
#include "harness/cli/files.h"
#include "harness/cli/first_seeds.h"
#include "harness/cli/new_project.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

void make_directory(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error)
    throw Failure(kUsage, fmt::format("cannot create {}: {}", path.string(), error.message()));
}

// Nothing half made: what is there can be started again.
class NewDirectory {
 public:
  explicit NewDirectory(fs::path path) : path_(std::move(path)), there_(fs::exists(path_)) {}
  ~NewDirectory() {
    std::error_code ignored;
    if (complete_) return;
    if (!there_) fs::remove_all(path_, ignored);
    else for (const auto& entry : fs::directory_iterator(path_, ignored)) fs::remove_all(entry, ignored);
  }
  NewDirectory(const NewDirectory&) = delete;
  NewDirectory& operator=(const NewDirectory&) = delete;
  void keep() { complete_ = true; }

 private:
  const fs::path path_;
  const bool there_;
  bool complete_ = false;
};

void make_project(const std::string& name, const std::string& where) {
  const auto good = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0 ||
      !std::all_of(name.begin(), name.end(), good)) {
    throw Failure(
        kUsage,
        fmt::format("'{}' is no name for a function of C++: use letters, digits and '_'", name));
  }
  const fs::path directory = where.empty() ? fs::path(name) : fs::path(where);
  std::error_code error;
  if (fs::exists(directory, error) && !fs::is_empty(directory, error)) {
    throw Failure(kUsage, fmt::format("{} is there already, and not empty", directory.string()));
  }
  NewDirectory made(directory);  // empty, or not there
  std::string said = fmt::format("a new project in {}:\n", directory.string());
  for (const ProjectFile& file : new_project(name)) {
    const fs::path path = directory / file.path;
    make_directory(path.parent_path());
    write_file(path.string(), file.text.data(), file.text.size());
    said += fmt::format("  {}\n", path.string());
  }
  const fs::path seeds = directory / "corpora" / (name + "_fuzz");
  make_directory(seeds);
  write_first_seeds(seeds);
  made.keep();
  said += fmt::format("  {}: seed inputs\nread {} for the commands\n", seeds.string(),
                      (directory / "README.md").string());
  print(said);
}

}  // namespace

void add_new(CLI::App& app, int& exit_code) {
  struct Arguments {
    std::string name, directory;
  };
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = app.add_subcommand(
      "new", "Make a project with a fuzz target, CMake files, seeds and a CI file");
  command->add_option("NAME", arguments->name, "name of the project; its target is NAME_fuzz")
      ->required();
  command->add_option("-o,--output", arguments->directory,
                      "directory of the project (default: NAME)");
  command->callback([arguments, &exit_code] {
    make_project(arguments->name, arguments->directory);
    exit_code = kPass;
  });
}

}  // namespace heddle::cli
