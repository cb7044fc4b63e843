#include "bandolier/belief/batch_update.h"

#include <algorithm>

#include "bandolier/linalg/kernels.h"

namespace bandolier {

static_assert(kMostBatchRows == kMostVectors);

template <class T>
void BatchUpdate<T>::start(const T* x, Index rows, Index dim) {
  x_ = x;
  dim_ = dim;
  states_.assign(static_cast<std::size_t>(rows), State::kIdle);
  const Index room = std::max(rows, static_cast<Index>(kMostBatch));
  const auto values = static_cast<std::size_t>(room * dim);
  if (f_.size() < values) f_.resize(values);
  if (value_.size() >= room) return;
  for (Vector<T>* one : {&value_, &c_, &a_, &inner_}) one->resize(room);
}

template <class T>
void BatchUpdate<T>::see(BatchRows rows, const Vector<T>& mean) {
  for (Index row = rows.begin; row < rows.end; ++row) {
    if (!wanted(row)) continue;
    kernels<T>().dots(gradient(row), 1, dim_, mean.data(), &value_[row]);
    states_[static_cast<std::size_t>(row)] = State::kProjected;
    for (Index before = rows.begin; before < row; ++before) {
      if (state(before) == State::kLearnt) follow(before, row, row + 1);
    }
  }
}

template <class T>
T BatchUpdate<T>::q(Index row) const {
  const T* f = f_.data() + row * dim_;
  T q = 0;
  kernels<T>().dots(f, 1, dim_, f, &q);
  return q;
}

template <class T>
void BatchUpdate<T>::follow(Index learnt, Index begin, Index end) {
  kernels<T>().downdate(projection(begin), end - begin, dim_, projection(learnt), c_[learnt],
                        inner_.data());
  value_.segment(begin, end - begin) += a_[learnt] * inner_.head(end - begin);
}

template <class T>
void BatchUpdate<T>::learn(Index row, Index end, const Observation<T>& observation) {
  const T v = observation.curvature;
  const T s = 1 + v * q(row);
  c_[row] = potter_step(v, s);
  a_[row] = observation.slope / s;
  states_[static_cast<std::size_t>(row)] = State::kLearnt;
  for (Index next = row + 1; next < end;) {
    const Index begin = next;
    while (next < end && projected(next)) ++next;
    if (next > begin) follow(row, begin, next);
    while (next < end && !projected(next)) ++next;
  }
}

template <class T>
BatchRows BatchUpdate<T>::gather_learnt(BatchRows rows) {
  Index end = rows.begin;
  for (Index row = rows.begin; row < rows.end; ++row) {
    if (state(row) != State::kLearnt) continue;
    if (row > end) {
      std::copy_n(projection(row), dim_, projection(end));
      c_[end] = c_[row];
      a_[end] = a_[row];
    }
    ++end;
  }
  return {rows.begin, end};
}

template <class T>
void BatchUpdate<T>::prepare(BatchRows learnt, BatchScratch<T>& scratch) const {
  const Index count = learnt.end - learnt.begin;
  const ConstMatrixMap<T> f(projection(learnt.begin), count, dim_);
  MatrixMap<T> ft(scratch.ft.data(), dim_, kMostBatchRows);
  ft.setZero();
  ft.leftCols(count) = f.transpose();
  VectorMap<T> inner(scratch.inner.data(), kMostBatchRows), b(scratch.b.data(), kMostBatchRows);
  for (Index j = count - 1; j >= 0; --j) {
    const T c = c_[learnt.begin + j];
    const Index after = count - 1 - j;  // rows of W that are known
    T* const w = scratch.w.data() + j * dim_;
    kernels<T>().dots(projection(learnt.begin + j + 1), after, dim_, f.row(j).data(), inner.data());
    inner.head(after) *= -c;
    b[j] = a_[learnt.begin + j];
    for (Index i = 0; i < after; ++i) b[j] += inner[i] * b[j + 1 + i];
    kernels<T>().combine(w + dim_, after, dim_, inner.data(), w);
    for (Index i = 0; i < dim_; ++i) w[i] += c * f(j, i);
  }
}

template class BatchUpdate<float>;
template class BatchUpdate<double>;

}  // namespace bandolier
