#include "harness/cli/first_seeds.h"

#include <cstdlib>

#include "harness/cli/files.h"
#include "schema/codec.h"
#include "schema/options_text.h"

namespace heddle::cli {

void write_first_seeds(const std::filesystem::path& directory) {
  const char* const options = std::getenv("HEDDLE_OPTIONS");
  const WantedRun wanted = wanted_run(options != nullptr ? options : "");
  const char data = 'x';
  if (!wanted.any()) write_file((directory / "default").string(), &data, 1);
  const auto add = [&](const char* name, StrategyId strategy, uint8_t stickiness) {
    Schedule schedule;
    schedule.strategy = strategy;
    schedule.stickiness = stickiness;
    wanted.write(schedule);
    const auto bytes = encode_schedule(schedule);
    write_file((directory / name).string(), bytes.data(), bytes.size());
  };
  if (wanted.any()) add("default", StrategyId::automatic, 0);
  add("round_robin", StrategyId::round_robin, 0);
  add("sticky", StrategyId::sticky, 255);
}

}  // namespace heddle::cli
