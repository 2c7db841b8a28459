// Saved inputs that were cut off or overwritten.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::cli {

// A schedule by its first bytes, and it cannot be decoded. A target takes it as plain data, so it can still have a finding.
bool is_damaged(const std::vector<uint8_t>& input);

// Throws Failure(kUsage) if it is damaged.
void refuse_damaged(const std::string& file, const std::vector<uint8_t>& input);

}  // namespace heddle::cli
