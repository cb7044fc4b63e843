#include "bandolier/filter/head_predictor.h"

#include <algorithm>
#include <cmath>

namespace bandolier {
namespace {

// Parts of the key's stream.
constexpr std::uint32_t kOffset = 0, kBasis = 1, kHead = 2;

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

Encoder head_encoder(const RewardModel& model, const HeadPredictorOptions& options) {
  const Encoder& body = model.encoder();
  return options.inputs ? Encoder(*options.inputs, body.shape()) : body;
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

ParameterLayout head_layout(const RewardModel& model, const HeadPredictorOptions& options) {
  const Encoder encoder = head_encoder(model, options);
  if (model.network().layers().size() < 2) return {0, encoder.outputs(), encoder.inputs() + 1};
  const Network body = without_last_layer(model.network());
  const auto& stages = body.stages();
  Index features = 1;
  for (std::size_t s = options.skip ? first_useful_stage(body) : stages.size() - 1;
       s < stages.size(); ++s) {
    features += body.layers()[static_cast<std::size_t>(stages[s] - 1)].outputs;
  }
  if (options.skip && encoder.shape().image.size() == 0) features += encoder.inputs();
  return {std::min(options.dim, body.parameters()), encoder.outputs(), features};
}

HeadPredictor::HeadPredictor(const RewardModel& model,
                             std::shared_ptr<const Preparation> preparation,
                             const HeadPredictorOptions& options, const StreamKey& key)
    : Predictor(model, std::move(preparation)),
      key_(key),
      head_encoder_(head_encoder(model, options)) {
  layout_ = head_layout(model, options);
  const Random random(key);
  const bool image = encoder_.shape().image.size() > 0;
  Index last_stage = 0;
  if (layout_.body > 0) {
    const Network body = without_last_layer(model.network());
    auto basis =
        make_random_basis<float>(options.basis, body, layout_.body, random.fork(kBasis).key());
    body_ = make_subspace_model<float>(
        encoder_, body, body_offset(body, image, random.fork(kOffset)), std::move(basis));
    const std::size_t last = body.stages().size() - 1;
    first_stage_ = options.skip ? first_useful_stage(body) : last;
    stage_features_ = body_->feature_count(first_stage_);
    last_stage = body_->feature_count(last);
    // Pixels say little one by one, and their head would outweigh the body a hundredfold.
    input_feeds_head_ = options.skip && !image;
  }
  own_inputs_ = body_ == nullptr || head_encoder_.encoding() != encoder_.encoding();

  // LeCun-normal weights on the last stage, so that the body has a gradient to begin with; 0 else.
  head_means_.setZero(layout_.heads, layout_.features);
  if (last_stage > 0) {
    Random head = random.fork(kHead);
    Vector<float> weights(layout_.heads * last_stage);
    head.fill_normal(weights);
    weights /= std::sqrt(static_cast<float>(last_stage));
    head_means_.middleCols(stage_features_ - last_stage, last_stage) =
        MatrixMap<float>(weights.data(), layout_.heads, last_stage);
  }
}

std::unique_ptr<BoundScratch> HeadPredictor::make_network_scratch() const {
  return body_ ? body_->make_scratch() : nullptr;
}

const EncodedInputs& HeadPredictor::inputs(const PredictorScratch& scratch) const {
  return own_inputs_ ? scratch.encoded : body_->inputs(*scratch.network);
}

void HeadPredictor::bind_prepared(const Context& context, PredictorScratch& scratch) const {
  if (body_) body_->bind(context, *scratch.network);
  if (own_inputs_) head_encoder_.encode(context, scratch.encoded);
}

void HeadPredictor::write_fixed(const EncodedInputs& encoded, Index input, float* phi) const {
  if (input_feeds_head_) {
    float* x = phi + stage_features_;
    std::fill(x, x + head_encoder_.inputs(), 0.0f);
    const auto add = [x](const SparseVector& part) {
      for (std::size_t i = 0; i < part.indices.size(); ++i) x[part.indices[i]] += part.values[i];
    };
    add(encoded.shared);
    if (head_encoder_.encoding() != Encoding::kMultiHead) {
      add(encoded.own[static_cast<std::size_t>(input)]);
    }
  }
  phi[layout_.features - 1] = 1;
}

void HeadPredictor::evaluate(const ConstVectorRef<float>& z, PredictorScratch& scratch) const {
  const EncodedInputs& encoded = inputs(scratch);
  if (scratch.phi.rows() < encoded.count) scratch.phi.resize(encoded.count, layout_.features);
  if (body_) {
    body_->features(z, first_stage_, *scratch.network,
                    scratch.phi.topLeftCorner(encoded.count, stage_features_));
  }
  for (Index i = 0; i < encoded.count; ++i) write_fixed(encoded, i, scratch.phi.row(i).data());
}

float HeadPredictor::linearise_at(const ConstVectorRef<float>& z, const ConstVectorRef<float>& w,
                                  Index action, PredictorScratch& scratch,
                                  VectorRef<float> gradient, VectorRef<float> phi) const {
  const Index input = input_of(action);
  float value = 0;
  if (body_) {
    value = body_->pull_back(z, input, first_stage_, w.head(stage_features_), *scratch.network,
                             gradient, phi.data());
  }
  write_fixed(inputs(scratch), input, phi.data());
  const Index rest = layout_.features - stage_features_;
  return value + w.tail(rest).dot(phi.tail(rest));
}

void HeadPredictor::save(ArchiveWriter& out) const { save_key(key_, out); }

std::shared_ptr<const HeadPredictor> HeadPredictor::load(
    const RewardModel& model, std::shared_ptr<const Preparation> preparation,
    const HeadPredictorOptions& options, const ArchiveReader& in) {
  return std::make_shared<HeadPredictor>(model, std::move(preparation), options, load_key(in));
}

}  // namespace bandolier
