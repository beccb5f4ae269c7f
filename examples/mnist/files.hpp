// SPDX-License-Identifier: BSD-3-Clause
// What a run reads and keeps: images, the parameters, and all that it needs to go on.
// Read next: history.hpp.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include <etna/data/mnist.hpp>

#include "options.hpp"
#include "parameters.hpp"

namespace example {

using words = std::map<std::string, std::string>;

// What resume.safetensors holds; the words beside it are the fields of session that are not arrays.
template <class State> struct saved {
  State now;
  mlp best;
};

/// The images of a folder, checked against the network.
data::mnist load_images(std::string const& folder);
/// A run that goes on has the optimizer and the seed that it began with.
void adopt(options& o);

void store(mlp const& parameters, std::filesystem::path const& file, words const& beside);
template <class State> void store(saved<State> const& run, std::filesystem::path const& file, words const& beside);
template <class State> words restore(saved<State>& run, std::filesystem::path const& file);

}  // namespace example
