# SPDX-License-Identifier: BSD-3-Clause
# project_options: what our own code is compiled with; never linked by anything else.
option(LAUNCHWISE_WERROR "warnings are errors (developer builds)" OFF)
set(LAUNCHWISE_SANITIZE "" CACHE STRING "value of -fsanitize=, empty for none")

# g++ 12 sees ghosts at -O2 and above in std::string's operator+ (gcc#105651) and std::optional
# (gcc#105562).
add_library(project_options INTERFACE)
target_compile_options(project_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-maybe-uninitialized>
  $<$<BOOL:${LAUNCHWISE_WERROR}>:-Werror>)
target_compile_definitions(project_options INTERFACE LAUNCHWISE_VERSION="${PROJECT_VERSION}")

if(LAUNCHWISE_SANITIZE)
  add_compile_options(-fsanitize=${LAUNCHWISE_SANITIZE} -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LAUNCHWISE_SANITIZE})
endif()
