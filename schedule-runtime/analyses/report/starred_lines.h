// The source text of the rows with a star, so that the report can be read without the source beside it.
#pragma once

#include <cstdint>

#include "analyses/report/report_text.h"

namespace heddle::rt {

// For the rows() of a table whose places are known (row_places.h): each line once, file by file. Nothing without debug information, and nothing of files
// that are not there, or that were changed after the program was built: their lines can be others. `width`: of the report.
void put_starred_lines(Text& out, uint32_t width);

}  // namespace heddle::rt
