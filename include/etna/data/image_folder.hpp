// SPDX-License-Identifier: BSD-3-Clause
// A folder of pictures, in a folder for each label, as torchvision's ImageFolder. Pictures are read when they are asked
// for, so a set may be larger than memory. Read next: resize.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <cctype>
#include <set>
#include <tuple>

#include "jpeg.hpp"
#include "png.hpp"

namespace etna::data {

/// Read a PNG or JPEG file; which of the two it is, its first bytes say.
///
/// channels  1 gray, 3 colours, 0 gray where the file is gray and colours otherwise
/// errors    as read_png and read_jpeg; E162 it is neither
inline picture read_picture(std::filesystem::path const& path, int channels = 0) try {
  detail::check_channels(channels);
  auto const bytes = detail::read_whole(path, origin::data_set);
  auto begins = [&](std::initializer_list<int> with) {
    return bytes.size() >= with.size() &&
           std::equal(with.begin(), with.end(), bytes.begin(), [](int a, std::uint8_t b) { return a == int(b); });
  };
  if (begins({0x89, 'P', 'N', 'G'})) return detail::with_channels(detail::decode_png(bytes, path.string()), channels);
  if (begins({0xff, 0xd8, 0xff})) return detail::with_channels(detail::decode_jpeg(bytes, path.string()), channels);
  message::raise<162>(path.string() + ": its first bytes are neither PNG's nor JPEG's");
} catch (std::bad_alloc const&) { message::raise<107>(path.string()); }

namespace detail {

inline bool is_picture_name(std::filesystem::path const& path) {
  std::string end = path.extension().string();
  for (char& c : end) c = char(std::tolower(static_cast<unsigned char>(c)));
  return end == ".png" || end == ".jpg" || end == ".jpeg";
}

/// What lies in a folder, by name, and what each is, through links.
struct listed {
  std::filesystem::path path;
  std::filesystem::file_type type;
};
inline std::vector<listed> list(std::filesystem::path const& folder) {
  namespace fs = std::filesystem;
  std::vector<listed> all;
  std::error_code why;
  fs::directory_iterator at(folder, why), end;
  for (; !why && at != end; at.increment(why)) {
    std::error_code hidden;
    all.push_back({at->path(), at->status(hidden).type()});
    if (all.back().type == fs::file_type::none)
      message::raise<128>(at->path().string() + " (" + hidden.message() + ")");
  }
  if (why) message::raise<128>(folder.string() + " (" + why.message() + ")");
  std::sort(all.begin(), all.end(), [](listed const& a, listed const& b) { return a.path < b.path; });
  return all;
}

/// Collect the pictures below a folder. `seen` are the folders where it has been: links may lead back to them.
inline void collect_pictures(std::filesystem::path const& folder, std::set<std::filesystem::path>& seen,
                             std::vector<std::filesystem::path>& all) {
  namespace fs = std::filesystem;
  std::error_code why;
  auto const real = fs::canonical(folder, why);
  if (why) message::raise<128>(folder.string() + " (" + why.message() + ")");
  if (!seen.insert(real).second) return;
  for (auto const& [path, type] : list(folder)) {
    if (type == fs::file_type::directory) collect_pictures(path, seen, all);
    else if (!is_picture_name(path)) continue;
    else if (type == fs::file_type::regular) all.push_back(path);
    else if (type == fs::file_type::not_found) message::raise<101>(path.string() + ", a link to nothing");
  }
}

/// The pictures below a folder, those of a folder together, by name.
///
/// source  torchvision, make_dataset: folders in the order of their paths as text, so that a-b comes before a/b
inline std::vector<std::filesystem::path> pictures_below(std::filesystem::path const& folder) {
  namespace fs = std::filesystem;
  std::set<fs::path> seen;
  std::vector<fs::path> all;
  collect_pictures(folder, seen, all);
  std::sort(all.begin(), all.end(), [](fs::path const& a, fs::path const& b) {
    auto const in_a = a.parent_path(), in_b = b.parent_path();
    return in_a != in_b ? in_a.native() < in_b.native() : a.filename().native() < b.filename().native();
  });
  return all;
}

}  // namespace detail

/// The data set of a folder: example i is {picture, label}.
class image_folder_set {
 public:
  image_folder_set(std::filesystem::path const& folder, int channels) : channels_(channels) {
    namespace fs = std::filesystem;
    detail::check_channels(channels);
    std::error_code why;
    if (!fs::exists(folder, why)) message::raise<101>(folder.string());
    for (auto const& [f, type] : detail::list(folder)) {
      if (type != fs::file_type::directory) continue;
      auto files = detail::pictures_below(f);
      if (files.empty()) message::raise<164>(f.string() + " has no .png, .jpg or .jpeg");
      label_of_.insert(label_of_.end(), files.size(), std::int32_t(labels_.size()));
      files_.insert(files_.end(), std::make_move_iterator(files.begin()), std::make_move_iterator(files.end()));
      labels_.push_back(f.filename().string());
    }
    if (labels_.empty()) message::raise<164>(folder.string() + " has no folders");
  }
  std::size_t size() const { return files_.size(); }
  std::tuple<picture, std::int32_t> operator[](std::size_t i) const {
    return {read_picture(files_[i], channels_), label_of_[i]};
  }
  /// The names of the labels: label k is called labels()[k].
  std::vector<std::string> const& labels() const { return labels_; }
  std::vector<std::filesystem::path> const& files() const { return files_; }

 private:
  int channels_;
  std::vector<std::string> labels_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::int32_t> label_of_;
};

/// The pictures of a folder (.png, .jpg, .jpeg), labelled by the folder that each lies in: those of dog/ and cat/ are 1
/// and 0. They are read when they are asked for, as colours unless `channels` says otherwise (1 gray, 0 as they are).
///
/// links   are followed; a folder to which several lead below one label counts once
/// errors  E101 the folder is missing, or what a link leads to; E128 it, or what lies in it, cannot be read; E164 no
///         folders in it, or one without pictures; later, of a picture: as read_picture
/// source  torchvision.datasets.ImageFolder
/// example test/unit/data/image_folder.cpp  [labels are folders]
inline image_folder_set image_folder(std::filesystem::path const& folder, int channels = 3) {
  return {folder, channels};
}

}  // namespace etna::data

#include <etna/set_back.hpp>
