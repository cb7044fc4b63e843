#include "bandolier/linalg/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "bandolier/core/random.h"

namespace bandolier::kernels_test {
namespace {

// Sizes around the widths of vectors and of unrolled loops.
const std::vector<std::ptrdiff_t> kSizes = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 70};

double number(float x) { return static_cast<double>(x); }
double number(double x) { return x; }
double number(Half x) { return static_cast<double>(to_float(x)); }

template <class T>
std::vector<T> normals(std::ptrdiff_t count, Random& random) {
  std::vector<T> out(static_cast<std::size_t>(count));
  for (T& x : out) {
    if constexpr (std::is_same_v<T, Half>) {
      x = to_half(static_cast<float>(random.normal()));
    } else {
      x = static_cast<T>(random.normal());
    }
  }
  return out;
}

template <class T>
struct Sets {
  // All sets of kernels that this machine can run.
  static std::vector<const KernelsFor<T>*> all() {
    std::vector<const KernelsFor<T>*> sets = {&plain_kernels<T>(), &kernels<T>()};
    if (avx2_kernels<T>() != nullptr) sets.push_back(avx2_kernels<T>());
    if (avx512_kernels<T>() != nullptr) sets.push_back(avx512_kernels<T>());
    return sets;
  }
};

template <class T>
class RowKernels : public ::testing::Test {
 protected:
  using R = typename Arithmetic<T>::Type;
  static constexpr double kTolerance = std::is_same_v<R, float> ? 1e-5 : 1e-13;
};
using Stored = ::testing::Types<float, double, Half>;
TYPED_TEST_SUITE(RowKernels, Stored);

TYPED_TEST(RowKernels, DotsAndCombinationsMatchPlainSumsForEverySize) {
  using Real = typename Arithmetic<TypeParam>::Type;
  Random random({.seed = 1});
  for (const auto* kernels : Sets<TypeParam>::all()) {
    for (const auto rows : kSizes) {
      for (const auto cols : kSizes) {
        const auto a = normals<TypeParam>(rows * cols, random);
        const auto x = normals<Real>(cols, random), w = normals<Real>(rows, random);
        std::vector<Real> y(x.size() + w.size(), Real(-7));
        kernels->dots(a.data(), rows, cols, x.data(), y.data());
        kernels->combine(a.data(), rows, cols, w.data(), y.data() + rows);
        std::vector<double> expected(y.size(), 0);
        for (std::size_t i = 0; i < w.size(); ++i) {
          for (std::size_t j = 0; j < x.size(); ++j) {
            const double element = number(a[i * x.size() + j]);
            expected[i] += element * number(x[j]);
            expected[w.size() + j] += element * number(w[i]);
          }
        }
        for (std::size_t i = 0; i < y.size(); ++i) {
          ASSERT_NEAR(y[i], expected[i], this->kTolerance * 10) << rows << " x " << cols;
        }
      }
    }
  }
}

TYPED_TEST(RowKernels, MatricesBeyondTheCachesGiveTheSameSums) {
  using Real = typename Arithmetic<TypeParam>::Type;
  Random random({.seed = 5});
  constexpr std::ptrdiff_t kCols = 33;
  constexpr std::ptrdiff_t kRows = (std::ptrdiff_t{5} << 20) / (kCols * sizeof(TypeParam)) + 3;
  const auto a = normals<TypeParam>(kRows * kCols, random);
  const auto x = normals<Real>(kCols, random), w = normals<Real>(kRows, random);
  std::vector<double> dots(w.size(), 0), combined(x.size(), 0);
  for (std::size_t i = 0; i < w.size(); ++i) {
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double element = number(a[i * x.size() + j]);
      dots[i] += element * number(x[j]);
      combined[j] += element * number(w[i]);
    }
  }
  for (const auto* kernels : Sets<TypeParam>::all()) {
    std::vector<Real> y(w.size()), z(x.size());
    kernels->dots(a.data(), kRows, kCols, x.data(), y.data());
    kernels->combine(a.data(), kRows, kCols, w.data(), z.data());
    for (std::size_t i = 0; i < y.size(); ++i) {
      ASSERT_NEAR(y[i], dots[i], this->kTolerance * 10);
    }
    const double scale = std::sqrt(static_cast<double>(kRows));  // of a sum of so many
    for (std::size_t j = 0; j < z.size(); ++j) {
      ASSERT_NEAR(z[j] / scale, combined[j] / scale, this->kTolerance * 10);
    }
  }
}

