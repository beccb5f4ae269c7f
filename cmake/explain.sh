#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The C++ blocks of a page as one file. Usage: sh cmake/explain.sh PAGE.md FILE.cpp
set -eu
mkdir -p "$(dirname "$2")"
awk '/^```cpp$/ { on = 1; next } /^```$/ { on = 0 } on' "$1" >"$2"
