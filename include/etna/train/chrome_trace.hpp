// SPDX-License-Identifier: BSD-3-Clause
// What a program did when, as a file that chrome://tracing and ui.perfetto.dev show: kernels, copies, regions, and
// spans of other threads. Read next: state.hpp.
#pragma once
#include <etna/set_aside.hpp>

#include <optional>

#include <nlohmann/json.hpp>

#include <etna/data/replace.hpp>
#include <etna/debug/recorder.hpp>
#include <etna/exec/tools.hpp>

namespace etna::train {

/// While this lives, the program is recorded; its end writes the file.
///
///     {
///       train::chrome_trace trace("trace.json");
///       for (int i = 0; i < 10; ++i) s = step(std::move(s), x, y).first;
///     }
///
/// shows   a row for each thread: kernels by their scopes and operations, as Kokkos' tools see them (on one thread or
///         on many), copies of views, Kokkos' regions, and each debug::span. A function that is straight-line code, or
///         one function, starts no kernel, and steps that run together are shown one by one
/// most    so many spans are kept; how many were too many is in the file
/// cost    some hundred nanoseconds a span, and nothing where there is no trace
/// errors  E123 the file cannot be written, E153 there is another trace
/// source  Trace Event Format (Google); Kokkos Tools
/// example test/unit/train/chrome_trace.cpp  [kernels, regions and spans, thread by thread]
class chrome_trace {
 public:
  explicit chrome_trace(std::filesystem::path const& path, std::size_t most = 2'000'000) : file_(path) {
    if (!debug::spans.start(most)) message::raise<153>(path.string());
    begin_ = debug::recorder::now();
    main_ = debug::recorder::thread();
    hooks_.emplace([](char const* category, char const* name) { debug::spans.begin(category, name); },
                   [](char const* category) { debug::spans.end(category); });
  }
  chrome_trace(chrome_trace const&) = delete;
  chrome_trace& operator=(chrome_trace const&) = delete;
  ~chrome_trace() {
    try {
      write();
    } catch (std::exception const& e) { std::fprintf(stderr, "etna: there is no trace: %s\n", e.what()); }
  }
  /// End here, and write the file.
  ///
  /// errors  E123 it cannot be written
  void write() {
    if (!hooks_) return;
    hooks_.reset();
    auto const [spans, left_out] = debug::spans.stop();
    std::string text = "{\"displayTimeUnit\": \"ms\", \"otherData\": {\"left out\": " + std::to_string(left_out) +
                       "}, \"traceEvents\": [\n";
    std::vector<int> threads{main_};
    for (auto const& s : spans) {
      if (std::find(threads.begin(), threads.end(), s.thread) == threads.end()) threads.push_back(s.thread);
      text += event("X", s.name, s.thread) + ", \"cat\": \"" + s.category + "\", \"ts\": " + microseconds(s.begin) +
              ", \"dur\": " + microseconds(begin_ + s.end - s.begin) + "},\n";
      if (text.size() > (1u << 20)) file_.write(std::exchange(text, {}));
    }
    for (std::size_t i = 0; i < threads.size(); ++i) {
      auto const name = threads[i] == main_ ? "calls" : "thread " + std::to_string(threads[i]);
      text += event("M", "thread_name", threads[i]) + ", \"args\": {\"name\": \"" + name + "\"}}" +
              (i + 1 < threads.size() ? ",\n" : "\n]}\n");
    }
    file_.write(text);
    file_.commit();
  }

 private:
  data::replacement file_;
  std::optional<exec::tool_hooks> hooks_;
  std::int64_t begin_ = 0;
  int main_ = 0;

  // Since the trace began.
  std::string microseconds(std::int64_t at) const {
    char text[40];
    std::snprintf(text, sizeof text, "%.3f", 1e-3 * double(at - begin_));
    return text;
  }
  static std::string event(char const* phase, std::string const& name, int thread) {
    using nlohmann::json;
    return "{\"ph\": \"" + std::string(phase) + "\", \"pid\": 1, \"tid\": " + std::to_string(thread) +
           ", \"name\": " + json(name).dump(-1, ' ', false, json::error_handler_t::replace);
  }
};

}  // namespace etna::train

#include <etna/set_back.hpp>
