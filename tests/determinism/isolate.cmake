# heddle_isolated_driver(target source): an object file that stands in for LLVMFuzzerInitialize and brings its own schema library, with
# no other name visible: the runtime that it is linked with has the same library inside.
function(heddle_isolated_driver target source)
  add_library(${target}_parts OBJECT EXCLUDE_FROM_ALL ${source})
  target_include_directories(${target}_parts PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_options(${target}_parts PRIVATE -O2 -fPIC)
  target_link_libraries(${target}_parts PRIVATE heddle_warnings)
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${HEDDLE_LD} -r --force-group-allocation -o ${object} $<TARGET_OBJECTS:${target}_parts> $<TARGET_FILE:heddle_schema>
    COMMAND ${HEDDLE_OBJCOPY} --keep-global-symbol=LLVMFuzzerInitialize ${object}
    DEPENDS ${target}_parts $<TARGET_OBJECTS:${target}_parts> heddle_schema
    COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(${target} DEPENDS ${object})
endfunction()
