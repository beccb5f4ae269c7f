// SPDX-License-Identifier: BSD-3-Clause
// What a run reads: images, and what the run was that it goes on from.
// Read next: session.hpp.
#pragma once
#include <map>
#include <string>

#include <etna/data/mnist.hpp>

#include "options.hpp"

namespace example {

namespace data = etna::data;

/// The images of a folder, checked against the network.
data::mnist load_images(std::string const& folder);
/// A run that goes on has the optimizer, the seed and the rate that it began with.
void adopt(options& o);
/// What a checkpoint keeps of these.
std::map<std::string, std::string> words_of(char const* optimizer, std::uint64_t seed, float rate);

}  // namespace example
