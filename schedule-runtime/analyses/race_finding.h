// A data race as a finding (report_races=1). Without that, racing sites only tell mutators where to look.
#pragma once

#include "races/race_detector.h"

namespace heddle::rt {

void report_race(const RaceReport& race);

}  // namespace heddle::rt
