// heddle: expect=pass runs=1000 options=report_races=1 flags=-std=c++17
#define FIXED
#include "../../fail/library/log_text.cc"
