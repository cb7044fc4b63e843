#include "bandolier/replay/replay_memory.h"

#include <algorithm>

#include "bandolier/core/error.h"
#include "bandolier/core/memory_limit.h"

namespace bandolier {
namespace {

constexpr Index kFirstRows = 64;
// A limited memory of up to so many bytes is allocated at once, a larger one as it fills.
constexpr std::size_t kMostAtOnce = 64 << 20;

std::vector<std::int64_t> first(const std::vector<Index>& values, Index count) {
  return {values.begin(), values.begin() + count};
}

void read_first(const ArchiveReader& in, std::string_view tag, Index count, Index below,
                std::vector<Index>& out) {
  const auto values = in.read_integers(tag, static_cast<std::size_t>(count), 0, below - 1);
  std::copy(values.begin(), values.end(), out.begin());
}

}  // namespace

ReplayMemory::ReplayMemory(const Encoder& encoder, Index capacity, bool per_output)
    : capacity_(capacity),
      output_count_(encoder.outputs()),
      block_count_(encoder.blocks()),
      inputs_(0, encoder.block_size()) {
  if (capacity == 0) return;
  const Index lines = per_output ? encoder.outputs() : 1;
  if (capacity < lines) fail("a memory of {} rows: expected at least {}", capacity, lines);
  lines_.resize(static_cast<std::size_t>(lines));
  capacity_ -= capacity_ % lines;
  require_available_memory(static_cast<double>(row_bytes()) * static_cast<double>(capacity_),
                           fmt::format("a memory of {} rows", capacity_), "use a smaller memory");
  if (bytes() > kMostAtOnce) return;
  for (Line& line : lines_) {
    line.rows.reserve(static_cast<std::size_t>(capacity_) / lines_.size());
  }
  reserve(capacity_);
}

void ReplayMemory::reserve(Index rows) {
  inputs_.conservativeResize(rows, inputs_.cols());
  const auto count = static_cast<std::size_t>(rows);
  outputs_.resize(count);
  rewards_.resize(count);
  if (has_blocks()) blocks_.resize(count);
}

void ReplayMemory::clear() {
  size_ = 0;
  for (Line& line : lines_) {
    line.rows.clear();
    line.oldest = 0;
  }
}

void ReplayMemory::rescale(float factor) {
  for (float& reward : std::span(rewards_).first(static_cast<std::size_t>(size_))) reward *= factor;
}

Index ReplayMemory::new_row() {
  if (size_ == inputs_.rows()) {
    const Index more = std::max(kFirstRows, 2 * size_);
    reserve(capacity_ > 0 ? std::min(more, capacity_) : more);
  }
  return size_++;
}

// Where the next row of this output goes: a new row, or that of the oldest in its line.
Index ReplayMemory::row_for(Index output) {
  if (capacity_ == 0) return new_row();
  Line& line = lines_[lines_.size() > 1 ? static_cast<std::size_t>(output) : 0];
  const auto length = static_cast<std::size_t>(capacity_) / lines_.size();
  if (line.rows.size() < length) {
    line.rows.push_back(size_);
    return new_row();
  }
  const auto row = static_cast<Index>(line.rows[static_cast<std::size_t>(line.oldest)]);
  line.oldest = (line.oldest + 1) % static_cast<std::int64_t>(length);
  return row;
}

void ReplayMemory::push(const Encoder& encoder, const Context& context, Index action,
                        float reward) {
  const Index output = encoder.output_of(action);
  const Index row = row_for(output);
  const auto at = static_cast<std::size_t>(row);
  VectorMap<float> input(inputs_.row(row).data(), inputs_.cols());
  encoder.encode_block(context, action, input);
  outputs_[at] = output;
  rewards_[at] = reward;
  if (has_blocks()) blocks_[at] = encoder.block_of(context, action);
}

TrainingSet ReplayMemory::rows() const {
  const auto count = static_cast<std::size_t>(size_);
  return {inputs_.topRows(size_), std::span(outputs_).first(count),
          std::span(rewards_).first(count),
          has_blocks() ? std::span(blocks_).first(count) : std::span<const Index>{}};
}

std::size_t ReplayMemory::row_bytes() const {
  return static_cast<std::size_t>(inputs_.cols()) * sizeof(float) +
         sizeof(Index) * (has_blocks() ? 2 : 1) + sizeof(float) +
         (capacity_ > 0 ? sizeof(std::int64_t) : 0);
}

std::size_t ReplayMemory::bytes() const {
  return row_bytes() * static_cast<std::size_t>(capacity_ > 0 ? capacity_ : size_);
}

void ReplayMemory::save(ArchiveWriter& out) const {
  out.write("inputs", inputs_.topRows(size_));
  out.write("outputs", first(outputs_, size_));
  out.write("rewards", ConstVectorMap<float>(rewards_.data(), size_));
  if (has_blocks()) out.write("blocks", first(blocks_, size_));
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const auto section = out.section("lines", i);
    out.write("rows", lines_[i].rows);
    out.write("oldest", lines_[i].oldest);
  }
}

void ReplayMemory::load(const ArchiveReader& in) {
  const Matrix<float> inputs = in.read_matrix<float>("inputs");
  if (inputs.cols() != inputs_.cols()) {
    fail("{} has rows of {} values, expected {}", in.where("inputs"), inputs.cols(),
         inputs_.cols());
  }
  if (capacity_ > 0 && inputs.rows() > capacity_) {
    fail("{} has {} rows, expected at most {}", in.where("inputs"), inputs.rows(), capacity_);
  }
  size_ = inputs.rows();
  if (size_ > inputs_.rows()) reserve(size_);
  inputs_.topRows(size_) = inputs;
  read_first(in, "outputs", size_, output_count_, outputs_);
  in.read_into("rewards", VectorMap<float>(rewards_.data(), size_));
  if (has_blocks()) read_first(in, "blocks", size_, block_count_, blocks_);
  if (!lines_.empty()) load_lines(in);
}

// Every row is in one line, in that of its output where each has its own.
void ReplayMemory::load_lines(const ArchiveReader& in) {
  const auto length = capacity_ / static_cast<Index>(lines_.size());
  std::vector<bool> found(static_cast<std::size_t>(size_));
  Index rows = 0;
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    const ArchiveReader section = in.section("lines", i);
    Line& line = lines_[i];
    line.rows = section.read_integers("rows");
    line.oldest = section.read_integer("oldest", 0, length - 1);
    bool right = std::ssize(line.rows) <= length;
    for (const std::int64_t row : line.rows) {
      right = right && row >= 0 && row < size_ && !found[static_cast<std::size_t>(row)];
      if (right) found[static_cast<std::size_t>(row)] = true;
    }
    rows += std::ssize(line.rows);
    if (!right || (i + 1 == lines_.size() && rows != size_)) {
      fail("{} is no order of {} rows: the file was not written by this agent",
           in.where(fmt::format("lines.{}", i)), size_);
    }
  }
}

}  // namespace bandolier
