# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the benches: $peers is the virtual environment of the peers and of what draws pictures; BENCH_SETUP makes it.
peers=${ETNA_PEERS:-${XDG_CACHE_HOME:-$HOME/.cache}/etna-peers}
if [ -n "${BENCH_SETUP:-}" ]; then
  [ -x "$peers/bin/python" ] || python3 -m venv "$peers"
  "$peers/bin/python" -m pip install --quiet jax torch numpy matplotlib
fi
