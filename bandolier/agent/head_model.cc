#include "bandolier/agent/head_model.h"

#include <algorithm>
#include <cmath>

namespace bandolier {
namespace {

// Parts of the key's stream.
enum Part : std::uint32_t { kOffset = 0, kBasis = 1, kHead = 2 };

Network without_last_layer(const Network& network) {
  std::vector<LayerKind> layers;
  for (const Layer& layer : network.layers()) layers.push_back(layer.kind);
  layers.pop_back();
  return Network(std::move(layers), network.inputs());
}

// LeCun-normal weights, and biases of standard deviation 0.3: without them every unit's kink goes
// through the origin, and a head fed from them sees nothing of how far a context is from it. Pixels
// are not centred, and their kinks are spread without.
Vector<float> body_offset(const Network& body, bool image, Random random) {
  constexpr float kBias = 0.3f;
  Vector<float> offset = body.initial_parameters<float>(random);
  if (image) return offset;
  for (const AffineLayer& layer : affine_layers(body)) {
    auto biases = offset.segment(layer.offset + layer.in * layer.out, layer.out);
    random.fill_normal(biases);
    biases *= kBias;
  }
  return offset;
}

// The stages from the last pooling on: maps before it are too wide for a head with a full
// covariance, and hold nothing that the pooled ones lose.
std::size_t first_useful_stage(const Network& body) {
  const auto& stages = body.stages();
  for (std::size_t s = stages.size(); s-- > 0;) {
    const auto& kind = body.layers()[static_cast<std::size_t>(stages[s] - 1)].kind;
    if (std::holds_alternative<AveragePool>(kind)) return s;
  }
  return 0;
}

}  // namespace

HeadSize head_size(const RewardModel& model, const HeadModelOptions& options) {
  const Encoder& encoder = model.encoder();
  if (model.network().layers().size() < 2) return {0, encoder.inputs() + 1, encoder.outputs()};
  const Network body = without_last_layer(model.network());
  const auto& stages = body.stages();
  Index features = 1;
  for (std::size_t s = options.skip ? first_useful_stage(body) : stages.size() - 1;
       s < stages.size(); ++s) {
    features += body.layers()[static_cast<std::size_t>(stages[s] - 1)].outputs;
  }
  if (options.skip && encoder.shape().image.size() == 0) features += encoder.inputs();
  return {std::min(options.dim, body.parameters()), features, encoder.outputs()};
}

HeadModel::HeadModel(const RewardModel& model, const HeadModelOptions& options,
                     const StreamKey& key)
    : encoder_(model.encoder()), key_(key) {
  const Random random(key);
  const bool image = encoder_.shape().image.size() > 0;
  Index last_stage = 0;
  if (model.network().layers().size() > 1) {
    const Network body = without_last_layer(model.network());
    auto basis = make_random_basis<float>(
        options.basis, body, std::min(options.dim, body.parameters()), random.fork(kBasis).key());
    body_ = make_subspace_model<float>(
        encoder_, body, body_offset(body, image, random.fork(kOffset)), std::move(basis));
    const std::size_t last = body.stages().size() - 1;
    first_stage_ = options.skip ? first_useful_stage(body) : last;
    stage_features_ = body_->feature_count(first_stage_);
    last_stage = body_->feature_count(last);
    // Pixels say little one by one, and their head would outweigh the body a hundredfold.
    input_feeds_head_ = options.skip && !image;
  }
  features_ = head_size(model, options).features;

  // LeCun-normal weights on the last stage, so that the body has a gradient to begin with; 0 else.
  head_offset_.setZero(heads(), features_);
  if (last_stage > 0) {
    Random head = random.fork(kHead);
    Vector<float> weights(heads() * last_stage);
    head.fill_normal(weights);
    weights /= std::sqrt(static_cast<float>(last_stage));
    head_offset_.middleCols(stage_features_ - last_stage, last_stage) =
        MatrixMap<float>(weights.data(), heads(), last_stage);
  }
}

HeadWork HeadModel::make_work() const {
  HeadWork work;
  if (body_) work.body = body_->make_scratch();
  return work;
}

const EncodedInputs& HeadModel::inputs(const HeadWork& work) const {
  return body_ ? body_->inputs(*work.body) : work.encoded;
}

void HeadModel::bind(const Context& context, HeadWork& work) const {
  if (body_) {
    body_->bind(context, *work.body);
  } else {
    encoder_.encode(context, work.encoded);
  }
}

void HeadModel::write_fixed(const EncodedInputs& encoded, Index input, float* phi) const {
  if (input_feeds_head_) {
    float* x = phi + stage_features_;
    std::fill(x, x + encoder_.inputs(), 0.0f);
    const auto add = [x](const SparseVector& part) {
      for (std::size_t i = 0; i < part.indices.size(); ++i) x[part.indices[i]] += part.values[i];
    };
    add(encoded.shared);
    if (encoder_.encoding() != Encoding::kMultiHead) {
      add(encoded.own[static_cast<std::size_t>(input)]);
    }
  }
  phi[features_ - 1] = 1;
}

void HeadModel::features(const ConstVectorRef<float>& z, HeadWork& work) const {
  const EncodedInputs& encoded = inputs(work);
  work.phi.resize(encoded.count, features_);
  if (body_) {
    body_->features(z, first_stage_, *work.body, work.phi.leftCols(stage_features_));
  }
  for (Index i = 0; i < encoded.count; ++i) write_fixed(encoded, i, work.phi.row(i).data());
}

float HeadModel::linearise(const ConstVectorRef<float>& z, Index action,
                           const ConstVectorRef<float>& w, HeadWork& work, VectorRef<float> phi,
                           VectorRef<float> gradient) const {
  const Index input = input_of(action);
  float value = 0;
  if (body_) {
    value = body_->pull_back(z, input, first_stage_, w.head(stage_features_), *work.body, gradient,
                             phi.data());
  }
  write_fixed(inputs(work), input, phi.data());
  const Index rest = features_ - stage_features_;
  return value + w.tail(rest).dot(phi.tail(rest));
}

}  // namespace bandolier
