// heddle: expect=pass runs=2000 options=report_endless=0
// The workers that are left spinning are meant to.
#include "../../fail/spin/left_spinning.cc"
