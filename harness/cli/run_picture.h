// A run as a still picture and as a graph.
#pragma once

#include <string>

#include "harness/cli/run_model.h"

namespace heddle::cli {

// Rows beyond this number do not make a picture that anybody reads.
inline constexpr size_t kMostPictureRows = 120;

// Which rows the picture shows: all of a short run; of a longer one those that matter for the finding. Empty: there are too many.
std::vector<uint32_t> picture_rows(const RunModel& model);

// REQUIRES: picture_rows() is not empty. It loads nothing, and has its colours for light and dark.
std::string run_svg(const RunModel& model);

// The execution graph for Graphviz: program order, reads-from, synchronisation; under a weak memory model the modification order, too.
std::string run_dot(const RunModel& model, const StoredTrace& trace);

}  // namespace heddle::cli
