// SPDX-License-Identifier: BSD-3-Clause
#include "history.hpp"

#include <sstream>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <etna/data/replace.hpp>

namespace example {

std::string csv(history const& all) {
  std::string text = "epoch,train_loss,validation_accuracy,seconds\n";
  char line[120];
  for (auto const& r : all) {
    std::snprintf(line, sizeof line, "%d,%.9g,%.9g,%.3f\n", r.epoch, r.loss, r.accuracy, r.seconds);
    text += line;
  }
  return text;
}

bool read_csv(std::string const& text, history& all) {
  std::istringstream in(text);
  std::string line;
  if (!std::getline(in, line) || line + "\n" != csv({})) return false;
  while (std::getline(in, line)) {
    row r{};
    int used = 0;
    if (std::sscanf(line.c_str(), "%d,%lf,%lf,%lf%n", &r.epoch, &r.loss, &r.accuracy, &r.seconds, &used) != 4)
      return false;
    if (std::size_t(used) != line.size() || r.epoch != int(all.size()) + 1) return false;
    all.push_back(r);
  }
  return true;
}

void write_text(std::filesystem::path const& path, std::string const& text) {
  etna::data::replacement file(path);
  file.write(text);
  file.commit();
}

// A name in gnuplot's single quotes.
static std::string quoted(std::filesystem::path const& path) {
  std::string text = "'";
  for (char c : path.string()) text += c == '\'' ? std::string("''") : std::string(1, c);
  return text + "'";
}

static std::string gnuplot_script(std::filesystem::path const& folder, int epochs) {
  return "# Loss and accuracy of a run, by gnuplot.\n"
         "picture = " +
         quoted(folder / "history.png") +
         "\n"
         "table = " +
         quoted(folder / "history.csv") +
         "\n"
         "epochs = " +
         std::to_string(epochs) + R"(
set terminal png size 900,540
if (strstrt(GPVAL_TERMINALS, 'pngcairo')) set terminal pngcairo size 900,540
set output picture
set datafile separator ','
set xlabel 'epoch'
set xrange [0.5 : epochs + 0.5]
set xtics 1, 1 + epochs / 16 nomirror
set ylabel 'train loss'
set yrange [0:*]
set ytics nomirror
set grid ytics lc rgb '#dddddd'
set y2label 'validation accuracy, %'
set y2range [*:100]
set y2tics
set key outside above
plot table using 1:2 skip 1 with linespoints lw 2 pt 7 lc rgb '#c0504d' title 'train loss', \
     table using 1:(100*$3) skip 1 axes x1y2 with linespoints lw 2 pt 5 lc rgb '#1f6fb2' \
     title 'validation accuracy'
)";
}

/// Run gnuplot on a script: whether it was there and succeeded.
static bool run_gnuplot(std::filesystem::path const& script) {
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (int file : {1, 2}) posix_spawn_file_actions_addopen(&quiet, file, "/dev/null", O_WRONLY, 0);
  std::string name = script.string();
  char program[] = "gnuplot";
  char* arguments[] = {program, name.data(), nullptr};
  pid_t child = 0;
  int const failed = posix_spawnp(&child, program, &quiet, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&quiet);
  int status = 1;
  return failed == 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool draw(std::filesystem::path const& folder, int epochs) {
  auto const script = folder / "history.gp";
  write_text(script, gnuplot_script(folder, epochs));
  return run_gnuplot(script);
}

}  // namespace example
