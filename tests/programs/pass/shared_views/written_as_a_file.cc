// heddle: expect=pass runs=1000 options=report_races=1
#define FIXED
#include "../../fail/shared_views/written_as_a_file.cc"
