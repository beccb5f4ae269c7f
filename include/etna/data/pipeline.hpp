// SPDX-License-Identifier: BSD-3-Clause
// All of a pipeline: data sets in memory, stages, threads, the meter. docs/data.md shows it.
// Read next: image_folder.hpp, for sets that lie in files.
#pragma once
#include <etna/set_aside.hpp>

#include "ahead.hpp"
#include "flow.hpp"
#include "generator.hpp"
#include "in_memory.hpp"
#include "mapped.hpp"
#include "meter.hpp"
#include "ordering.hpp"
#include "shard_batch.hpp"
#include "stack.hpp"
#include "cache.hpp"

#include <etna/set_back.hpp>
