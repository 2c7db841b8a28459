// heddle: expect=pass runs=2000 options=spurious=0
#include "../../fail/condvar/woken_before_the_limit.cc"