TYPED_TEST(RowKernels, GatherAddsTheRowsThatAreNamed) {
  using Real = typename Arithmetic<TypeParam>::Type;
  Random random({.seed = 2});
  constexpr std::ptrdiff_t kRows = 40;
  for (const auto* kernels : Sets<TypeParam>::all()) {
    for (const auto cols : kSizes) {
      const auto a = normals<TypeParam>(kRows * cols, random);
      for (const std::size_t count : {0u, 1u, 3u, 4u, 8u, 13u, 29u}) {
        const auto w = normals<Real>(static_cast<std::ptrdiff_t>(count), random);
        std::vector<std::int32_t> index(count);
        for (auto& i : index) i = static_cast<std::int32_t>(random.below(kRows));
        auto y = normals<Real>(cols, random);
        std::vector<double> expected(y.begin(), y.end());
        for (std::size_t k = 0; k < count; ++k) {
          for (std::size_t j = 0; j < y.size(); ++j) {
            expected[j] +=
                number(w[k]) * number(a[static_cast<std::size_t>(index[k]) * y.size() + j]);
          }
        }
        kernels->gather(a.data(), cols, index.data(), w.data(), static_cast<std::ptrdiff_t>(count),
                        y.data());
        for (std::size_t j = 0; j < y.size(); ++j) {
          ASSERT_NEAR(y[j], expected[j], this->kTolerance * 10);
        }
      }
    }
  }
}

template <class T>
void expect_downdates(double tolerance) {
  Random random({.seed = 3});
  for (const auto* kernels : Sets<T>::all()) {
    for (const auto rows : kSizes) {
      for (const auto cols : kSizes) {
        auto a = normals<T>(rows * cols, random);
        const auto before = a;
        const auto f = normals<T>(cols, random);
        std::vector<T> k(static_cast<std::size_t>(rows));
        kernels->downdate(a.data(), rows, cols, f.data(), T(0.1), k.data());
        for (std::size_t i = 0; i < k.size(); ++i) {
          double dot = 0;
          for (std::size_t j = 0; j < f.size(); ++j) {
            dot += number(before[i * f.size() + j]) * number(f[j]);
          }
          ASSERT_NEAR(k[i], dot, tolerance * 10);
          for (std::size_t j = 0; j < f.size(); ++j) {
            ASSERT_NEAR(a[i * f.size() + j],
                        number(before[i * f.size() + j]) - 0.1 * dot * number(f[j]),
                        tolerance * 10);
          }
        }
      }
    }
  }
}

TEST(RowKernels, DowndateTakesTheProjectionOffEveryRow) {
  expect_downdates<float>(1e-5);
  expect_downdates<double>(1e-13);
}

const std::vector<std::ptrdiff_t> kCounts = {1, 2, 3, 5, 6, 15, 16, 17, 31, 32};

template <class T>
void expect_combinations_of_many(double tolerance) {
  Random random({.seed = 6});
  for (const auto* kernels : Sets<T>::all()) {
    for (const auto rows : kSizes) {
      for (const auto cols : kSizes) {
        const auto a = normals<T>(rows * cols, random);
        for (const auto count : kCounts) {
          const auto x = normals<T>(count * rows, random);
          std::vector<T> y(static_cast<std::size_t>(count * cols), T(-7));
          std::vector<const T*> from;
          std::vector<T*> to;
          for (std::ptrdiff_t r = 0; r < count; ++r) {
            from.push_back(x.data() + r * rows);
            to.push_back(y.data() + r * cols);
          }
          kernels->combine_many(a.data(), rows, cols, from.data(), to.data(), count);
          for (std::ptrdiff_t r = 0; r < count; ++r) {
            for (std::ptrdiff_t j = 0; j < cols; ++j) {
              double expected = 0;
              for (std::ptrdiff_t i = 0; i < rows; ++i) {
                expected += number(from[static_cast<std::size_t>(r)][i]) *
                            number(a[static_cast<std::size_t>(i * cols + j)]);
              }
              ASSERT_NEAR(to[static_cast<std::size_t>(r)][j], expected, tolerance * 10)
                  << rows << " x " << cols << ", " << count;
            }
          }
        }
      }
    }
  }
}

TEST(RowKernels, CombinationsOfManyMatchPlainSumsForEverySize) {
  expect_combinations_of_many<float>(1e-5);
  expect_combinations_of_many<double>(1e-13);
}

