// SPDX-License-Identifier: BSD-3-Clause
// The machine that plans and kernels are made for, and every number that was found by measuring: one place, by room. A
// plan is a constant of the program, so these are compile-time numbers and not what the machine at hand has; sizes of a
// sum's parts decide bits, and must not depend on a machine at all.
//
// Measured: Zen 4 and Zen 5 server cores with 32 kB of first, 1 MB of second and 32 MB of shared cache, by the job of
// bench/run.sh that is named (`products` and `operations` are its other forms); docs/performance.md has figures, and
// docs/journal.md what else was tried.
#pragma once
#include <cstddef>
#include <cstdint>

namespace etna::tuning {

/// Caches, in bytes. What follows is written as parts of these where it is meant so.
struct cache {
  static constexpr std::int64_t line = 64, first = 1 << 15, second = 1 << 20, shared = 1 << 25;
};
static_assert(cache::line == 64, "alignment of arrays, and the widest SIMD register");
inline constexpr std::size_t huge_page = std::size_t(2) << 20;  // blocks of two and more ask for them (adam90)
/// What is kept of the memory that was let go (array/pool.hpp): at least so many bytes of all that there are, `slack`
/// times what was in use; blocks below `large` stay, and others go where `patience` times everything was taken
/// meanwhile. (docs/journal.md, Memory of eager code)
struct pool {
  static constexpr std::size_t least = std::size_t(64) << 20, slack = 2, patience = 8, large = std::size_t(64) << 10;
};
/// Elements of a large draw that are made at once outside jit (random/large_draw.hpp).
inline constexpr std::int64_t drawn_piece = 1 << 15;

/// Messages between ranks: arrays of so many bytes at most travel together, in messages of so many. A message costs
/// some 20 to 50 us beside its bytes, at 1 to 10 GB/s.
struct ranks {
  static constexpr std::int64_t small = std::int64_t(128) << 10, bucket = std::int64_t(1) << 20;
};

// ---- rewrite/: which products are taken apart

/// A product with a vector, or of pairs (GEMV, batched dot products), as a fused sum. (matvec, vecmat)
struct thin {
  static constexpr std::int64_t least = 1 << 10;    // elements of the matrix: less is a block of a product
  static constexpr std::int64_t least_row = 4;      // numbers along the sum,
  static constexpr std::int64_t least_columns = 4;  // or of sums beside each other
  static constexpr std::int64_t least_pairs = 64;   // of two vectors; a product has no block for these
};
/// A product of bf16 or f16 that reads these, and converts what it packs. (products of layers of 128 features)
struct narrow {
#if defined(__AVX512BF16__) && !(defined(__clang__) && __clang_major__ < 17)  // clang 16 crashes on the instruction
  static constexpr bool bf16_pairs = true;  // an instruction adds two products of bf16 to each f32
#else
  static constexpr bool bf16_pairs = false;
#endif
  static constexpr std::int64_t least = 1 << 20;  // multiplications: less is converted before, as packing costs
  static constexpr std::int64_t least_of_pairs = 1 << 13;  // the same where pairs are multiplied: not measured
};
/// Do registers pick elements faster by an instruction than one by one? On processors that have FP16 (AVX-512, Intel
/// from Sapphire Rapids on); on others it takes as long, or much longer. (wide: take)
#if defined(__AVX512FP16__)
inline constexpr bool gathers = true;
#else
inline constexpr bool gathers = false;
#endif
/// A table of so many bytes is in registers, and its elements are picked by permutations, where these have 64 bytes.
/// (wide: take)
inline constexpr std::int64_t table_bytes = 256;
/// A batch of small computations, an example in each lane. (bench/wide: stiff, quat)
struct lanes {
  static constexpr std::int64_t axis = 16;            // the longest axis whose elements are written out,
  static constexpr std::int64_t elements = 256;       // and so many of an array (a Jacobian of 16 by 16)
  static constexpr std::int64_t examples = 16;        // from so many on
  static constexpr std::int64_t named = 4096;         // that sizes known at the call count as
  static constexpr std::int64_t step = 4096;          // bytes that are moved while a step starts
  static constexpr std::int64_t terms = 512;          // products of numbers in a product of small matrices
  static constexpr std::int64_t shared_terms = 64;    // of a matrix that all examples share, which a GEMM is for,
  static constexpr std::int64_t shared_numbers = 16;  // unless it has no more numbers than these (a batch of 4 x 4)
  static constexpr int equations = 2048;              // of a part of the graph: what they cost to compile,
#if defined(__CUDACC__)
  static constexpr int counted = equations;  // nvcc keeps graphs whole
#else
  static constexpr int counted = 16384;            // counted before zeros are known
#endif
};
/// Rows in order.
struct sort {
  static constexpr int few = 32;    // elements are put in order by counting
  static constexpr int first = 64;  // or fewer, that come first, are found in one pass over the row,
  static constexpr int of = 8;      // where it has so many times as many
  static constexpr int block = 32;  // of which it asks so many elements at once whether one of them is among the first
};
/// Pieces that one array is put together from, as the elements that lanes compute.
inline constexpr int most_pieces = int(lanes::elements);
/// A loop under vmap, block of examples by block. (filters by scan)
struct example_blocks {
  static constexpr std::int64_t examples = 128;          // from so many on
  static constexpr std::int64_t touched = cache::first;  // bytes of a block's values, where a round is several kernels:
  static constexpr std::int64_t one_kernel = 192;        // more numbers than these of an example
  static constexpr std::int64_t touched_by_one = cache::second;         // of all examples, where it is one
  static constexpr std::int64_t touched_at_most = cache::second;        // of a block that would have fewer than `least`
  static constexpr std::int64_t least = 64, fewest = 32, multiple = 8;  // examples of a block
};
/// What a loop only adds up, summed behind it. (gru, lstm; two threads: kalman)
struct loop_sums {
  static constexpr std::int64_t kept = cache::second;      // bytes of what all rounds give, where rounds are apart then
  static constexpr std::int64_t terms = 256;               // of a product in one round: more is a product of its own
  static constexpr std::int64_t more = 8;                  // its operands, by what it is added to: they are written,
  static constexpr std::int64_t most = 4 * cache::second;  // and so many bytes of them in all rounds
  static constexpr int moves = 8;                          // of what is added, from the product on
};
/// Sums over some axes beside sums over more of them. (wide: lj)
struct stage {
  static constexpr std::int64_t least = 8;     // elements of the first sum: with fewer its results are many
  static constexpr std::int64_t named = 4096;  // that sizes known at the call count as
};
/// A product that sums nothing. (per_example)
struct outer {
  static constexpr std::int64_t least = 1 << 10;  // elements of the result
  static constexpr std::int64_t least_row = 16;   // and of those side by side
};
/// A product whose long sum is split in two, so that each of two threads reads the rows of weights that it updates
/// (split-K for a cache of its own). (mlp_step on two threads)
struct halve {
  static constexpr std::int64_t least = cache::second / 2;  // bytes of the matrix: less is soon moved
  static constexpr std::int64_t most = 4 * cache::second;   // more stays in no cache of two cores
  static constexpr std::int64_t least_rows = 256;
  static constexpr std::int64_t thin = 16;  // elements of the matrix for each of the result
};
/// Updates as a part of the kernel that reads them. (operations: pad, slice and their gradients; heat_grad)
struct patch {
  static constexpr std::int64_t least = 64;  // elements: smaller ones are updates, moves of registers in small loops
  static constexpr std::int64_t few = 8;     // of all elements a smaller part in short runs, as at a boundary
  static constexpr std::int64_t least_run = 16;  // of the last axis: shorter ones are written one by one
  static constexpr int most_nested = 4;          // patches of patches, each of which looks at every element
};
/// A patch of what its own kernel computes: neighbours of a stencil in registers. (heat, heat_grad)
struct stencil {
  static constexpr std::int64_t most_shift = 2;  // elements
#if defined(__CUDACC__)
  static constexpr std::int64_t least_row = std::int64_t(1)
                                            << 62;  // a thread has one element, and no neighbour's value
#else
  static constexpr std::int64_t least_row = 4096;  // bytes: less stays in the first cache
#endif
  /// Equations: values of more stages are not in registers (24 steps of a heat equation: 122 us as four kernels, 185 as
  /// two).
  static constexpr int most_members = 48;
};

// ---- planning/: what is one kernel, and what runs together

/// Equations of a kernel from which on no other joins it: compilers take more than twice the time for twice the length
/// (400 took g++ 100 s), and memory costs little beside so much computation.
inline constexpr int most_members = 128;
/// The same where nothing is summed: one phase, so one copy of the code. (bench/wide: quat has 181)
inline constexpr int most_elementwise = 192;
/// Rows that are too short for registers go together. (operations: softmax and norms of 8, 10, 32)
struct short_rows {
  static constexpr std::int64_t least = 8;    // of them
  static constexpr std::int64_t summed = 32;  // elements of a row that is summed: SIMD across rows,
  static constexpr std::int64_t joined_bytes =
      512;                                         // of one whose sums are joined with those of others (dot products),
  static constexpr int joined_statements = 4;      // at most, of rows that are summed side by side
  static constexpr std::int64_t summed_unit = 32;  // so many rows in a unit of work
  static constexpr std::int64_t least_turned = 3;  // elements of a row that is transposed for that,
  static constexpr std::int64_t least_summed = 8;  // elements of a row that is added to others as a whole
  static constexpr std::int64_t flat = 16;         // of one that is not: rows one behind the other,
  static constexpr std::int64_t flat_bytes = 32;   // of fewer bytes: no register takes one
  static constexpr std::int64_t flat_unit = 128;   // so many
  static constexpr std::int64_t walked_over = 2 * cache::line;  // bytes from one to the next, where loops change places
  static constexpr std::int64_t walked = 256;                   // of one that is met by a step from the row before it,
  static constexpr int walked_statements = 16;     // where so many statements compute it: each is there twice
  static constexpr int of_one_register = 4;        // so many once more, for rows of one register
  static constexpr std::int64_t narrow = 4;        // registers of a row whose columns are summed, one after the other,
  static constexpr std::int64_t narrow_rows = 32;  // so many rows each,
  static constexpr std::int64_t narrow_stored = 2 * cache::line;  // and bytes of a row, where elements are stored too
};
/// What is computed of sums of rows as a kernel of its own. (logistic regression with features by `take`)
struct row_tails {
  static constexpr std::int64_t rows = 256;  // from so many on
  static constexpr int least_tail = 16;      // operations of a row: fewer are done one row after the other
  static constexpr int of_a_value = 4;       // that a value counts as which is stored and read back, or picked
  static constexpr int picked = 3;           // elements of picked rows for each value that is stored and then summed
};
/// A product and what follows it, tile by tile. (adam90; attention in operations)
struct epilogue {
  static constexpr std::int64_t tile = cache::second / 8;      // bytes that a tile hands on
  static constexpr std::int64_t most = cache::second / 2;      // that the least tile may hand on
  static constexpr std::int64_t least = cache::second / 2;     // that all of them hand on: less stays there anyway
  static constexpr std::int64_t operands = cache::second / 4;  // of what each tile reads again
  static constexpr std::int64_t rows = 48;                     // of a product's tile: a multiple of its blocks
  static constexpr std::int64_t elements = 64;                 // of kernels': whole registers, and lines of the cache
};
/// The stages of a stencil, tile by tile. (heat before its stages were one kernel; tests of planning/stencils)
struct stencil_tile {
  static constexpr std::int64_t touched = cache::first;    // bytes that the stages of a tile touch
  static constexpr std::int64_t least = 3 * cache::first;  // what all of them touch: less stays there anyway
  static constexpr std::int64_t most = 16 * cache::first;  // where rows are so long that a tile touches more
  static constexpr std::int64_t line = 16;  // elements: tiles begin where registers do not cross cache lines
  static constexpr std::int64_t unit = 64;  // and have a multiple of so many
  static constexpr int stages = 16;         // that run together, each some rounds behind the one before it
};
/// What runs inside a function with its neighbours instead of being launched, which takes some 50 ns. (rk4)
struct inlining {
  static constexpr std::int64_t elements = 1024;  // of a kernel
  static constexpr std::int64_t product = 65536;  // multiplications of a product
  static constexpr std::int64_t bytes = 16384;    // that its frames keep to themselves
  static constexpr int statements = 1024;         // of a program in such functions: what they cost to compile
  static constexpr int of_a_call = 8;             // statements that a product counts as
  static constexpr std::int64_t captured = 256;   // bytes of a captured value that is copied into the function
  static constexpr std::int64_t on_stack = 4096;  // bytes of a temporary of a program that is one function
  static constexpr int written_out = 128;         // statements of a loop's rounds together
  static constexpr int unrolled_copies = 16;      // registers of a copy
};
/// Straight-line code. (grad4, hvp4)
struct straight {
  static constexpr int most_equations = 16384;  // longer code would take minutes to compile
  static constexpr int call = 10;               // FLOPs: more than arithmetic, so the mathematical library's
};

// ---- lower/: loops of kernels. Sizes of parts of a sum decide bits.

struct loops {
  static constexpr std::int64_t block = 4096;       // elements of a row that are summed before they join the total
  static constexpr std::int64_t part = 16 * block;  // of a long sum, which threads share (lse_grad); with more than
  static constexpr int cheap = 4;                   // so many operations of an element, fewer: down to a block (cloth)
  static constexpr std::int64_t few_units = 8;      // of columns that are summed: with more of them, sums have no parts
  static constexpr std::int64_t piece = 8192;       // elements of a unit of a pointwise loop (chain)
  static constexpr std::int64_t strip = 1024;  // columns of a unit: their sums are in the first cache (column_sums)
  static constexpr std::int64_t rows_of_block = 128;  // rows that are summed before they join the total
  static constexpr int rows_at_once = 4;              // as streams of their own, where little is computed (column_sums)
  static constexpr std::int64_t part_of_a_thread = 1024;  // of a long row, on a device
  static constexpr int accumulators = 4;             // of a sum along registers: an addition waits for the one before
  static constexpr int accumulators_one_by_one = 8;  // of numbers one by one
  static constexpr int registers_ahead = 16;         // how far memory is prefetched (layer_norm)
  static constexpr int in_registers = 32;            // statements, of which what stands still can be in registers
  static constexpr int written_out = 32;             // operations: with more, the accumulators are a loop
  static constexpr int views_written_out = 24;       // that are placed without a loop: what they cost to compile
  static constexpr int few_registers = 4;  // of a row whose best element is found without a branch (operations: argmax)
};
/// Slices that are added at places. (wide: tree, cloth)
struct scatter {
  static constexpr std::int64_t operations = 4;                // that an addition at some place counts as
  static constexpr std::int64_t rows_at_once = 4;              // that have the same places
  static constexpr std::int64_t block = 64;                    // indices of which a share leaves out all, or none
  static constexpr std::int64_t long_row = cache::second / 2;  // bytes of one that is shared: looking at indices costs
};
/// Elements of a row that more than one phase needs are kept. (softmax, layer_norm)
struct kept {
  static constexpr std::int64_t short_row = 4096;  // elements
  static constexpr int dear = 8;                   // operations of what is always kept: exp and the like
  // Others are kept if computing them again, with all that they are made of, takes this many operations: as long as a
  // store and a load. And only the first so many of them, since more rows would not stay in the first cache.
  static constexpr int from = 5;
  static constexpr int most = 8;
};
/// Tiles of an operand that is read across its memory: some lines in both directions. (operations: transpose)
struct transposed_tile {
  static constexpr std::int64_t rows = 64, columns_of_4_bytes = 64, columns_of_8_bytes = 32;
  static constexpr int results_of_8_bytes = 4;                   // side by side, that have tiles
  static constexpr std::int64_t all = 1024;                      // rows of all operands together
  static constexpr std::int64_t in_line = cache::first;          // bytes of all tiles of a single row,
  static constexpr std::int64_t far = cache::shared / 2;         // and of one that moves more than these,
  static constexpr std::int64_t in_far_line = cache::line * 64;  // whose next operands come while these are computed
};
/// Columns of a running sum, of a sort and their like that go together. (operations: cumsum)
inline constexpr std::int64_t columns_of_axis = 16;

/// Reductions of windows that are written out. (cnn)
struct unroll {
  static constexpr std::int64_t elements = 16;  // of a window that is reduced: so many loads feed one result
  static constexpr int depth = 8;               // of what is computed of an element
};
/// Matrix products. (products)
struct gemm {
  /// From so many rows on, b is packed into panels: each row reads a panel again, which pays for the copy. The steps of
  /// a panel lie together, so they do not compete for the same sets of the cache.
  static constexpr std::int64_t rows_that_pay = 128;
  /// Multiplications that take as long as a scalar operation, where threads are to share them. (wide: gru)
  static constexpr double in_an_operation = 4;
  /// Terms of a sum; then they join the total.
  static constexpr std::int64_t sums_at_once = 1024;
  /// Long sums of so few results are divided into parts of so many multiplications at least, which threads share.
  static constexpr std::int64_t few_results = 1 << 13, part = 1 << 19;
  /// With fewer rows b is read where it is. Where its steps are this many bytes apart, that is slow: a processor does
  /// not prefetch such a walk by itself. Then the first rows leave a packed panel for the others.
  static constexpr std::int64_t far_steps = 1 << 10;
  /// Rows of a that are more than `many_rows` bytes, or packed, go in groups of `kept_rows` bytes, which stay in the
  /// second cache while panel after panel passes; packed panels of `packed_panels` bytes are kept, since each group
  /// reads them again; and a is packed where its steps are `far_rows` bytes apart.
  static constexpr std::int64_t kept_rows = cache::second / 2, many_rows = 4 * cache::second,
                                packed_panels = 4 * cache::second, far_rows = 1 << 11;
  static constexpr int steps_ahead = 8;                 // of a panel, that are prefetched
  static constexpr std::int64_t folded_rows = 1 << 10;  // whose places are in a table at once
  /// Steps of folded rows, each in another line of memory: those of all rows stay in half of the first cache.
  static constexpr std::int64_t steps_apart = cache::first / 2 / cache::line;
  static constexpr std::int64_t batch_elements_of_4_bytes = 64, batch_elements_of_8_bytes = 36;  // of an operand
};
/// What a product prefetches for the steps behind it. (adam90)
struct prefetch {
  static constexpr std::int64_t from = 1 << 20;                // operations of the product
  static constexpr std::int64_t least = 1 << 14;               // bytes of a buffer
  static constexpr std::int64_t most = 3 * cache::second / 4;  // what the second cache holds beside the product
  static constexpr int buffers = 8;
  static constexpr int most_between = 8;  // steps between two products that are looked at
};

// ---- nn/: attention

/// Attention whose scores are not kept: some queries at a time. (attention)
struct attention {
  static constexpr std::int64_t least = cache::second;     // bytes of a head's scores: less is in a cache
  static constexpr std::int64_t tile = cache::second / 4;  // of a tile's scores
  static constexpr std::int64_t step = 48, most = 192;     // queries of a tile: a multiple of a product's blocks
  static constexpr std::int64_t bands = 8;  // of queries, each with the keys that are not later than its last query
};

// ---- exec/: launches

inline constexpr double parallel_pays = 200000;  // scalar operations that threads share, about 20 us (chain, softmax)
/// Results past the caches: bytes, of which little would be left for who reads them. (layer_norm, per_example)
inline constexpr std::int64_t non_temporal = cache::shared;
/// Bytes that explain copies to measure memory: twice that is more than the caches hold.
inline constexpr std::int64_t measured_copy = 2 * cache::shared;

}  // namespace etna::tuning
