// Where the operations of the table's rows are. Files are named as briefly as the table allows.
#pragma once

#include <cstdint>

#include "analyses/report/positions.h"
#include "analyses/report/report_text.h"
#include "analyses/report/rows.h"

namespace heddle::rt {

// To be called for each table, when it is certain which rows() it shows. Wrappers of one line are known from then on.
void find_row_places();

// A file that all shown rows are in is named once, above the table. If there are several, and their names would not fit into columns of this
// width beside an operation, each gets a letter, which is explained above the table.
void choose_file_names(uint32_t columns, uint32_t width);

// These lines above the table.
void put_file_names(Text& out);

// In the user's code, outside of wrappers.
const Frame& frame_of_row(const Row& row);
uint32_t site_of_row(const Row& row);

// With the file's name as it was chosen.
void put_cell_place(Text& cell, const Frame& frame);

// The only file of the last table; null: there are several.
const char* file_of_table();

}  // namespace heddle::rt
