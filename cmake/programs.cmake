# Programs with the shipped networks inside: pbrain-tengen, the engine for Gomocup managers; with emscripten, the core
# of the web board that needs no server.

file(GLOB NETWORKS CONFIGURE_DEPENDS src/tengen/nets/shipped/*.safetensors)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${NETWORKS})
set(ARRAYS "")
set(VIEWS "")
foreach(network ${NETWORKS})
  get_filename_component(name ${network} NAME_WE)
  file(READ ${network} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND ARRAYS "const unsigned char ${name}[] = {${bytes}};\n")
  string(APPEND VIEWS "        {reinterpret_cast<const char*>(${name}), sizeof ${name}},\n")
endforeach()
file(CONFIGURE OUTPUT shipped_networks_data.cpp CONTENT "#include \"protocol/shipped_networks.h\"

namespace {
@ARRAYS@}  // namespace

std::vector<std::string_view> tengen::shipped_networks() {
    return {
@VIEWS@    };
}
" @ONLY)

if(EMSCRIPTEN)
  file(GLOB WASM_SOURCES CONFIGURE_DEPENDS wasm/*.cpp)
  add_executable(tengen-web ${WASM_SOURCES} ${CMAKE_CURRENT_BINARY_DIR}/shipped_networks_data.cpp)
  target_link_options(tengen-web PRIVATE --bind -sMODULARIZE -sEXPORT_ES6 -sENVIRONMENT=worker -sFILESYSTEM=0)
  set(PROGRAM tengen-web)
else()
  add_executable(pbrain-tengen programs/pbrain_tengen.cpp ${CMAKE_CURRENT_BINARY_DIR}/shipped_networks_data.cpp)
  install(TARGETS pbrain-tengen)
  set(PROGRAM pbrain-tengen)
endif()
target_compile_options(${PROGRAM} PRIVATE ${TENGEN_FLAGS})
target_link_libraries(${PROGRAM} PRIVATE tengen::core)
