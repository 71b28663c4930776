# Holds a conversation with the engine, which says what is EXPECTED: cmake -D ENGINE=... -D CONVERSATION=... -D EXPECTED=...
# -P converse.cmake. A sanitizer that finds something, a leak at the end too, makes the program fail.

execute_process(COMMAND ${ENGINE} INPUT_FILE ${CONVERSATION} OUTPUT_VARIABLE said RESULT_VARIABLE code)
if(NOT code EQUAL 0 OR NOT said MATCHES "${EXPECTED}")
  message(FATAL_ERROR "code ${code} after:\n${said}")
endif()
