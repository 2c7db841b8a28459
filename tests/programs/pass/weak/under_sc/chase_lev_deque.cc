// heddle: expect=pass runs=5000 options=report_races=1
// The wrong memory order does no harm under sequential consistency.
#include "../../../fail/weak/chase_lev_deque.cc"
