// SPDX-License-Identifier: BSD-3-Clause
// The run-time half of the catalogue: number, sentence, remedy. The only place with such prose.
// `raise<101>("path")` throws etna::error "E101: <what went wrong> (path); <what to do>".
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "error.hpp"

namespace etna::message {

struct sentence {
  int number;
  const char* what;
  const char* remedy;
};

inline constexpr sentence sentences[] = {
    {32, "max, min, argmax and argmin of an empty axis have no value", "reduce an axis that has elements"},
    {35, "a value is used as a C++ number, and a transform follows it",
     "use where, cond, fori_loop or while_loop, etna's functions, slice or take for an element; stop_gradient(x) gives "
     "a number that derivatives ignore"},
    {101, "the data file is missing", "give the folder that holds it with --data"},
    {102, "the data file ends before its header says it does", "fetch it again"},
    {103, "the data file has the wrong magic number", "give the file of the kind that is named"},
    {104, "the counts of two data files disagree", "take both from the same data set"},
    {105, "the data file holds an element type that is not read here", "store it as unsigned bytes"},
    {106, "the data file goes on after its last element", "fetch it again"},
    {107, "there is too little memory for", "use a smaller batch, or free arrays before the call"},
    {108, "the compressed data file is damaged", "fetch it again"},
    {109, "a label is none of the classes", "take images and labels from the same data set"},
    {110, "the same name stands for different sizes", "give arrays whose named axes agree"},
    {111, "the sizes do not fit the operation", "check the shapes that are named"},
    {112, "the array does not fit the shape it is converted to", "check the sizes of its named axes"},
    {113, "a value became NaN",
     "look at the operation that is named, and at its operands; a training that diverges goes on from the checkpoint "
     "before, with a smaller rate"},
    {114, "an eager transform was used after its function returned", "return the value instead"},
    {115, "the derivative cannot be computed",
     "give the loop a bound, while_loop<N>, or make what is captured an argument"},
    {116, "no vmap with this axis name encloses the call", "write vmap<0>(f, axis_name<\"i\"_n>)"},
    {118, "no bucket holds this size", "add a larger bucket, or cut the argument into parts"},
    {119, "two files of the program have different lists of primitives",
     "give all of them the same header, as with -DETNA_PRIMITIVES"},
    {120, "the saved file is missing", "check the path"},
    {121, "the saved file is damaged", "take another copy, or save it again"},
    {122, "the saved arrays are not those of the tree", "load them into the structure that was saved"},
    {123, "the file cannot be written",
     "check that it is no folder, that it and its folder may be written to, and that there is space left"},
    {124, "the file holds an element type that is not read here",
     "save it as bool, int8 to int64, uint8 to uint64, bfloat16, float16, float32 or float64, little-endian"},
    {125, "the .npy file holds another array than the one asked for",
     "ask for its shape and element type, or save it so"},
    {126, "the member of the .npz file is encrypted or packed in a way that is not read here",
     "save it with numpy.savez or savez_compressed"},
    {127, "this program was built without minizip, which .npz files need",
     "install libminizip-dev, or run sh cmake/prefix.sh, and build it again"},
    {128, "the file cannot be read", "check that it is a file, and that you may read it"},
    {129, "an axis has no negative size", "give sizes from 0 on"},
    {130, "a size has a name, and outside jit no value tells what it stands for",
     "take the size from a value that has it, as zeros_like and full_like do"},
    {131, "integers have no negative powers",
     "convert the array to a floating type first, as in pow(astype<double>(x), -1)"},
    {132, "the array has been given away", "copy it before std::move, or assign it anew"},
    {133, "the element type does not hold the number",
     "write one that fits, or convert the array first, as in astype<int>(x)"},
    {134, "an index is out of range", "indices of an axis of size n go from -n to n - 1"},
    {135, "two files of the program leave out different passes", "give all of them the same ETNA_WITHOUT"},
    {138, "the device that calls run on is not to be had",
     "call before Kokkos::finalize, and in the process that began Kokkos"},
    {140, "the DLPack tensor holds another element type than the array",
     "convert it where it comes from, as in x.astype(numpy.float32) or x.to(torch.float32)"},
    {141, "the memory of the DLPack tensor is not read here",
     "copy it to the CPU's memory first, as in x.cpu().clone()"},
    {145, "a schedule lasts no step", "give it a number of steps above 0, behind the warm-up"},
    {162, "the picture cannot be decoded", "fetch it again, or take it out of its folder; PNG and JPEG are read here"},
    {163, "this program was built without the library that reads pictures",
     "install libpng-dev and libjpeg-dev, or run sh cmake/prefix.sh, and build it again"},
    {164, "the folder is no folder of labelled pictures", "put pictures as LABEL/NAME.png or LABEL/NAME.jpg into it"},
    {165, "the picture does not fit what is asked for",
     "resize or crop it to this size, and read it with the channels that are wanted"},
    {166, "the table does not hold what is asked for", "look at the line and column that are named"},
    {167, "this program was built without libcsv, which tables need",
     "install libcsv-dev, or run sh cmake/prefix.sh, and build it again"},
    {149, "no column of history.csv can have this name",
     "give one letter or more, in UTF-8, without commas and quotation marks, other than epoch and seconds"},
    {150, "the folder holds the checkpoints of a run",
     "leave .resume = false out to go on from them, take another folder, or say .overwrite = true to remove them"},
    {151, "the value that the training is judged by is missing",
     "log or record it in each epoch, under the name of .monitor, and before save()"},
    {152, "the number of batches in an epoch is another one",
     "give a resumed run the data and the batch size that it began with, or take another folder"},
    {157, "patience has nothing to judge by", "say which value it waits for: .monitor = \"loss\""},
    {158, "save() was called in this turn, and its checkpoint would be without a value",
     "log and record first, and save behind that"},
    {168, "processes cannot work together so",
     "begin MPI before (etna::dist::session in main), and name ranks from 0 to the group's size less 1"},
    {169, "a collective takes longer than its group's limit",
     "see which rank has ended or calls another collective; a larger limit is one of dist::session_options, and an "
     "argument of "
     "mpi_group"},
    {170, "ranks call different collectives, or with trees of different shapes",
     "call the same ones in the same order on all ranks, with leaves of the same shapes"},
    {171, "the sizes of the mesh do not multiply to the number of processes that there are",
     "start as many as they are (mpirun -n), or leave the size of one axis open: mesh<\"data\"_n>"},
    {172, "no mesh of the program's type is there",
     "make one in main, and keep it while functions over it run: dist::mesh<...> const m(*dist::world())"},
    {176, "the mesh does not divide the array",
     "take sizes that it divides, start another number of processes, or pad: device_put_padded"},
    {181, "blocks are not shared out evenly",
     "give each rank the same number of them, as dist::blocks_of does: it divides the number of all blocks"},
    {177, "another process could not do its part", "see what that one says; what was there before is still there"},
    {179, "the ranks do not divide the batch",
     "take a batch that is a multiple of their number, or another number of them"},
    {190, "a named extent has no size, which the cost of a step needs",
     "give the arguments, or its size: predict<types...>(f, machine, ranks, {{\"batch\"_n, 32}})"},
    {153, "another trace is being made", "end that one first: one program makes one trace at a time"},
};

/// Throw error N: its sentence, what it is about, its remedy.
template <int N> [[noreturn]] inline void raise(std::string const& about) {
  for (auto const& s : sentences)
    if (s.number == N)
      throw error(N, (N < 100 ? "E0" : "E") + std::to_string(N) + ": " + s.what + ": " + about + "; " + s.remedy);
  throw error(N, "E" + std::to_string(N) + ": " + about);
}

/// All files of a program must say the same: each looks when the program starts, and the first that says something else
/// ends it with error N.
template <int N> inline bool same_in_all_files(std::uint64_t sign, const char* about) {
  static std::uint64_t const first = sign;
  if (first != sign) raise<N>(about);
  return true;
}
/// A text, or several one after another, as a number.
constexpr std::uint64_t sign_of(std::string_view text, std::uint64_t before = 0xcbf29ce484222325u) {
  for (char c : text) before = (before ^ std::uint64_t(static_cast<unsigned char>(c))) * 0x100000001b3u;
  return before * 3;
}

}  // namespace etna::message
