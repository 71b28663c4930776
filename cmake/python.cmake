# The Python module around the core; in a portable x86-64 build, one for each instruction set.

find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module ${SKBUILD_SABI_COMPONENT})
find_package(nanobind CONFIG REQUIRED)

file(GLOB BINDING_SOURCES CONFIGURE_DEPENDS bindings/*.cpp)
list(REMOVE_ITEM BINDING_SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/bindings/processor.cpp)

# All are called _core, in folders of their own: what is pickled on one processor is read on another.
function(tengen_add_module module folder)
  tengen_add_core(core${module} ${ARGN})
  nanobind_add_module(${module} NB_STATIC STABLE_ABI NOMINSIZE NOSTRIP ${BINDING_SOURCES})
  set_target_properties(${module} PROPERTIES OUTPUT_NAME _core LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${folder})
  target_compile_options(${module} PRIVATE ${TENGEN_FLAGS})
  target_link_libraries(${module} PRIVATE core${module})
  install(TARGETS ${module} LIBRARY DESTINATION tengen/${folder} COMPONENT python)
endfunction()

if(TENGEN_PORTABLE AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(avx512_FLAGS -march=x86-64-v4 -mavx512vnni)
  set(avx2_FLAGS -march=x86-64-v3)
  set(baseline_FLAGS)
  foreach(set ${TENGEN_INSTRUCTION_SETS})
    tengen_add_module(_core_${set} _cores/${set} ${${set}_FLAGS})
    set(STUB_SOURCE _core_${set})  # the last, which any builder runs
  endforeach()
  nanobind_add_module(_processor NB_STATIC STABLE_ABI NOSTRIP bindings/processor.cpp)
  install(TARGETS _processor LIBRARY DESTINATION tengen COMPONENT python)
else()
  tengen_add_module(_core . ${LIBRARY_FLAGS})
  set(STUB_SOURCE _core)
endif()

# The stub is generated into the source tree, where type checkers look for it.
if(SKBUILD AND NOT TENGEN_SANITIZE)
  nanobind_add_stub(core_stub MODULE _core OUTPUT ${CMAKE_CURRENT_SOURCE_DIR}/src/tengen/_core.pyi
                    PYTHON_PATH $<TARGET_FILE_DIR:${STUB_SOURCE}> DEPENDS ${STUB_SOURCE})
endif()
