// SPDX-License-Identifier: BSD-3-Clause
// The version of the library, as numbers and as text. Includes nothing.
#pragma once

#define ETNA_VERSION_MAJOR 0
#define ETNA_VERSION_MINOR 1
#define ETNA_VERSION_PATCH 0

namespace etna {
inline constexpr const char* version = "0.1.0";
}
