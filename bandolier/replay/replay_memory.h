// Stored data: what a network is trained on again and again. All of it, or the last `capacity` rows
// (first in, first out), overall or for each output apart.
//
// A row is an input without the zeros around its block (Encoder::block_size), the output that
// predicts it, and the reward.
#pragma once

#include <cstdint>
#include <vector>

#include "bandolier/core/archive.h"
#include "bandolier/model/encoding.h"
#include "bandolier/nn/training.h"

namespace bandolier {

class ReplayMemory {
 public:
  // capacity 0: unlimited. per_output: the last capacity / outputs rows of each output.
  ReplayMemory(const Encoder& encoder, Index capacity, bool per_output = false);

  // O(block size); allocates only while a memory that is unlimited, or of more than 64 MB, grows
  // (by doubling).
  void push(const Encoder& encoder, const Context& context, Index action, float reward);

  void clear();
  // Rewards are in another unit from now on.
  void rescale(float factor);

  Index size() const { return size_; }
  Index capacity() const { return capacity_; }  // 0: unlimited
  // Views of all rows, in no particular order.
  TrainingSet rows() const;

  // Of the rows stored where unlimited; of the whole capacity where limited.
  std::size_t bytes() const;
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  // Rows of one first-in-first-out line.
  struct Line {
    std::vector<std::int64_t> rows;
    std::int64_t oldest = 0;
  };
  std::size_t row_bytes() const;
  void reserve(Index rows);
  Index new_row();
  Index row_for(Index output);
  void load_lines(const ArchiveReader& in);
  bool has_blocks() const { return block_count_ > 1; }

  Index capacity_;
  Index output_count_, block_count_;  // of the encoder
  Index size_ = 0;
  Matrix<float> inputs_;  // at least size_ rows
  std::vector<Index> outputs_, blocks_;
  std::vector<float> rewards_;
  std::vector<Line> lines_;  // limited only: one, or one per output
};

}  // namespace bandolier
