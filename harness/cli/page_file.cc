#include "harness/cli/page_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "harness/cli/files.h"
#include "harness/cli/run_page.h"

namespace heddle::cli {

void write_page(const std::string& page, const std::string& output, const std::string& otherwise) {
  if (output == "-") return print(page);
  const std::string path = output.empty() ? otherwise : output;
  // A name that the user has not given is no reason to lose a file.
  const bool there = std::filesystem::is_regular_file(path);
  if (there && output.empty()) {
    const auto bytes = read_file(path);
    if (!is_page_of_heddle({reinterpret_cast<const char*>(bytes.data()), bytes.size()})) {
      throw Failure(kUsage, fmt::format("{} exists and is no page of heddle: name the file for the page with -o", path));
    }
  }
  write_file(path, page.data(), page.size());
  print(fmt::format("{} {}: open it in a browser\n", there ? "replaced" : "wrote", path));
}

}  // namespace heddle::cli
