// ViTForImageClassification of two layers, six pictures; losses of 50 steps of SGD of rate 0.05.
// Written by test/data/huggingface.py with PyTorch 2.15.0, transformers 5.24.0; do not edit.
#pragma once

#include "kept.hpp"

namespace huggingface::vit {

inline std::vector<kept> const entries{
    {"classifier.bias", {5}, 0.5, 0},
    {"classifier.weight", {5, 8}, 0.5, 0},
    {"vit.embeddings.cls_token", {1, 1, 8}, 0.5, 0},
    {"vit.embeddings.patch_embeddings.projection.bias", {8}, 0.5, 0},
    {"vit.embeddings.patch_embeddings.projection.weight", {8, 3, 4, 4}, 0.5, 0},
    {"vit.embeddings.position_embeddings", {1, 10, 8}, 0.5, 0},
    {"vit.encoder.layer.0.attention.attention.key.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.0.attention.attention.key.weight", {8, 8}, 0.5, 0},
    {"vit.encoder.layer.0.attention.attention.query.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.0.attention.attention.query.weight", {8, 8}, 0.5, 0},
    {"vit.encoder.layer.0.attention.attention.value.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.0.attention.attention.value.weight", {8, 8}, 0.5, 0},
    {"vit.encoder.layer.0.attention.output.dense.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.0.attention.output.dense.weight", {8, 8}, 0.5, 0},
    {"vit.encoder.layer.0.intermediate.dense.bias", {12}, 0.5, 0},
    {"vit.encoder.layer.0.intermediate.dense.weight", {12, 8}, 0.5, 0},
    {"vit.encoder.layer.0.layernorm_after.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.0.layernorm_after.weight", {8}, 0.25, 1},
    {"vit.encoder.layer.0.layernorm_before.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.0.layernorm_before.weight", {8}, 0.25, 1},
    {"vit.encoder.layer.0.output.dense.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.0.output.dense.weight", {8, 12}, 0.5, 0},
    {"vit.encoder.layer.1.attention.attention.key.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.1.attention.attention.key.weight", {8, 8}, 0.5, 0},
    {"vit.encoder.layer.1.attention.attention.query.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.1.attention.attention.query.weight", {8, 8}, 0.5, 0},
    {"vit.encoder.layer.1.attention.attention.value.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.1.attention.attention.value.weight", {8, 8}, 0.5, 0},
    {"vit.encoder.layer.1.attention.output.dense.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.1.attention.output.dense.weight", {8, 8}, 0.5, 0},
    {"vit.encoder.layer.1.intermediate.dense.bias", {12}, 0.5, 0},
    {"vit.encoder.layer.1.intermediate.dense.weight", {12, 8}, 0.5, 0},
    {"vit.encoder.layer.1.layernorm_after.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.1.layernorm_after.weight", {8}, 0.25, 1},
    {"vit.encoder.layer.1.layernorm_before.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.1.layernorm_before.weight", {8}, 0.25, 1},
    {"vit.encoder.layer.1.output.dense.bias", {8}, 0.5, 0},
    {"vit.encoder.layer.1.output.dense.weight", {8, 12}, 0.5, 0},
    {"vit.layernorm.bias", {8}, 0.5, 0},
    {"vit.layernorm.weight", {8}, 0.25, 1},
};

// [6, 5]
inline std::vector<double> const logits{0.4351738612642654, 1.9869295176974662, -0.12474279884092732, -1.0053165622383766, 0.5863272527144994, 0.4578773643352748, 1.9812609345353187, -0.030208979142300973, -0.9406112813968998, 0.6629602527979999, 0.7626620729680773, 1.663547660323128, -0.04304806606387812, -1.23562210489367, 0.8767423690374159, 0.812622067128812, 0.7354565723402169, -0.00962085632080617, -0.8723531000971558, 0.8474753258334635, 0.878974212339334, 1.1063996116870345, -0.1197760903522313, -1.3102891552595688, 0.7434001386438465, 0.5664944765334121, 1.299342298713923, -0.36886741922995153, -1.211898488248374, 0.4635694912102448};
// [50]
inline std::vector<double> const losses{1.8162229903823348, 1.5187407887919984, 1.3843579791048646, 1.2860071213387145, 1.1770098634430954, 1.0721408039915976, 0.9835732039504902, 0.9118074506093512, 0.8560646773557704, 0.8638727734799518, 1.1017314298449508, 1.5645398830714272, 1.413862283094173, 1.26647929845796, 1.1294063054758487, 0.9875142208579836, 0.8411435649308815, 0.7188370253957416, 0.6364540139291712, 0.589312542570903, 0.5661315051858017, 0.7071174673639652, 1.0873150785619827, 1.3111167046774908, 0.7443732891823228, 0.5381570575359694, 0.4922681328534957, 0.4560227137516855, 0.4252940944884151, 0.3998328055592217, 0.38016584698096995, 0.3727078447235949, 0.3978154799884724, 0.4470997533315599, 0.46539884162769823, 0.38661151535542165, 0.344048894790715, 0.29900004301881616, 0.2734405507197702, 0.25460749300793484, 0.24163348203188292, 0.23057208656089265, 0.22071935732866774, 0.211646794032048, 0.20321677556557005, 0.19533219941223287, 0.18793487878706372, 0.18097701526937304, 0.17442045325446145, 0.16823219195511555};

}  // namespace huggingface::vit
