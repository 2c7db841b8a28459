#include "harness/cli/damaged.h"

#include <span>

#include <fmt/format.h>

#include "harness/cli/files.h"
#include "schema/codec.h"

namespace heddle::cli {

bool is_damaged(const std::vector<uint8_t>& input) {
  constexpr size_t kIdentifierAt = 4, kIdentifierSize = 4;  // of a FlatBuffer
  Schedule schedule;
  return input.size() >= kIdentifierAt + kIdentifierSize &&
         holds_schedule(std::span(input).subspan(kIdentifierAt, kIdentifierSize)) &&
         !decode_schedule(input, schedule);
}

void refuse_damaged(const std::string& file, const std::vector<uint8_t>& input) {
  if (!is_damaged(input)) return;
  throw Failure(kUsage, fmt::format("{}: a damaged schedule (truncated or overwritten). A fuzz "
                                    "target would take its {} bytes as plain data",
                                    file, input.size()));
}

}  // namespace heddle::cli
