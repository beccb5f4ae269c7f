# SPDX-License-Identifier: BSD-3-Clause
"""Optimizers, schedules and losses of Optax: 20 steps of two leaves in f64, numbers at 12 counts, values with gradients.

    VENV/bin/pip install 'jax[cpu]' optax
    VENV/bin/python -B test/data/optim.py      writes optim.inc.hpp
"""
import collections

import jax
import jax.numpy as jnp
import numpy as np
import optax
from scipy.spatial.distance import jensenshannon
from optax import contrib

from writer import formula, head, listed, write

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")

Net = collections.namedtuple("Net", ["kernel", "bias"])  # leaves in the order of the struct in test/optim.hpp
net = lambda seed: Net(jnp.asarray(formula((3, 4), seed)), jnp.asarray(formula((4,), seed + 1)))
kernels, biases = Net(True, False), Net(False, True)
weights = net(7)


def run(tx, lost=()):
    """Behind each of 20 steps a sum of all elements, each with its own weight; at the end the elements.

    The gradient of step i is a formula plus a quarter of the parameters; `lost` are steps where an element is not a number.
    """
    p = net(1)
    state, sums = tx.init(p), []
    update = jax.jit(tx.update)
    for i in range(20):
        g = jax.tree.map(lambda x, q: x + q / 4, net(100 + 2 * i), p)
        if i in lost:
            g = Net(g.kernel.at[1, 2].set(jnp.nan), g.bias)
        updates, state = update(g, state, p)
        p = optax.apply_updates(p, updates)
        assert all(x.dtype == jnp.float64 for x in p)
        sums.append(sum(jnp.sum(x * w) for x, w in zip(p, weights)))
    return [*sums, *p.kernel.ravel(), *p.bias]


scheduled = optax.warmup_cosine_decay_schedule(0.01, 0.1, 5, 25, 0.001)
rate = lambda n: scheduled(n.astype(jnp.float64))  # of an int32 Optax computes in f32
in_f64 = lambda i, e: 1.0 - jnp.asarray(i + 1, jnp.float64) ** (-e)  # Optax has it in f32


def adafactor(least, rate, momentum=None, decay=None):
    tx = [optax.scale_by_factored_rms(True, 0.8, 0, least, 1e-30, in_f64), optax.clip_by_block_rms(1.0),
          optax.scale_by_learning_rate(rate, flip_sign=False), optax.scale_by_param_block_rms()]
    tx += [] if momentum is None else [optax.ema(momentum, debias=False)]
    tx += [] if decay is None else [optax.add_decayed_weights(decay)]
    return optax.chain(*tx, optax.scale(-1))


