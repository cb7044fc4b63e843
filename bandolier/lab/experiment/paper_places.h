// Who is meant in the paper's sentences: its sets, networks and groups of methods.
#pragma once

#include <string>
#include <vector>

#include "bandolier/lab/experiment/paper_judge.h"

namespace bandolier::paper_place {

using Names = std::vector<std::string>;  // compared as texts

inline const Names kSubspace = {paper_method::kSvdFull, paper_method::kRndFull,
                                paper_method::kSvdDiag, paper_method::kRndDiag};
inline const Names kNeuralLinear = {paper_method::kNlLimited, paper_method::kNlUnlimited};
// Beside the subspace methods in the figures of MovieLens and MNIST.
inline const Names kBeside = {paper_method::kOrigDiag, paper_method::kNlLimited,
                              paper_method::kNlUnlimited, paper_method::kLinear};
inline const Names kSets = {"shuttle", "covertype", "adult"};
inline const Names kMovies = {"movielens-mlp1", "movielens-mlp2"};
inline const Names kMovieTimes = {"time-movielens-mlp1", "time-movielens-mlp2"};
inline const Names kMnist = {"mnist-mlp1", "mnist-mlp2", "mnist-lenet5"};

inline Who tabular(const std::string& set, const std::string& method) {
  return {"tabular", set, method};
}
inline Who movie(const std::string& problem, const std::string& method) {
  return {problem, "movielens", method};
}
inline Who mnist(const std::string& problem, const std::string& method) {
  return {problem, "mnist", method};
}

}  // namespace bandolier::paper_place
