#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace cardpit {

/// Random numbers from a seed: xoshiro128** 1.1 by Blackman and Vigna, the same numbers in every kit.
///
/// Its state is the first 16 bytes of the seed, as four numbers, big end first. It is a uniform random bit generator,
/// so that it serves the standard library too.
class Random {
 public:
  using result_type = std::uint32_t;

  /// Throws std::invalid_argument for a seed of less than 16 bytes, or one that begins with 16 zeros.
  explicit Random(std::string_view seed) {
    for (std::size_t place = 0; place < 16 && place < seed.size(); ++place) {
      state_[place / 4] = state_[place / 4] << 8 | static_cast<unsigned char>(seed[place]);
    }
    if (seed.size() < 16 || state_ == std::array<std::uint32_t, 4>{}) {
      throw std::invalid_argument("a seed of " + std::to_string(seed.size()) +
                                  " bytes: at least 16 are needed, the first 16 not all zero");
    }
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  /// Returns a number from 0 to 2^32 - 1.
  result_type operator()() {
    const auto [a, b, c, d] = state_;
    state_ = {a ^ d ^ b, b ^ c ^ a, c ^ a ^ (b << 9), std::rotl(d ^ b, 11)};
    return std::rotl(b * 5, 7) * 9;
  }

  /// Returns a number from 0 to `bound - 1`, each as likely as the others.
  /// Throws std::invalid_argument unless `bound` is 1 to 2^32.
  std::size_t below(std::uint64_t bound) {
    constexpr std::uint64_t kAll = std::uint64_t{1} << 32;
    if (bound < 1 || bound > kAll) {
      throw std::invalid_argument("a number below " + std::to_string(bound) + ": allowed is a bound of 1 to 2^32");
    }
    for (const std::uint64_t limit = kAll - kAll % bound;;) {
      if (const std::uint64_t value = (*this)(); value < limit) {
        return value % bound;
      }
    }
  }

  /// Puts the items of a vector or an array into a random order, each order as likely as the others.
  template <typename Items>
  void shuffle(Items& items) {
    for (std::size_t last = items.size(); last-- > 1;) {
      using std::swap;
      swap(items[last], items[below(last + 1)]);
    }
  }

 private:
  std::array<std::uint32_t, 4> state_{};
};

}  // namespace cardpit
