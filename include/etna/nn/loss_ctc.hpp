// SPDX-License-Identifier: BSD-3-Clause
// The loss of sequences whose alignment is not known, CTC. Read next: <etna/nn/attention.hpp>.
#pragma once
#include <etna/control/scan.hpp>

#include "loss.hpp"

namespace etna {

struct ctc_loss_options {
  int blank_id = 0;
  double log_epsilon = -1e5;
};

namespace nn {
template <class P, class L> constexpr bool require_sequences() {
  constexpr bool fit = P::rank == 2 && L::rank == 3 && P::type.e[0] == L::type.e[0] && P::type.e[1] == L::type.e[1];
  if constexpr (!fit)
    message::fail<
        message::E021_loss_would_broadcast<typename numpy::text_of<L>::type, typename numpy::text_of<P>::type>>();
  return fit;
}
/// log alpha of blanks, with what comes from the label before added.
template <class P, class E> constexpr P with_labels_before(P const& blanks, E const& labels) {
  return concatenate<1>(slice<every, range{0, 1}>(blanks), logaddexp(slice<every, range{1, rest}>(blanks), labels));
}
}  // namespace nn

/// Minus the logarithm of the probability that the logits give to the labels, over all alignments: blanks may stand
/// between labels, and must between equal ones. Paddings are 1 where a sequence is over, else 0.
///
/// shape   logits [b, t, k], logit_paddings [b, t], labels [b, n], label_paddings [b, n] -> [b]
/// errors  E020 labels that are not integers, E021 the shapes do not fit
/// source  Graves et al., Connectionist Temporal Classification, 2006; optax ctc_loss
template <any_array L, any_array P, any_array Y, any_array Q>
constexpr auto ctc_loss(L const& logits, P const& logit_paddings, Y const& labels, Q const& label_paddings,
                        ctc_loss_options options = {}) {
  constexpr bool fit = nn::require_sequences<P, L>() && nn::require_one_shape<Y, Q>() && is_integer(Y::type.d);
  if constexpr (!is_integer(Y::type.d)) message::fail<message::E020_labels_not_integer<L, Y>>();
  if constexpr (!fit) return logits;
  else {
    constexpr extent b = L::type.e[0], t = L::type.e[1], n = Y::type.e[1];
    auto log_p = log_softmax(logits);
    using R = typename decltype(log_p)::value_type;
    auto padded = astype<R>(logit_paddings);
    auto lengths = int(n) - astype<int>(sum<1>(label_paddings));
    // 1 where the next label is the same
    auto again =
        pad<0, 0, 0, 1>(astype<R>(equal(slice<every, range{0, n - 1}>(labels), slice<every, range{1, n}>(labels))));
    auto emitted = take_along_axis<-1>(log_p, broadcast_to<b, t, n>(expand_dims<1>(labels)));
    auto blank = take_along_axis<-1>(log_p, full<int, b, t, 1>(options.blank_id));
    auto start = options.log_epsilon * astype<R>(not_equal(arange<int, n + 1>(), 0));
    std::pair carry{array<R, b, n + 1>(broadcast_to<b, n + 1>(start)), full<R, b, n>(options.log_epsilon)};
    auto step = [&](auto const& c, auto const& x) {
      auto const& [blanks, written] = c;
      auto const& [label, no_label, over] = x;
      auto before = nn::with_labels_before(blanks, written + options.log_epsilon * again);
      auto next_written = logaddexp(slice<every, range{0, n}>(before) + label, written + label);
      auto next_blanks = nn::with_labels_before(array<R, b, n + 1>(before + no_label),
                                                written + no_label + options.log_epsilon * (1 - again));
      auto is_over = expand_dims<1>(over);
      return std::pair{std::pair{array<R, b, n + 1>(is_over * blanks + (1 - is_over) * next_blanks),
                                 array<R, b, n>(is_over * written + (1 - is_over) * next_written)},
                       std::tuple<>{}};
    };
    auto in_time = [](auto const& x) { return moveaxis<1, 0>(x); };
    auto [blanks, written] = scan(step, carry, std::tuple{in_time(emitted), in_time(blank), in_time(padded)}).first;
    return -squeeze<-1>(take_along_axis<1>(nn::with_labels_before(blanks, written), expand_dims<1>(lengths)));
  }
}

}  // namespace etna
