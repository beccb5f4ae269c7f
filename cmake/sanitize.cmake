# SPDX-License-Identifier: BSD-3-Clause
# AddressSanitizer and UndefinedBehaviorSanitizer for the tests: -DETNA_SANITIZE=ON. A report ends the test.
option(ETNA_SANITIZE "Tests with AddressSanitizer and UBSan" OFF)
if(ETNA_SANITIZE)
  set(sanitize -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_options(etna_dev INTERFACE ${sanitize} -g1)
  target_link_options(etna_dev INTERFACE ${sanitize})
endif()
