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
inline std::vector<double> const hidden{-0.15411546840211623, 2.819341300398389, -0.4602928579734314, -0.3932637188438448, 0.35620014438215647, -0.29185565224029675, 0.9197408401889873, -1.2663858951131766, 0.08030425686322296, 2.814368569868473, 0.6256933685918353, -0.6318888970879197, 0.3008056129925673, -0.09373820708201705, 0.41104588395027264, -1.6928098415511819, -1.346870351318833, 1.8035625273516722, -1.1194326520385396, 0.05037687365985314, 1.6655291255163187, 0.07455486240263091, 0.2309400819358043, -0.7566724142768566, -0.1490777339334459, 2.6353341644583326, -1.2654673253323456, -0.194431007630554, 0.8807044212942573, -0.1582038281737704, 0.6280329249712922, -1.1989195650566826, -0.4061031524134193, 2.44669615873834, -1.362045297334236, -0.39372929572884613, 1.0185017003935763, -0.32279247563806956, 0.7105132178121799, -0.5810884506227534, 0.07476614687849328, 2.2627447405290106, -0.7974251887130065, 0.10143547360950991, 1.461416583220157, -0.3442428482136901, 0.1788311218981856, -1.778186944157462};
// [8]
inline std::vector<double> const embedding{-0.12832186778698607, 0.8233973770190732, -0.1814356619566412, -0.09557821653506363, 0.26185266194758866, -0.03835882092542518, 0.17900455137739366, -0.4017652520246772};

}  // namespace huggingface::bert
