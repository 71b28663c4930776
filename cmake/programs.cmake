# pbrain-tengen: the engine for Gomocup managers, with the shipped networks inside.

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

add_executable(pbrain-tengen programs/pbrain_tengen.cpp ${CMAKE_CURRENT_BINARY_DIR}/shipped_networks_data.cpp)
target_compile_options(pbrain-tengen PRIVATE ${TENGEN_FLAGS})
target_link_libraries(pbrain-tengen PRIVATE tengen::core)
install(TARGETS pbrain-tengen)
