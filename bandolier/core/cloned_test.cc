#include "bandolier/core/cloned.h"

#include <gtest/gtest.h>

namespace bandolier::cloned_test {
namespace {

struct Animal {
  virtual ~Animal() = default;
  virtual int legs() const = 0;
  virtual std::unique_ptr<Animal> clone() const = 0;
  int age = 0;
};
template <int kLegs>
struct With final : Animal {
  int legs() const override { return kLegs; }
  std::unique_ptr<Animal> clone() const override { return std::make_unique<With>(*this); }
};

TEST(Cloned, ACopyIsOfTheSameClassAndItsOwn) {
  Cloned<Animal> first(std::make_unique<With<8>>());
  first->age = 3;
  Cloned<Animal> second = first;
  EXPECT_EQ(second->legs(), 8);
  EXPECT_EQ(second->age, 3);
  first->age = 4;
  EXPECT_EQ(second->age, 3);
  second->age = 5;
  EXPECT_EQ((*first).age, 4);
}

TEST(Cloned, AssignmentTakesTheOthersClassAndLeavesTheOther) {
  Cloned<Animal> first(std::make_unique<With<8>>());
  const Cloned<Animal> second(std::make_unique<With<2>>());
  first = second;
  first->age = 1;
  EXPECT_EQ(first->legs(), 2);
  EXPECT_EQ(second->age, 0);
  const Cloned<Animal>& same = first;
  first = same;
  EXPECT_EQ(first->legs(), 2);
  EXPECT_EQ(first->age, 1);
}

TEST(Cloned, AMoveKeepsTheObjectItself) {
  Cloned<Animal> first(std::make_unique<With<8>>());
  const Animal* object = &*first;
  const Cloned<Animal> second = std::move(first);
  EXPECT_EQ(&*second, object);
}

}  // namespace
}  // namespace bandolier::cloned_test
