// heddle: expect=pass runs=500
#define FIXED
#include "../../fail/seeds/kubernetes_joined.cc"
