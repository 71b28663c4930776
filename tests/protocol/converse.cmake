# Holds a conversation with the engine: cmake -D ENGINE=... -D CONVERSATION=... -P converse.cmake. A sanitizer that finds
# something, a leak at the end too, makes the program fail.

execute_process(COMMAND ${ENGINE} INPUT_FILE ${CONVERSATION} OUTPUT_VARIABLE said RESULT_VARIABLE code TIMEOUT 1800)
string(REGEX MATCHALL "[0-9]+,[0-9]+" points "${said}")
list(LENGTH points count)
if(NOT code EQUAL 0 OR count LESS 8 OR NOT said MATCHES "^name=")
  message(FATAL_ERROR "code ${code} after:\n${said}")
endif()