optimizers = {
    "scale": optax.scale(-0.3), "sgd": optax.sgd(0.1), "sgd_scheduled": optax.sgd(rate), "sgd_momentum": optax.sgd(0.1, 0.9),
    "sgd_nesterov": optax.sgd(rate, 0.9, nesterov=True), "adam": optax.adam(0.1), "adam_scheduled": optax.adam(rate, 0.8, 0.95, 1e-3, 1e-4),
    "nadam": optax.nadam(0.1), "adamw": optax.adamw(0.1, weight_decay=0.05), "nadamw": optax.nadamw(rate, weight_decay=0.05),
    "adamw_masked": optax.adamw(0.1, weight_decay=0.05, mask=kernels), "clip": optax.chain(optax.clip(0.3), optax.sgd(0.1)),
    "clip_by_global_norm": optax.chain(optax.clip_by_global_norm(1.5), optax.adamw(0.1, weight_decay=0.05)),
    "clip_by_block_rms": optax.chain(optax.clip_by_block_rms(0.4), optax.sgd(0.1)),
    "adaptive_grad_clip": optax.chain(optax.adaptive_grad_clip(0.3), optax.sgd(0.1)),
    "centralize": optax.chain(optax.centralize(), optax.sgd(0.1)),
    "add_decayed_weights": optax.chain(optax.add_decayed_weights(rate), optax.sgd(0.1)),
    "masked": optax.chain(optax.masked(optax.trace(0.9), biases), optax.sgd(0.1)),
    "multi_transform": optax.multi_transform({0: optax.adam(0.1), 1: optax.sgd(0.1, 0.9)}, Net(0, 1)),
    "freeze": optax.chain(optax.adam(0.1), optax.transforms.freeze(biases)),
    "rmsprop": optax.rmsprop(0.1), "rmsprop_options": optax.rmsprop(rate, 0.8, 1e-3, 0.1, eps_in_sqrt=False, bias_correction=True),
    "rmsprop_momentum": optax.rmsprop(0.1, momentum=0.9), "rmsprop_centered": optax.rmsprop(0.1, 0.8, 1e-3, centered=True),
    "adagrad": optax.adagrad(0.1), "adadelta": optax.adadelta(1.0, weight_decay=0.01), "adamax": optax.adamax(0.1),
    "adamaxw": optax.adamaxw(0.1, weight_decay=0.05), "amsgrad": optax.amsgrad(0.1, b2=0.9), "adabelief": optax.adabelief(0.1),
    "yogi": optax.yogi(0.1), "adan": optax.adan(0.1, weight_decay=0.02), "lion": optax.lion(0.1, weight_decay=0.02), "lamb": optax.lamb(0.1, weight_decay=0.02),
    "lars": optax.lars(0.1, weight_decay=0.02, trust_coefficient=0.1), "radam": optax.radam(0.1), "radam_nesterov": optax.radam(rate, b2=0.99, nesterov=True),
    "novograd": optax.novograd(0.1, weight_decay=0.02), "sign_sgd": optax.sign_sgd(0.1), "fromage": optax.fromage(0.1),
    "optimistic": optax.optimistic_gradient_descent(0.1, 0.8, 0.6), "rprop": optax.rprop(0.1),
    "normalize_by_update_norm": optax.chain(optax.normalize_by_update_norm(), optax.sgd(0.1)),
    "adafactor": adafactor(3, 0.1), "adafactor_whole": adafactor(128, rate, 0.9, 0.01),
    "ema": optax.chain(optax.ema(0.8), optax.sgd(0.1)), "ema_biased": optax.chain(optax.ema(0.8, debias=False), optax.sgd(0.1)),
    "noisy_sgd": optax.noisy_sgd(0.1, 0.02, 0.6, key=jax.random.key(3)),
    "multi_steps": optax.MultiSteps(optax.adam(0.1), 3, accumulator_dtype=jnp.float64),
    "multi_steps_sums": optax.MultiSteps(optax.sgd(rate), 3, use_grad_mean=False, accumulator_dtype=jnp.float64),
    "inject_hyperparams": optax.inject_hyperparams(optax.adam)(learning_rate=rate),
    "muon": contrib.muon(0.1),
    "muon_options": contrib.muon(0.1, beta=0.9, nesterov=False, adaptive=True, weight_decay=0.05, adam_b2=0.95, adam_learning_rate=0.05),
}
ran = {name: run(tx) for name, tx in optimizers.items()} | {"apply_if_finite": run(optax.apply_if_finite(optax.adam(0.1), 2), (3, 7, 8))}


def valley(p):
    """Rosenbrock's function of each row, and a bowl."""
    k = p.kernel
    return jnp.sum(10 * (k[:, 1:] - k[:, :-1] ** 2) ** 2 + (1 - k[:, :-1]) ** 2) + jnp.sum((p.bias - k[0]) ** 2)


def run_lbfgs(tx):
    """The value and the sum of weighted elements behind each of 15 steps."""
    p, out = net(1), []
    state = tx.init(p)
    step = jax.jit(lambda g, s, p, v: tx.update(g, s, p, value=v, grad=g, value_fn=valley))
    for i in range(15):
        value, g = jax.value_and_grad(valley)(p)
        updates, state = step(g, state, p, value)
        p = optax.apply_updates(p, updates)
        out += [valley(p), sum(jnp.sum(x * w) for x, w in zip(p, weights))]
    return out


ran |= {"lbfgs": run_lbfgs(optax.lbfgs()), "lbfgs_options": run_lbfgs(optax.lbfgs(memory_size=3, scale_init_precond=False, linesearch=optax.scale_by_zoom_linesearch(
    8, max_learning_rate=0.8, increase_factor=1.5, slope_rtol=0.01, curv_rtol=0.3, initial_guess_strategy="keep")))}

