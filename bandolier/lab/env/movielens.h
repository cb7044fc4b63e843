// MovieLens-100k as the paper poses it: recommend one of the first movies to a user.
#pragma once

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"
#include "bandolier/lab/env/input.h"
#include "bandolier/lab/env/rows.h"

namespace bandolier {

// R is the ratings of the first `movies` movies, 0 where there is none, by the users with at least
// one rating among them. R ≈ U S Vᵀ with `rank` singular values: user i's context is uᵢ√S, and
// movie j pays (U S Vᵀ)ᵢⱼ. With rank = movies the rewards are the ratings themselves, and exactly
// linear in the context. Contexts are not standardised.
struct MovielensOptions : RowsOptions {
  std::int64_t movies = 20;
  std::int64_t rank = 20;
  std::int64_t repeat = 1;
};
const OptionTable<MovielensOptions>& movielens_options();

// From $BANDOLIER_DATA/ml-100k/u.data.
std::unique_ptr<Environment> make_movielens(const MovielensOptions& options);
// From any text of `user item rating time` lines.
std::unique_ptr<Environment> make_movielens(Input& ratings, const MovielensOptions& options);

}  // namespace bandolier
