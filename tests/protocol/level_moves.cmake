# Every row of LEVELS, a level, a seed and a move, is what the engine plays in the position: cmake -D ENGINE=... -D
# LEVELS=... -D CONVERSATION=... -P level_moves.cmake. Python's levels are compared with the same rows.

file(STRINGS ${LEVELS} rows)
foreach(row ${rows})
  separate_arguments(row)
  list(GET row 0 level)
  list(GET row 1 seed)
  list(GET row 2 expected)
  execute_process(COMMAND ${ENGINE} --level ${level} --seed ${seed} INPUT_FILE ${CONVERSATION} OUTPUT_VARIABLE said)
  string(REGEX MATCH "[0-9]+,[0-9]+" move "${said}")
  if(NOT move STREQUAL expected)
    message(FATAL_ERROR "level ${level} with seed ${seed} plays ${move}, not ${expected}")
  endif()
endforeach()
