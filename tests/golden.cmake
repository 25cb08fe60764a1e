# SPDX-License-Identifier: MIT
# cmake -D PROGRAM=… -D EXPECTED=… [-D UPDATE=ON] -P golden.cmake: what PROGRAM prints is what EXPECTED holds.
execute_process(COMMAND ${PROGRAM} OUTPUT_FILE ${PROGRAM}.printed RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ended with ${status}; an example ends with 0")
endif()
if(UPDATE)
  execute_process(COMMAND ${CMAKE_COMMAND} -E copy ${PROGRAM}.printed ${EXPECTED} COMMAND_ERROR_IS_FATAL ANY)
  return()
endif()
execute_process(COMMAND diff -u ${EXPECTED} ${PROGRAM}.printed RESULT_VARIABLE differs)
if(NOT differs EQUAL 0)
  message(FATAL_ERROR "the output differs from ${EXPECTED}; where that is right, build the target golden-update")
endif()
