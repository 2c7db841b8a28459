#include "harness/driver/first_inputs.h"

#include <sys/stat.h>

#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "base/reserved_array.h"
#include "feedback/extra_counters.h"
#include "harness/driver/engine_flag.h"
#include "schema/codec.h"

namespace heddle::driver {
namespace {

// Limits for the inputs that are stored. Larger inputs run unchanged.
constexpr size_t kMostBytes = size_t{256} << 20, kMostInputs = size_t{1} << 20;

constinit bool campaign = false;  // the engine is going to mutate
constinit bool later_job = false;
constinit WantedRun assumed;
// No containers: if a call of the target keeps memory, libFuzzer runs the input again to look for leaks.
constinit rt::ReservedArray<uint8_t> bytes;
constinit rt::ReservedArray<uint32_t> sizes;
constinit size_t handed_out = 0, handed_bytes = 0;

bool is_file(const char* path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// -fork starts each job with -features_dir=TEMPORARY/F<number of the job>. The first job is 1.
bool is_later_job(std::string_view features_directory) {
  const size_t slash = features_directory.rfind('/');
  if (slash == features_directory.npos || features_directory.substr(slash, 2) != "/F") return false;
  return std::atoi(features_directory.data() + slash + 2) > 1;
}

// The inputs that libFuzzer runs without a corpus.
bool engines_own(std::span<const uint8_t> input) { return input.empty() || (input.size() == 1 && input[0] == '\n'); }

bool is_foreign(const uint8_t* data, size_t size) {
  Schedule schedule;
  return !decode_schedule({data, size}, schedule);
}

bool keep(const uint8_t* data, size_t size) {
  // A repetition of the same input, to look for leaks.
  if (sizes.size() != 0 && sizes[sizes.size() - 1] == size && std::memcmp(bytes.end() - size, data, size) == 0) return true;
  sizes.reserve(kMostInputs);
  bytes.reserve(kMostBytes);
  if (sizes.full() || size > bytes.capacity() - bytes.size()) return false;
  sizes.push() = static_cast<uint32_t>(size);
  if (size != 0) std::memcpy(bytes.end(), data, size);
  bytes.resize(bytes.size() + size);
  return true;
}

// Otherwise libFuzzer warns that no input is interesting.
void look_interesting() {
  const rt::Feature something = {0, 1};
  rt::write_extra_counters(&something, 1);
}

}  // namespace

void note_campaign(int argc, char** argv, const WantedRun& wanted) {
  assumed = wanted;
  campaign = true;
  for (const std::string_view other : {"-merge=", "-set_cover_merge=", "-minimize_crash=", "-cleanse_crash=", "-fork="}) {
    if (engine_flag(argc, argv, other).value_or("0") != "0") campaign = false;
  }
  if (engine_flag(argc, argv, "-runs=") == "0") campaign = false;
  later_job = is_later_job(engine_flag(argc, argv, "-features_dir=").value_or(""));
  bool files = true, any = false;
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] == '-') continue;
    any = true;
    files = files && is_file(argv[i]);
  }
  if (any && files) campaign = false;  // they are replayed
}

bool stands_aside(const uint8_t* data, size_t size) {
  if (!campaign || (!assumed.any() && !later_job)) return false;
  const bool own = engines_own({data, size});
  if (!(later_job && own) && (!assumed.any() || !is_foreign(data, size) || !keep(data, size))) return false;
  look_interesting();
  return true;
}

size_t next_first_input(uint8_t* data, size_t max_size) {
  campaign = false;
  while (handed_out < sizes.size()) {
    const uint32_t size = sizes[handed_out++];
    const uint8_t* const begin = bytes.data() + handed_bytes;
    handed_bytes += size;
    Schedule schedule;
    assumed.write(schedule);
    schedule.payload.assign(begin, begin + size);
    const std::vector<uint8_t> out = encode_schedule(schedule);
    if (out.size() > max_size) continue;
    std::memcpy(data, out.data(), out.size());
    return out.size();
  }
  return 0;
}

}  // namespace heddle::driver
