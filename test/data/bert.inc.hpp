// BertModel of two layers, tokens 3 7 1 12 and two of padding.
// Written by test/data/huggingface.py with PyTorch 2.15.0, transformers 5.24.0; do not edit.
#pragma once

#include "kept.hpp"

namespace huggingface::bert {

inline std::vector<kept> const entries{
    {"embeddings.LayerNorm.bias", {8}, 0.5, 0},
    {"embeddings.LayerNorm.weight", {8}, 0.25, 1},
    {"embeddings.position_embeddings.weight", {7, 8}, 0.5, 0},
    {"embeddings.token_type_embeddings.weight", {2, 8}, 0.5, 0},
    {"embeddings.word_embeddings.weight", {13, 8}, 0.5, 0},
    {"encoder.layer.0.attention.output.LayerNorm.bias", {8}, 0.5, 0},
    {"encoder.layer.0.attention.output.LayerNorm.weight", {8}, 0.25, 1},
    {"encoder.layer.0.attention.output.dense.bias", {8}, 0.5, 0},
    {"encoder.layer.0.attention.output.dense.weight", {8, 8}, 0.5, 0},
    {"encoder.layer.0.attention.self.key.bias", {8}, 0.5, 0},
    {"encoder.layer.0.attention.self.key.weight", {8, 8}, 0.5, 0},
    {"encoder.layer.0.attention.self.query.bias", {8}, 0.5, 0},
    {"encoder.layer.0.attention.self.query.weight", {8, 8}, 0.5, 0},
    {"encoder.layer.0.attention.self.value.bias", {8}, 0.5, 0},
    {"encoder.layer.0.attention.self.value.weight", {8, 8}, 0.5, 0},
    {"encoder.layer.0.intermediate.dense.bias", {12}, 0.5, 0},
    {"encoder.layer.0.intermediate.dense.weight", {12, 8}, 0.5, 0},
    {"encoder.layer.0.output.LayerNorm.bias", {8}, 0.5, 0},
    {"encoder.layer.0.output.LayerNorm.weight", {8}, 0.25, 1},
    {"encoder.layer.0.output.dense.bias", {8}, 0.5, 0},
    {"encoder.layer.0.output.dense.weight", {8, 12}, 0.5, 0},
    {"encoder.layer.1.attention.output.LayerNorm.bias", {8}, 0.5, 0},
    {"encoder.layer.1.attention.output.LayerNorm.weight", {8}, 0.25, 1},
    {"encoder.layer.1.attention.output.dense.bias", {8}, 0.5, 0},
    {"encoder.layer.1.attention.output.dense.weight", {8, 8}, 0.5, 0},
    {"encoder.layer.1.attention.self.key.bias", {8}, 0.5, 0},
    {"encoder.layer.1.attention.self.key.weight", {8, 8}, 0.5, 0},
    {"encoder.layer.1.attention.self.query.bias", {8}, 0.5, 0},
    {"encoder.layer.1.attention.self.query.weight", {8, 8}, 0.5, 0},
    {"encoder.layer.1.attention.self.value.bias", {8}, 0.5, 0},
    {"encoder.layer.1.attention.self.value.weight", {8, 8}, 0.5, 0},
    {"encoder.layer.1.intermediate.dense.bias", {12}, 0.5, 0},
    {"encoder.layer.1.intermediate.dense.weight", {12, 8}, 0.5, 0},
    {"encoder.layer.1.output.LayerNorm.bias", {8}, 0.5, 0},
    {"encoder.layer.1.output.LayerNorm.weight", {8}, 0.25, 1},
    {"encoder.layer.1.output.dense.bias", {8}, 0.5, 0},
    {"encoder.layer.1.output.dense.weight", {8, 12}, 0.5, 0},
    {"pooler.dense.bias", {8}, 0.5, 0},
    {"pooler.dense.weight", {8, 8}, 0.5, 0},
};

// [6, 8]
inline std::vector<double> const hidden{-0.15411546840211676, 2.819341300398389, -0.4602928579734311, -0.39326371884384465, 0.3562001443821562, -0.2918556522402963, 0.9197408401889875, -1.2663858951131763, 0.08030425686322246, 2.814368569868473, 0.625693368591836, -0.6318888970879201, 0.30080561299256686, -0.09373820708201668, 0.41104588395027297, -1.692809841551182, -1.3468703513188336, 1.8035625273516718, -1.1194326520385385, 0.050376873659853674, 1.6655291255163192, 0.07455486240263061, 0.2309400819358046, -0.7566724142768569, -0.1490777339334461, 2.6353341644583326, -1.2654673253323452, -0.194431007630554, 0.8807044212942572, -0.1582038281737702, 0.6280329249712922, -1.1989195650566824, -0.40610315241341943, 2.44669615873834, -1.362045297334236, -0.39372929572884613, 1.0185017003935763, -0.32279247563806945, 0.7105132178121801, -0.5810884506227538, 0.07476614687849319, 2.2627447405290106, -0.7974251887130065, 0.1014354736095097, 1.4614165832201569, -0.3442428482136899, 0.17883112189818542, -1.778186944157462};
// [8]
inline std::vector<double> const embedding{-0.1283218677869862, 0.8233973770190732, -0.18143566195664104, -0.09557821653506358, 0.2618526619475886, -0.038358820925425134, 0.17900455137739374, -0.4017652520246773};

}  // namespace huggingface::bert
