// SPDX-License-Identifier: BSD-3-Clause
// Fuzzes the reader of tables, and what is asked of one.
#include <etna/language.hpp>

#include <etna/data/csv.hpp>

#include "fuzz.hpp"

std::vector<std::string> fuzz::seeds() {
  return {"a,b,c\n1,2.5,x\n-3e2,,y\n", "\xef\xbb\xbf\"a\";\"say \"\"so\"\"\"\r\n\"two\nlines\";3\r\n", "1,2\n3\n",
          "a\n\n\n1\n"};
}

std::size_t fuzz::most(std::size_t n) { return (1 << 17) + 64 * n; }

void fuzz::read(std::filesystem::path const& path) {
  for (char separator : {',', ';'})
    for (bool header : {true, false}) {
      try {
        auto const t = etna::data::read_csv(path, {.separator = separator, .header = header});
        for (std::size_t c = 0; c < t.columns(); ++c) {
          if (t.texts(c).size() != t.rows()) __builtin_trap();
          try {
            (void)t.numbers<float>(c, 0.0f);
          } catch (etna::error const&) {}
          try {
            (void)t.categories(c);
          } catch (etna::error const&) {}
        }
      } catch (etna::error const&) {}
    }
}
