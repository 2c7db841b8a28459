#include <cstdlib>
#include <string>

#include "schema/text.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // The heading is given, so that every input gets as far as the lines.
  const std::string text = "heddle schedule 1\n" + std::string(data, data + size);
  heddle::SiteNames names;
  names.add(1, {"a.cc:1:2", "f", "f+0x1"});
  heddle::Schedule first, second;
  std::string error;
  if (!heddle::from_text(text, first, error, &names)) {
    if (error.empty() || error.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  if (!heddle::from_text(heddle::to_text(first, &names), second, error) || first != second)
    std::abort();
  return 0;
}
