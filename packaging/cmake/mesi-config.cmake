# find_package(mesi): the plug-in for clang's CUDA, and a function that gives it to a target.
#
#   find_package(mesi REQUIRED)
#   mesi_enable(my_target)
#
# mesi_enable warns, and changes nothing, where the CUDA compiler is not clang 22. With
# CMAKE_CUDA_COMPILER=mesi-nvcc there is nothing to enable, as that compiler has the plug-in.

get_filename_component(_mesi_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(mesi_LLVM_MAJOR 22)
set(mesi_PLUGIN "${_mesi_prefix}/lib/libmesi-${mesi_LLVM_MAJOR}.so")
set(mesi_INCLUDE_DIR "${_mesi_prefix}/include")
set(mesi_NVCC "${_mesi_prefix}/bin/mesi-nvcc")
unset(_mesi_prefix)

foreach(_mesi_file mesi_PLUGIN mesi_NVCC)
  if(NOT EXISTS "${${_mesi_file}}")
    set(mesi_FOUND FALSE)
    set(mesi_NOT_FOUND_MESSAGE "${${_mesi_file}} is missing: install mesi anew")
    return()
  endif()
endforeach()
unset(_mesi_file)

# Compiles the CUDA files of a target with the plug-in. More arguments are options of the plug-in,
# as in mesi_enable(target force strip=16).
function(mesi_enable target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "mesi_enable(${target}): there is no such target")
  endif()
  if(NOT CMAKE_CUDA_COMPILER_LOADED)
    message(WARNING "mesi_enable(${target}): the project does not use CUDA: add it to project(... LANGUAGES CUDA)")
    return()
  endif()
  get_filename_component(name "${CMAKE_CUDA_COMPILER}" NAME)
  set(options "")
  foreach(option ${ARGN})
    list(APPEND options "-mllvm" "-mesi-${option}")
  endforeach()
  if(name STREQUAL "mesi-nvcc")
    set(flags "")
    foreach(option ${options})
      list(APPEND flags "--mesi-clang=${option}")
    endforeach()
  elseif(NOT CMAKE_CUDA_COMPILER_ID STREQUAL "Clang")
    message(WARNING "mesi_enable(${target}): the CUDA compiler is ${CMAKE_CUDA_COMPILER_ID}, which loads no plug-in: "
                    "configure with -DCMAKE_CUDA_COMPILER=${mesi_NVCC}, or with clang++-${mesi_LLVM_MAJOR}")
    return()
  elseif(NOT CMAKE_CUDA_COMPILER_VERSION MATCHES "^${mesi_LLVM_MAJOR}\\.")
    message(WARNING "mesi_enable(${target}): the CUDA compiler is clang ${CMAKE_CUDA_COMPILER_VERSION}, and this mesi "
                    "is for clang ${mesi_LLVM_MAJOR}: configure with -DCMAKE_CUDA_COMPILER=clang++-${mesi_LLVM_MAJOR}")
    return()
  else()
    # As with nvcc, -O and build types are the host's: without -O3 there would be nothing to speed up.
    set(flags "-fpass-plugin=${mesi_PLUGIN}" "SHELL:-Xarch_device -O3")
    foreach(option ${ARGN})
      list(APPEND flags "SHELL:-mllvm -mesi-${option}")
    endforeach()
  endif()
  foreach(flag ${flags})
    target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:${flag}>")
  endforeach()
endfunction()
