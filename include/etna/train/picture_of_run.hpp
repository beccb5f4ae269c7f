// SPDX-License-Identifier: BSD-3-Clause
// The history as a picture, by gnuplot where it is there. Read next: training_loop.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <filesystem>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <etna/data/replace.hpp>

#include "history.hpp"

extern "C" char** environ;

namespace etna::train {

namespace detail {

inline void write_text(std::filesystem::path const& path, std::string const& text) {
  data::replacement file(path);
  file.write(text);
  file.commit();
}
// A name in gnuplot's single quotes.
inline std::string quoted(std::string const& name) {
  std::string text = "'";
  for (char c : name) text += c == '\'' ? std::string("''") : std::string(1, c);
  return text + "'";
}
inline bool is_loss(std::string_view name) { return name.find("loss") != name.npos; }

/// What is drawn: losses on the left, all else but the rate on the right.
inline std::string plotted(history const& h, std::string const& table) {
  static constexpr char const* colours[] = {"#c0504d", "#1f6fb2", "#4f8f3f", "#8064a2", "#d08020", "#4b9fa8"};
  std::string lines;
  for (std::size_t i = 0; i < h.names.size(); ++i) {
    if (h.names[i] == "rate") continue;
    lines += lines.empty() ? "plot " : ", \\\n     ";
    lines += quoted(table) + " using 1:" + std::to_string(i + 2) + " skip 1" +
             (is_loss(h.names[i]) ? "" : " axes x1y2") + " with linespoints lw 2 pt " + std::to_string(5 + i % 6) +
             " lc rgb '" + colours[i % 6] + "' title " + quoted(h.names[i]) + " noenhanced";
  }
  return lines + "\n";
}

/// Run gnuplot on a script: whether it was there and succeeded.
inline bool run_gnuplot(std::string script) {
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (int file : {1, 2}) posix_spawn_file_actions_addopen(&quiet, file, "/dev/null", O_WRONLY, 0);
  char program[] = "gnuplot";
  char* arguments[] = {program, script.data(), nullptr};
  ::pid_t child = 0;
  int const failed = ::posix_spawnp(&child, program, &quiet, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&quiet);
  if (failed != 0) return false;
  int status = 1;
  while (::waitpid(child, &status, 0) != child)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace detail

/// The script that draws history.csv of a folder as history.png.
inline std::string gnuplot_script(history const& h, std::filesystem::path const& folder) {
  bool left = false;
  std::string right;
  for (auto const& name : h.names)
    if (detail::is_loss(name)) left = true;
    else if (name != "rate") right += (right.empty() ? "" : ", ") + name;
  auto const epochs = std::to_string(h.rows.size());
  std::string s =
      "# The history of a run, by gnuplot.\nset terminal png size 900,540\n"
      "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) set terminal pngcairo size 900,540\n"
      "set output " +
      detail::quoted((folder / "history.png").string()) +
      "\nset datafile separator ','\nset xlabel 'epoch'\nset xrange [0.5 : " + epochs + " + 0.5]\nset xtics 1, 1 + " +
      epochs + " / 16 nomirror\nset key outside above\n";
  if (left) s += "set ylabel 'loss' noenhanced\nset ytics nomirror\nset grid ytics lc rgb '#dddddd'\n";
  else s += "unset ytics\n";
  if (!right.empty()) s += "set y2label " + detail::quoted(right) + " noenhanced\nset y2tics\n";
  return s + detail::plotted(h, (folder / "history.csv").string());
}

/// Draw history.csv of the folder as history.png; the script, history.gp, stays. Whether gnuplot was there and did it.
///
/// errors  E123 the script cannot be written
/// example test/unit/train/picture_of_run.cpp  [a script that gnuplot takes]
inline bool draw(history const& h, std::filesystem::path const& folder) {
  bool something = false;
  for (auto const& name : h.names) something = something || name != "rate";
  if (h.rows.empty() || !something) return false;
  auto const script = folder / "history.gp";
  detail::write_text(script, gnuplot_script(h, folder));
  return detail::run_gnuplot(script.string());
}

}  // namespace etna::train

#include <etna/set_back.hpp>
