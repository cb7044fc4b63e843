// How a low-rank belief is saved and loaded.
#include "bandolier/belief/low_rank.h"

namespace bandolier {

template <class T>
void LowRank<T>::save(ArchiveWriter& out) const {
  out.write("mean", ConstVectorRef<T>(mean_));
  out.write("prior_precision", ConstVectorRef<T>(prior_));
  out.write("diagonal", ConstVectorRef<T>(diagonal_));
  out.write("columns", used_);
  Matrix<T> rows = *w_;
  rows.bottomRows(rows.rows() - used_).setZero();
  out.write("directions", rows);
  out.write("root", root());
}

template <class T>
void LowRank<T>::load(const ArchiveReader& in) {
  in.read_into("mean", mean_, kSavedMeans);
  in.read_into("prior_precision", prior_, kSavedPrecisions);
  in.read_into("diagonal", diagonal_, kSavedPrecisions);
  check_proportions(in, "diagonal", prior_.array() / diagonal_.array());
  if (in.has("low_rank")) {  // d × L, with nothing beside it: files from before W had room
    Matrix<T> columns(dim(), rank_);
    in.read_into("low_rank", columns, kSavedRoots);
    check_proportions(in, "low_rank",
                      columns.array().square().rowwise().maxCoeff() / diagonal_.array());
    used_ = rank_;
    w_.write().topRows(rank_) = columns.transpose();
    refresh();
    return;
  }
  used_ = in.read_integer("columns", 0, w_->rows() - 1);
  in.read_into("directions", w_.write(), kSavedRoots);
  check_proportions(in, "directions",
                    w_->array().square().colwise().maxCoeff().transpose() / diagonal_.array());
  refresh();
  // The root that learning had, not to lose a bit; what W and Υ give it may not be far from.
  Matrix<T> saved(used_, used_);
  in.read_into("root", saved, kSavedRoots);
  const Matrix<T> made = root();
  if (((saved - made).rowwise().norm().array() > T(0.01) * made.rowwise().norm().array()).any() ||
      (saved.diagonal().array() < 1).any()) {
    fail("{} is not that of its directions", in.where("root"));
  }
  root_.topLeftCorner(used_, used_) = saved;
}

template void LowRank<float>::save(ArchiveWriter&) const;
template void LowRank<double>::save(ArchiveWriter&) const;
template void LowRank<float>::load(const ArchiveReader&);
template void LowRank<double>::load(const ArchiveReader&);

}  // namespace bandolier
