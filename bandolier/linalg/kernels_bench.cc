// The row kernels against Eigen compiled for the building machine, and against each other.
#include "bandolier/linalg/kernels.h"

#include <benchmark/benchmark.h>

#include <vector>

#include "bandolier/core/random.h"
#include "bandolier/core/types.h"
#include "bandolier/linalg/huge_pages.h"

namespace bandolier {
namespace {

struct Data {
  explicit Data(Index d) : s(d, d), f(d), g(d), k(d) {
    Random random({.seed = 1});
    random.fill_normal(VectorMap<float>(s.data(), s.size()));
    random.fill_normal(g);
    f = g / static_cast<float>(d);
    for (Index i = 0; i < s.size(); ++i) half.push_back(to_half(s.data()[i]));
  }
  Matrix<float> s;
  Vector<float> f, g, k;
  std::vector<Half> half;
};

// Bytes moved between memory and registers, and flops, of one call.
void count(benchmark::State& state, double bytes, double flops) {
  using benchmark::Counter;
  state.counters["bytes_per_second"] =
      Counter(bytes, Counter::kIsIterationInvariantRate, Counter::kIs1024);
  state.counters["flops"] = Counter(flops, Counter::kIsIterationInvariantRate, Counter::kIs1000);
}

double square(Index d) { return static_cast<double>(d) * static_cast<double>(d); }

void combine_eigen(benchmark::State& state) {
  Data data(state.range(0));
  for (auto _ : state) {
    data.f.noalias() = data.s.transpose() * data.g;
    benchmark::DoNotOptimize(data.f.data());
  }
  count(state, 4 * square(state.range(0)), 2 * square(state.range(0)));
}

void downdate_eigen(benchmark::State& state) {
  Data data(state.range(0));
  for (auto _ : state) {
    for (Index i = 0; i < data.s.rows(); ++i) {
      data.k[i] = data.s.row(i).dot(data.f);
      data.s.row(i) -= (1e-6f * data.k[i]) * data.f.transpose();
    }
    benchmark::DoNotOptimize(data.k.data());
  }
  count(state, 8 * square(state.range(0)), 4 * square(state.range(0)));
}

void combine(benchmark::State& state, const Kernels<float>* kernels) {
  if (kernels == nullptr) return state.SkipWithError("not on this processor");
  Data data(state.range(0));
  for (auto _ : state) {
    kernels->combine(data.s.data(), data.s.rows(), data.s.cols(), data.g.data(), data.f.data());
    benchmark::DoNotOptimize(data.f.data());
  }
  count(state, 4 * square(state.range(0)), 2 * square(state.range(0)));
}

void downdate(benchmark::State& state, const Kernels<float>* kernels) {
  if (kernels == nullptr) return state.SkipWithError("not on this processor");
  Data data(state.range(0));
  for (auto _ : state) {
    kernels->downdate(data.s.data(), data.s.rows(), data.s.cols(), data.f.data(), 1e-6f,
                      data.k.data());
    benchmark::DoNotOptimize(data.k.data());
  }
  count(state, 8 * square(state.range(0)), 4 * square(state.range(0)));
}

// Of 32 vectors at once; Eigen's products beside them.
struct Many : Data {
  explicit Many(Index d) : Data(d), x(kMostVectors, d), y(kMostVectors, d), b(kMostVectors) {
    Random random({.seed = 2});
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
    x *= 1e-3f;
    y = x;
    xt = x.transpose();
    b.setOnes();
    for (Index r = 0; r < x.rows(); ++r) {
      from.push_back(x.row(r).data());
      to.push_back(y.row(r).data());
    }
  }
  double vectors() const { return static_cast<double>(x.rows()); }
  Matrix<float> x, y, xt;
  Vector<float> b;
  std::vector<const float*> from;
  std::vector<float*> to;
};

void combine_many_eigen(benchmark::State& state) {
  Many data(state.range(0));
  for (auto _ : state) {
    data.y.noalias() = data.x * data.s;
    benchmark::DoNotOptimize(data.y.data());
  }
  count(state, 4 * square(state.range(0)), 2 * data.vectors() * square(state.range(0)));
}

void combine_many(benchmark::State& state, const Kernels<float>* kernels) {
  if (kernels == nullptr) return state.SkipWithError("not on this processor");
  Many data(state.range(0));
  for (auto _ : state) {
    kernels->combine_many(data.s.data(), data.s.rows(), data.s.cols(), data.from.data(),
                          data.to.data(), data.x.rows());
    benchmark::DoNotOptimize(data.y.data());
  }
  count(state, 4 * square(state.range(0)), 2 * data.vectors() * square(state.range(0)));
}

void downdate_many_eigen(benchmark::State& state) {
  Many data(state.range(0));
  Matrix<float> k;
  for (auto _ : state) {
    k.noalias() = data.s * data.x.transpose();
    data.s.noalias() -= k * data.y;
    benchmark::DoNotOptimize(data.s.data());
  }
  count(state, 8 * square(state.range(0)), 4 * data.vectors() * square(state.range(0)));
}

void downdate_many(benchmark::State& state, const Kernels<float>* kernels) {
  if (kernels == nullptr) return state.SkipWithError("not on this processor");
  Many data(state.range(0));
  for (auto _ : state) {
    kernels->downdate_many(data.s.data(), data.s.rows(), data.s.cols(), data.xt.data(),
                           data.y.data(), data.b.data(), data.x.rows(), data.g.data());
    benchmark::DoNotOptimize(data.s.data());
  }
  count(state, 8 * square(state.range(0)), 4 * data.vectors() * square(state.range(0)));
}

void combine_half(benchmark::State& state, const KernelsFor<Half>* kernels) {
  if (kernels == nullptr) return state.SkipWithError("not on this processor");
  Data data(state.range(0));
  for (auto _ : state) {
    kernels->combine(data.half.data(), data.s.rows(), data.s.cols(), data.g.data(), data.f.data());
    benchmark::DoNotOptimize(data.f.data());
  }
  count(state, 2 * square(state.range(0)), 2 * square(state.range(0)));
}

// A stored basis of LeNet-5: rows far shorter than a page, of a matrix far beyond the caches.
void basis_half(benchmark::State& state, const KernelsFor<Half>* kernels) {
  if (kernels == nullptr) return state.SkipWithError("not on this processor");
  constexpr Index kRows = 61706, kCols = 470;
  std::vector<Half> a;
  a.reserve(kRows * kCols);
  prefer_huge_pages(a.data(), sizeof(Half) * kRows * kCols);
  a.resize(kRows * kCols, to_half(0.5f));
  Vector<float> z = Vector<float>::Ones(kCols), theta = Vector<float>::Ones(kRows);
  const bool image = state.range(0) == 0;
  for (auto _ : state) {
    if (image) {
      kernels->dots(a.data(), kRows, kCols, z.data(), theta.data());
    } else {
      kernels->combine(a.data(), kRows, kCols, theta.data(), z.data());
    }
    benchmark::DoNotOptimize(theta.data());
    benchmark::DoNotOptimize(z.data());
  }
  count(state, 2.0 * kRows * kCols, 2.0 * kRows * kCols);
}

void sizes(benchmark::internal::Benchmark* bench) {
  for (const int d : {50, 200, 470, 1000, 2000}) bench->Arg(d);
}

BENCHMARK(combine_eigen)->Apply(sizes);
BENCHMARK_CAPTURE(combine, plain, &plain_kernels<float>())->Apply(sizes);
BENCHMARK_CAPTURE(combine, avx2, avx2_kernels<float>())->Apply(sizes);
BENCHMARK_CAPTURE(combine_half, plain, &plain_kernels<Half>())->Apply(sizes);
BENCHMARK_CAPTURE(combine_half, avx2, avx2_kernels<Half>())->Apply(sizes);
BENCHMARK_CAPTURE(basis_half, avx2, avx2_kernels<Half>())->ArgName("transposed")->Arg(0)->Arg(1);
BENCHMARK(downdate_eigen)->Apply(sizes);
BENCHMARK_CAPTURE(downdate, plain, &plain_kernels<float>())->Apply(sizes);
BENCHMARK_CAPTURE(downdate, avx2, avx2_kernels<float>())->Apply(sizes);
BENCHMARK(combine_many_eigen)->Apply(sizes);
BENCHMARK_CAPTURE(combine_many, plain, &plain_kernels<float>())->Apply(sizes);
BENCHMARK_CAPTURE(combine_many, avx2, avx2_kernels<float>())->Apply(sizes);
BENCHMARK_CAPTURE(combine_many, avx512, avx512_kernels<float>())->Apply(sizes);
BENCHMARK(downdate_many_eigen)->Apply(sizes);
BENCHMARK_CAPTURE(downdate_many, plain, &plain_kernels<float>())->Apply(sizes);
BENCHMARK_CAPTURE(downdate_many, avx2, avx2_kernels<float>())->Apply(sizes);
BENCHMARK_CAPTURE(downdate_many, avx512, avx512_kernels<float>())->Apply(sizes);

}  // namespace
}  // namespace bandolier
