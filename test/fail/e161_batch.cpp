// SPDX-License-Identifier: BSD-3-Clause
// expect: E161
#include <etna/etna.hpp>

#include <etna/data/image_folder.hpp>
#include <etna/data/pipeline.hpp>

using namespace etna;

auto z() { return data::image_folder("pictures") | data::batch<4>(); }
