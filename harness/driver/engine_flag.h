// The options on libFuzzer's command line, as libFuzzer itself reads them.
#pragma once

#include <optional>
#include <string_view>

namespace heddle::driver {

// `name` is "-timeout=" and the like. The last one counts. Nothing: it is not there.
inline std::optional<std::string_view> engine_flag(int argc, char** argv, std::string_view name) {
  std::optional<std::string_view> value;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with(name)) value = argument.substr(name.size());
  }
  return value;
}

}  // namespace heddle::driver
