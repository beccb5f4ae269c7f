// SPDX-License-Identifier: BSD-3-Clause
// The command line, by CLI11. A file of its own: the library takes the compiler as long as the kernels do.
#include "options.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>

#include <CLI/CLI.hpp>

namespace example {

/// Where images are looked for: ETNA_MNIST, the Fashion-MNIST package, digits beside the checkout.
static std::string usual_data() {
  if (char const* told = std::getenv("ETNA_MNIST"); told && *told) return told;
  std::error_code why;
  for (char const* folder : {
#ifdef ETNA_MNIST_FOLDER
           ETNA_MNIST_FOLDER,
#endif
           "build/prefix/usr/share/datasets/fashion-mnist", "/usr/share/datasets/fashion-mnist", "../shared/mnist"})
    if (std::filesystem::is_directory(folder, why)) return folder;
  return "data";
}

std::optional<int> read_options(int argc, char** argv, options& o) {
  CLI::App app(
      "Trains a network [784, 512, 10] on images in MNIST's format, through kernels that the C++ "
      "compiler made.",
      "mnist");
  o.data = usual_data();
  app.add_option("--data", o.data, "folder with the IDX files, gzip or plain")->capture_default_str();
  app.add_option("--epochs", o.epochs, "passes over the training images, those of a resumed run included")
      ->capture_default_str()
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--optimizer", o.optimizer, "adam or sgd [adam]")->check(CLI::IsMember({"adam", "sgd"}));
  app.add_option("--lr", o.rate, "learning rate [0.001 for adam, 0.1 for sgd]")
      ->check(CLI::Validator(
          [](std::string& text) {
            char* end = nullptr;
            double const x = std::strtod(text.c_str(), &end);
            bool const whole = !text.empty() && *end == '\0';
            bool const good = whole && std::isfinite(float(x)) && float(x) > 0;
            return good ? std::string() : text + " is no positive number";
          },
          "NUMBER"));
  app.add_option("--seed", o.seed, "seed of the first parameters and of the order of the images [0]");
  app.add_option("--threads", o.threads, "threads [all]")->check(CLI::Range(1, 4096));
  app.add_flag("--plan", o.plan, "show the kernels of a training step and stop");
  app.add_option("--out", o.out, "folder for results")->capture_default_str()->take_last();
  auto* resume =
      app.add_option("--resume", o.resume_file, "go on with the run in OUT, or from this checkpoint")->expected(0, 1);
  try {
    app.parse(argc, argv);
  } catch (CLI::CallForHelp const&) {
    std::fputs(app.help().c_str(), stdout);
    return 0;
  } catch (CLI::ParseError const& e) {
    std::fprintf(stderr, "mnist: %s; see mnist --help\n", e.what());
    return 2;
  }
  o.resume = resume->count() > 0;
  return std::nullopt;
}

}  // namespace example
