// heddle: expect=pass runs=1000
#define FIXED
#include "../../fail/shared_views/own_view.c"
