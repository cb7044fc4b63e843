// A pointer to an object of a class hierarchy that copies as a value does: by the object's clone().
#pragma once

#include <memory>
#include <utility>

namespace bandolier {

template <class T>
class Cloned {
 public:
  explicit Cloned(std::unique_ptr<T> object) : object_(std::move(object)) {}
  Cloned(const Cloned& other) : object_(other.object_->clone()) {}
  Cloned(Cloned&&) = default;
  Cloned& operator=(const Cloned& other) { return *this = Cloned(other); }
  Cloned& operator=(Cloned&&) = default;

  T& operator*() { return *object_; }
  const T& operator*() const { return *object_; }
  T* operator->() { return object_.get(); }
  const T* operator->() const { return object_.get(); }

 private:
  std::unique_ptr<T> object_;
};

}  // namespace bandolier
