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

// θ* of sparse units, or nothing where they are not asked for or the contexts do not suit them.
Vector<float> make_units(const RewardModel& model, const Preparation& preparation,
                         const HeadPredictorOptions& options, const Random& random,
                         std::span<const Experience> pulls) {
  if (options.units == UnitKind::kDense || model.network().layers().size() < 2) return {};
  const Network body = without_last_layer(model.network());
  const bool dense = std::holds_alternative<Dense>(body.layers().front().kind);
  if (!dense || model.encoder().shape().image.size() > 0 || pulls.empty()) return {};
  const Matrix<float> inputs = inputs_of(model.encoder(), preparation, false, pulls);
  const bool sparse = options.units == UnitKind::kSparse || suits_sparse_units(inputs);
  return sparse ? sparse_units(body, inputs, random.fork(kOffset)) : Vector<float>();
}

Encoder head_encoder(const RewardModel& model, const HeadPredictorOptions& options) {
  const Encoder& body = model.encoder();
  return options.head_encoding ? Encoder(*options.head_encoding, body.shape()) : body;
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

Words words_of(BodyKind) {
  static constexpr std::string_view kWords[] = {"none", "subspace", "diag", "low-rank"};
  return kWords;
}

ParameterLayout head_layout(const RewardModel& model, const HeadPredictorOptions& options) {
  const Encoder encoder = head_encoder(model, options);
  if (model.network().layers().size() < 2) return {0, encoder.outputs(), encoder.inputs() + 1};
  const Network body = without_last_layer(model.network());
  const Index hidden =
      body.stage_values(options.skip ? first_useful_stage(body) : body.stages().size() - 1);
  const bool inputs = options.skip && encoder.shape().image.size() == 0;
  const Index coordinates = options.body == BodyKind::kNone ? 0
                            : options.body == BodyKind::kSubspace
                                ? std::min(options.dim, body.parameters())
                                : body.parameters();
  return {coordinates, encoder.outputs(), hidden + (inputs ? encoder.inputs() : 0) + 1, hidden};
}

HeadPredictor::HeadPredictor(const RewardModel& model,
                             std::shared_ptr<const Preparation> preparation,
                             const HeadPredictorOptions& options, const StreamKey& key,
                             std::span<const Experience> pulls)
    : HeadPredictor(model, preparation, options, key,
                    make_units(model, *preparation, options, Random(key), pulls)) {}

HeadPredictor::HeadPredictor(const RewardModel& model,
                             std::shared_ptr<const Preparation> preparation,
                             const HeadPredictorOptions& options, const StreamKey& key,
                             Vector<float> units)
    : Predictor(model, std::move(preparation)),
      key_(key),
      head_encoder_(head_encoder(model, options)),
      units_(std::move(units)) {
  layout_ = head_layout(model, options);
  const Random random(key);
  const bool image = encoder_.shape().image.size() > 0;
  Index last_stage = 0;
  if (model.network().layers().size() > 1) {
    const Network body = without_last_layer(model.network());
    const std::size_t last = body.stages().size() - 1;
    first_stage_ = options.skip ? first_useful_stage(body) : last;
    Vector<float> offset =
        units_.size() > 0 ? units_ : dense_units(body, image, random.fork(kOffset));
    stage_features_ = body.stage_values(first_stage_);
    if (options.body == BodyKind::kNone) {
      fixed_ = std::make_shared<FixedBody>(encoder_, body, std::move(offset), first_stage_);
    } else {
      auto basis = options.body == BodyKind::kSubspace
                       ? make_random_basis<float>(options.basis, body, layout_.body,
                                                  random.fork(kBasis).key())
                       : make_identity_basis<float>(body);
      body_ = make_subspace_model<float>(encoder_, body, std::move(offset), std::move(basis));
      last_stage = body.stage_values(last);
    }
    // Pixels say little one by one, and their head would outweigh the body a hundredfold.
    input_feeds_head_ = options.skip && !image;
  }
  own_inputs_ = (!body_ && !fixed_) || head_encoder_.encoding() != encoder_.encoding();

  // LeCun-normal weights on the last stage of a body that is learnt, so that it has a gradient to
  // begin with; 0 else.
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
  return body_ ? body_->make_scratch() : fixed_ ? fixed_->make_scratch() : nullptr;
}

const EncodedInputs& HeadPredictor::inputs(const PredictorScratch& scratch) const {
  if (own_inputs_) return scratch.encoded;
  return body_ ? body_->inputs(*scratch.network) : fixed_->inputs(*scratch.network);
}

void HeadPredictor::bind_prepared(const Context& context, PredictorScratch& scratch) const {
  if (own_inputs_) head_encoder_.encode(context, scratch.encoded);
  if (body_) body_->bind(context, *scratch.network);
  if (body_) return;
  const Index rows = layout_.heads > 1 ? 1 : context.actions;
  if (scratch.phi.rows() < rows) scratch.phi.resize(rows, layout_.features);
  if (fixed_) fixed_->features(context, *scratch.network, scratch.phi.topRows(rows));
  const EncodedInputs& encoded = inputs(scratch);
  for (Index i = 0; i < encoded.count; ++i) write_fixed(encoded, i, scratch.phi.row(i).data());
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
  if (!body_) return;
  const EncodedInputs& encoded = inputs(scratch);
  if (scratch.phi.rows() < encoded.count) scratch.phi.resize(encoded.count, layout_.features);
  body_->features(z, first_stage_, *scratch.network,
                  scratch.phi.topLeftCorner(encoded.count, stage_features_));
  for (Index i = 0; i < encoded.count; ++i) write_fixed(encoded, i, scratch.phi.row(i).data());
}

float HeadPredictor::linearise_at(const ConstVectorRef<float>& z, const ConstVectorRef<float>& w,
                                  Index action, PredictorScratch& scratch,
                                  VectorRef<float> gradient, VectorRef<float> phi) const {
  const Index input = input_of(action);
  if (!body_) {
    phi = scratch.phi.row(input).transpose();
    return w.dot(phi);
  }
  const float value = body_->pull_back(z, input, first_stage_, w.head(stage_features_),
                                       *scratch.network, gradient, phi.data());
  write_fixed(inputs(scratch), input, phi.data());
  const Index rest = layout_.features - stage_features_;
  return value + w.tail(rest).dot(phi.tail(rest));
}

void HeadPredictor::save(ArchiveWriter& out) const {
  save_key(key_, out);
  if (units_.size() > 0) out.write("units", units_);
}

std::shared_ptr<const HeadPredictor> HeadPredictor::load(
    const RewardModel& model, std::shared_ptr<const Preparation> preparation,
    const HeadPredictorOptions& options, const ArchiveReader& in) {
  Vector<float> units;
  if (in.has("units")) {
    const Network body = without_last_layer(model.network());
    units.resize(body.parameters());
    body.read_weights(in, "units", units);
  }
  return std::shared_ptr<const HeadPredictor>(
      new HeadPredictor(model, std::move(preparation), options, load_key(in), std::move(units)));
}

}  // namespace bandolier
