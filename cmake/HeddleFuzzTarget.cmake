# heddle_add_fuzz_target(name source... [ASAN] [ENGINE libfuzzer|standalone] [LIBRARIES library...])
#
# Adds an executable `name`: the sources and a harness, compiled so that heddle controls their threads, and linked with the
# runtime, the mutators and the fuzzing engine. LIBRARIES are linked as they are; a library whose threads and accesses heddle
# should see must itself be compiled with heddle_instrument(library [ASAN]).
#
# heddle_instrument(target [ASAN])
#
# Compiles a library of the project so that it can be part of a fuzz target. Anything else that uses it must then be
# one, too.

# What heddle-clang++ adds: keep the two in step (tests/install checks that they are).
set(HEDDLE_COMPILE_FLAGS
  -g -fno-omit-frame-pointer -fno-common "SHELL:-Xclang -fsanitize=thread"
  "SHELL:-mllvm -tsan-instrument-read-before-write=1")

function(_heddle_check_compiler)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "heddle: fuzz targets need clang (19 is tested): configure with -DCMAKE_CXX_COMPILER=clang++-19 "
      "-DCMAKE_C_COMPILER=clang-19; this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  endif()
endfunction()

function(heddle_instrument target)
  cmake_parse_arguments(arg "ASAN" "" "" ${ARGN})
  _heddle_check_compiler()
  set(sanitizers fuzzer-no-link)
  if(arg_ASAN)
    string(APPEND sanitizers ",address")
  endif()
  target_compile_options(${target} PRIVATE ${HEDDLE_COMPILE_FLAGS} -fsanitize=${sanitizers})
endfunction()

function(heddle_add_fuzz_target name)
  cmake_parse_arguments(arg "ASAN" "ENGINE" "LIBRARIES" ${ARGN})
  if(NOT arg_ENGINE)
    set(arg_ENGINE libfuzzer)
  endif()
  if(NOT arg_ENGINE MATCHES "^(libfuzzer|standalone)$")
    message(FATAL_ERROR "heddle_add_fuzz_target(${name}): unknown ENGINE '${arg_ENGINE}': libfuzzer or standalone")
  endif()
  if(NOT arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "heddle_add_fuzz_target(${name}): no source file given")
  endif()
  set(engine fuzzer)
  set(main)
  if(arg_ENGINE STREQUAL "standalone")
    set(engine fuzzer-no-link)
    set(main ${HEDDLE_OBJECT_DIR}/heddle_standalone.o)
  endif()
  set(asan)
  if(arg_ASAN)
    set(asan ASAN)
    string(APPEND engine ",address")
  endif()

  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  heddle_instrument(${name} ${asan})
  target_include_directories(${name} PRIVATE ${HEDDLE_INCLUDE_DIR})
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX
    LINK_DEPENDS "${HEDDLE_OBJECT_DIR}/heddle_rt.o;${HEDDLE_OBJECT_DIR}/heddle_begin.o")
  # Link options stand before the objects: the marker of where the program's data begins comes first.
  target_link_options(${name} PRIVATE -fsanitize=${engine}
    -Wl,--wrap=LLVMFuzzerTestOneInput -Wl,--wrap=LLVMFuzzerCustomMutator
    -Wl,--wrap=LLVMFuzzerCustomCrossOver -Wl,--wrap=LLVMFuzzerInitialize
    "-Wl,--export-dynamic-symbol=__tsan_*" ${HEDDLE_OBJECT_DIR}/heddle_begin.o)
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} ${HEDDLE_OBJECT_DIR}/heddle_rt.o ${main} m pthread dl)
  if(TARGET heddle_link_objects)
    add_dependencies(${name} heddle_link_objects)
  endif()
endfunction()