// A − (A Fᵀ) W and (A Fᵀ) b.
template <class T>
void expect_downdates_by_many(double tolerance) {
  Random random({.seed = 7});
  for (const auto* kernels : Sets<T>::all()) {
    for (const auto rows : kSizes) {
      for (const auto cols : kSizes) {
        for (const auto count : kCounts) {
          auto a = normals<T>(rows * cols, random);
          const auto before = a, f = normals<T>(count * cols, random);
          const auto w = normals<T>(count * cols, random), b = normals<T>(count, random);
          std::vector<T> ft(static_cast<std::size_t>(cols * kMostVectors), T(0));
          for (std::ptrdiff_t q = 0; q < count; ++q) {
            for (std::ptrdiff_t j = 0; j < cols; ++j) {
              ft[static_cast<std::size_t>(j * kMostVectors + q)] =
                  f[static_cast<std::size_t>(q * cols + j)];
            }
          }
          std::vector<T> g(static_cast<std::size_t>(rows));
          kernels->downdate_many(a.data(), rows, cols, ft.data(), w.data(), b.data(), count,
                                 g.data());
          // Sums of count products of sums of cols.
          const double scale = std::sqrt(static_cast<double>(count * cols));
          for (std::ptrdiff_t i = 0; i < rows; ++i) {
            std::vector<double> expected(static_cast<std::size_t>(cols));
            double gain = 0;
            for (std::ptrdiff_t q = 0; q < count; ++q) {
              double k = 0;
              for (std::ptrdiff_t j = 0; j < cols; ++j) {
                k += number(before[static_cast<std::size_t>(i * cols + j)]) *
                     number(f[static_cast<std::size_t>(q * cols + j)]);
              }
              gain += k * number(b[static_cast<std::size_t>(q)]);
              for (std::ptrdiff_t j = 0; j < cols; ++j) {
                expected[static_cast<std::size_t>(j)] -=
                    k * number(w[static_cast<std::size_t>(q * cols + j)]);
              }
            }
            ASSERT_NEAR(g[static_cast<std::size_t>(i)] / scale, gain / scale, tolerance * 10);
            for (std::ptrdiff_t j = 0; j < cols; ++j) {
              const auto at = static_cast<std::size_t>(i * cols + j);
              const double element = number(before[at]) + expected[static_cast<std::size_t>(j)];
              ASSERT_NEAR(a[at] / scale, element / scale, tolerance * 10)
                  << rows << " x " << cols << ", " << count;
            }
          }
        }
      }
    }
  }
}

TEST(RowKernels, DowndatesByManyMatchPlainSumsForEverySize) {
  expect_downdates_by_many<float>(1e-5);
  expect_downdates_by_many<double>(1e-13);
}

TEST(Half, EveryFiniteHalfSurvivesTheWayThroughFloat) {
  for (std::uint32_t bits = 0; bits < 0x10000u; ++bits) {
    const auto half = static_cast<Half>(static_cast<std::uint16_t>(bits));
    const float value = to_float(half);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(to_float(to_half(value))));
    } else {
      ASSERT_EQ(to_half(value), half) << bits;
    }
  }
}

TEST(Half, RoundsToTheNearestWithTiesToEven) {
  EXPECT_EQ(to_float(to_half(1.0f)), 1.0f);
  EXPECT_EQ(to_float(to_half(1.0f + 0x1p-11f)), 1.0f);                     // tie, to even
  EXPECT_EQ(to_float(to_half(1.0f + 3 * 0x1p-11f)), 1.0f + 2 * 0x1p-10f);  // tie, to even
  EXPECT_EQ(to_float(to_half(1.0f + 0x1.1p-11f)), 1.0f + 0x1p-10f);
  EXPECT_EQ(to_float(to_half(65504.0f)), 65504.0f);
  EXPECT_EQ(to_float(to_half(65519.0f)), 65504.0f);
  EXPECT_EQ(to_float(to_half(65520.0f)), std::numeric_limits<float>::infinity());
  EXPECT_EQ(to_float(to_half(-1e9f)), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(to_float(to_half(0x1p-24f)), 0x1p-24f);
  EXPECT_EQ(to_float(to_half(0x1p-25f)), 0.0f);  // tie, to even
  EXPECT_EQ(to_float(to_half(0x1.8p-24f)), 0x1p-23f);
  EXPECT_TRUE(std::signbit(to_float(to_half(-0.0f))));
}

TEST(Half, RelativeErrorIsAtMost2ToTheMinus11) {
  Random random({.seed = 4});
  for (int i = 0; i < 10000; ++i) {
    const float x = static_cast<float>(std::exp(6 * (random.uniform() - 0.5)) * random.normal());
    if (std::abs(x) < 1e-4f) continue;
    EXPECT_LE(std::abs(to_float(to_half(x)) - x), 0x1p-11f * std::abs(x));
  }
}

}  // namespace
}  // namespace bandolier::kernels_test
