# SPDX-License-Identifier: BSD-3-Clause
"""etna.hpp and language.hpp name every header that they reach, each after those that it includes (house.layers asks).

    python3 cmake/order_includes.py     writes their lists anew; what stands in order stays where it is
"""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "include" / "etna"
LAST = "set_back.hpp"  # ends what set_aside.hpp begins


def included(header: str) -> list[str]:
    """The headers of etna that this one names, as paths below include/etna."""
    found = re.findall(r'^#include (?:<etna/(.*)>|"(.*)")', (ROOT / header).read_text(), re.MULTILINE)
    paths = [room or os.path.normpath(os.path.join(os.path.dirname(header), own)) for room, own in found]
    return [p for p in paths if p != LAST and (ROOT / p).exists()]


def main() -> None:
    for top in "language.hpp", "etna.hpp":
        order: dict[str, None] = {}

        def visit(header: str) -> None:
            if header in order:
                return
            for other in included(header):
                visit(other)
            order[header] = None

        for header in included(top):
            visit(header)
        text = (ROOT / top).read_text()
        rest = re.sub(r"^#include <etna/.*>\n", "", text, flags=re.MULTILINE)
        lines = "".join(f"#include <etna/{h}>\n" for h in [*order, LAST])
        new = rest.replace("#pragma once\n", "#pragma once\n" + lines, 1)
        if new != text:
            (ROOT / top).write_text(new)
            print(f"include/etna/{top}: {len(included(top))} headers")


if __name__ == "__main__":
    main()