counts = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144]
cycle = lambda n: dict(init_value=0.0, peak_value=0.1 / n, warmup_steps=5 * n, decay_steps=20 * n, end_value=0.01)
schedules = {
    "constant": optax.constant_schedule(0.1), "linear": optax.linear_schedule(0.1, 0.02, 40, 3), "polynomial": optax.polynomial_schedule(0.1, 0.02, 2.5, 40, 3),
    "polynomial_of_no_steps": optax.polynomial_schedule(0.1, 0.02, 2.5, 0), "exponential": optax.exponential_decay(0.1, 10, 0.7),
    "exponential_stairs": optax.exponential_decay(0.1, 10, 0.7, 5, True, 0.02), "exponential_grows": optax.exponential_decay(0.1, 10, 1.2, end_value=0.4),
    "cosine": optax.cosine_decay_schedule(0.1, 60, 0.1), "cosine_power": optax.cosine_decay_schedule(0.1, 60, 0.1, 1.5),
    "piecewise_constant": optax.piecewise_constant_schedule(0.1, {8: 0.5, 55: 0.1, 30: 2.0}),
    "piecewise_linear": optax.piecewise_interpolate_schedule("linear", 0.1, {8: 0.5, 55: 0.1, 30: 2.0}),
    "piecewise_cosine": optax.piecewise_interpolate_schedule("cosine", 0.1, {8: 0.5, 55: 0.1, 30: 2.0}),
    "linear_onecycle": optax.linear_onecycle_schedule(100, 0.1), "cosine_onecycle": optax.cosine_onecycle_schedule(100, 0.1, 0.25, 20.0, 1e3),
    "warmup_constant": optax.warmup_constant_schedule(0.01, 0.1, 8), "warmup_cosine": optax.warmup_cosine_decay_schedule(0.01, 0.1, 8, 90, 0.005, 1.2),
    "warmup_exponential": optax.warmup_exponential_decay_schedule(0.01, 0.1, 8, 20, 0.7, 2, False, 0.03),
    "sgdr": optax.sgdr_schedule([cycle(1), cycle(2), cycle(3)]),
    "joined": optax.join_schedules([optax.linear_schedule(0.0, 0.1, 4), optax.constant_schedule(0.1), lambda n: 0.1 / (1 + n)], [4, 20]),
}
at_counts = {name: [s(jnp.asarray(n, jnp.float64)) for n in counts] for name, s in schedules.items()}

x, y, z = (jnp.asarray(formula((3, 4), seed)) for seed in (50, 51, 52))
shares = jax.nn.softmax(2 * y)
one_hot = jax.nn.one_hot(jnp.asarray([2, 0, 3]), 4, dtype=jnp.float64)
signs, truths = jnp.where(y > 0, 1.0, -1.0), (y > 0).astype(jnp.float64)
pictures, classes = jnp.asarray(formula((2, 3, 2, 4), 53)), jax.nn.one_hot(jnp.asarray([[[0, 1], [2, 3], [1, 1]], [[3, 3], [0, 2], [1, 0]]]), 4, dtype=jnp.float64)
spoken, silent = jnp.asarray(formula((2, 7, 5), 54)), jnp.asarray([[0.0] * 7, [0.0] * 5 + [1.0] * 2])
words, unwritten = jnp.asarray([[1, 2, 2], [3, 1, 0]]), jnp.asarray([[0.0, 0, 0], [0, 0, 1]])


def loss(f, *args, by=None):
    """The value, and gradients by the floating arguments (or those named) along a cotangent by the formula."""
    by = range(len(args)) if by is None else by
    out, pull = jax.vjp(lambda *a: f(*(a[list(by).index(i)] if i in by else args[i] for i in range(len(args)))), *(args[i] for i in by))
    return [np.asarray(v) for v in [out, *pull(jnp.asarray(formula(out.shape, 90)))]]


