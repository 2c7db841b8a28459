#!/bin/bash
# Builds heddle, then each fuzz target, into $OUT. Only the documented environment is used: $SRC, $OUT, $WORK, $CC, $CXX, $CFLAGS,
# $CXXFLAGS, $LIB_FUZZING_ENGINE, and $FUZZING_ENGINE to recognise AFL++.
#
# For a project of your own: set TARGETS to your sources (one fuzz target each) and add what they need to their line. If your Dockerfile
# has built heddle already, set HEDDLE_BUILT to where.
set -eu
heddle=${HEDDLE_SOURCE:-$SRC/heddle}
targets=${TARGETS:-$heddle/harness/oss-fuzz/hand_over_fuzz.cc}
built=${HEDDLE_BUILT:-$WORK/heddle}

if [ -z "${HEDDLE_BUILT:-}" ]; then
  # The runtime is never instrumented; of the flags it gets only the standard library, to be built with the one that is there.
  library=
  case " $CXXFLAGS " in *" -stdlib=libc++ "*) library=-stdlib=libc++ ;; esac
  # (AFL_NOOPT: AFL++'s compiler is an ordinary one for it.)
  export AFL_NOOPT=1
  env -u CFLAGS -u CXXFLAGS cmake -S "$heddle" -B "$built" -G Ninja -DCMAKE_BUILD_TYPE=Release -DHEDDLE_BUILD_TESTS=OFF \
    -DHEDDLE_BUILD_COMMAND=OFF -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_CXX_FLAGS="$library"
  cmake --build "$built" --target heddle_link_objects
  unset AFL_NOOPT
fi

engine=
if [ "${FUZZING_ENGINE:-libfuzzer}" = afl ]; then engine=--engine=afl; fi

for source in $targets; do
  name=$(basename "${source%.*}")
  # shellcheck disable=SC2086
  HEDDLE_CLANGXX=$CXX "$built/bin/heddle-clang++" $engine --engine-library="$LIB_FUZZING_ENGINE" $CXXFLAGS -std=c++20 \
    "$source" -o "$OUT/$name"
  corpus=$heddle/corpora/${name%_fuzz}
  if [ -d "$corpus" ]; then
    (cd "$corpus" && zip -q -r "$OUT/${name}_seed_corpus.zip" .)
  fi
  printf '[libfuzzer]\nuse_value_profile = 0\n' > "$OUT/$name.options"
done
