// A value that copies share until one of them writes: a snapshot for readers costs only what has
// changed since.
//
// Copies may be read and destroyed on any thread while one of them is written on another: a writer
// that shares its value makes a copy of its own first, and one that is alone writes in place. One
// CopyOnWrite object itself is not for several threads at once. A write without sharers allocates
// nothing.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace bandolier {

template <class T>
class CopyOnWrite {
 public:
  CopyOnWrite() : CopyOnWrite(T{}) {}
  explicit CopyOnWrite(T value) : shared_(new Shared(std::move(value))) {}
  CopyOnWrite(const CopyOnWrite& other) : shared_(other.shared_) {
    shared_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  CopyOnWrite& operator=(const CopyOnWrite& other) {
    CopyOnWrite copy(other);
    std::swap(shared_, copy.shared_);
    return *this;
  }
  ~CopyOnWrite() { release(); }

  const T& operator*() const { return shared_->value; }
  const T* operator->() const { return &shared_->value; }

  T& write() {
    // acquire: a reader that has just let go has done all its reading before this writes.
    if (shared_->owners.load(std::memory_order_acquire) != 1) {
      auto own = std::make_unique<Shared>(shared_->value);
      release();
      shared_ = own.release();
    }
    return shared_->value;
  }

 private:
  struct Shared {
    T value;
    std::atomic<std::size_t> owners{1};
    explicit Shared(T v) : value(std::move(v)) {}
  };

  void release() {
    if (shared_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete shared_;
  }

  Shared* shared_;
};

}  // namespace bandolier