def js_divergence(log_p, q):
    """Optax has none; SciPy's is its root."""
    p = jnp.exp(log_p)
    m = (p + q) / 2
    r = (jnp.sum(q * jnp.log(jnp.where(q == 0, 1, q) / m), -1) + jnp.sum(p * (log_p - jnp.log(m)), -1)) / 2
    if not isinstance(r, jax.core.Tracer):
        assert np.allclose(r, jensenshannon(np.asarray(p), np.asarray(q), axis=-1) ** 2, rtol=1e-12)
    return r


js_divergence(jax.nn.log_softmax(x), shares), js_divergence(jax.nn.log_softmax(x), one_hot)
losses = {
    "softmax_cross_entropy": loss(optax.losses.softmax_cross_entropy, x, shares), "softmax_cross_entropy_smoothed": loss(lambda a, b: optax.losses.softmax_cross_entropy(a, optax.losses.smooth_labels(b, 0.1)), x, one_hot),
    "l2_loss": loss(optax.losses.l2_loss, x, y), "squared_error": loss(optax.losses.squared_error, x, y), "huber_loss": loss(lambda a, b: optax.losses.huber_loss(a, b, delta=0.6), x, y),
    "log_cosh": loss(optax.losses.log_cosh, x, y), "kl_divergence": loss(optax.losses.kl_divergence, jax.nn.log_softmax(x), shares),
    "kl_divergence_of_one_hot": loss(optax.losses.kl_divergence, jax.nn.log_softmax(x), one_hot, by=[0]),
    "kl_divergence_with_log_targets": loss(optax.losses.kl_divergence_with_log_targets, jax.nn.log_softmax(x), jax.nn.log_softmax(y)),
    "generalized_kl_divergence": loss(optax.losses.generalized_kl_divergence, x, shares),
    "js_divergence": loss(js_divergence, jax.nn.log_softmax(x), shares), "js_divergence_of_one_hot": loss(js_divergence, jax.nn.log_softmax(x), one_hot, by=[0]),
    "cosine_similarity": loss(optax.losses.cosine_similarity, x, y), "cosine_distance": loss(lambda a, b: optax.losses.cosine_distance(a, b, epsilon=1e-3), x, y),
    "hinge_loss": loss(optax.losses.hinge_loss, x, signs), "perceptron_loss": loss(optax.losses.perceptron_loss, x, signs),
    "multiclass_hinge_loss": loss(lambda a: optax.losses.multiclass_hinge_loss(a, jnp.asarray([2, 0, 3])), x),
    "multiclass_perceptron_loss": loss(lambda a: optax.losses.multiclass_perceptron_loss(a, jnp.asarray([2, 0, 3])), x),
    "sigmoid_focal_loss": loss(optax.losses.sigmoid_focal_loss, x, truths, by=[0]), "sigmoid_focal_loss_alpha": loss(lambda a, b: optax.losses.sigmoid_focal_loss(a, b, alpha=0.25, gamma=1.5), x, truths, by=[0]),
    "poly_loss_cross_entropy": loss(optax.losses.poly_loss_cross_entropy, x, shares), "dice_loss": loss(optax.losses.dice_loss, pictures, classes),
    "dice_loss_options": loss(lambda a, b: optax.losses.dice_loss(a, b, smooth=0.5, alpha=0.3, beta=0.7, ignore_background=True), pictures, classes),
    "triplet_margin_loss": loss(optax.losses.triplet_margin_loss, x, y, z),
    "ctc_loss": loss(lambda a: optax.losses.ctc_loss(a, silent, words, unwritten), spoken),
}

text = head("optim.py", {"jax": jax.__version__, "optax": optax.__version__}, "Optimizers, schedules and losses of Optax.")
text += "#include <vector>\n\nnamespace reference {\n\nusing numbers = std::vector<double>;\n// 20 sums and 16 elements.\n"
text += "".join(f"inline numbers const optim_{n}{listed(v)};\n" for n, v in ran.items())
text += "// At 12 counts.\n" + "".join(f"inline numbers const schedule_{n}{listed(v)};\n" for n, v in at_counts.items())
text += "// The result, then gradients.\n" + "".join(f"inline std::vector<numbers> const loss_{n}{{{', '.join(listed(a) for a in v)}}};\n" for n, v in losses.items())
text += "\n}  // namespace reference\n"
write("optim.inc.hpp", text)
