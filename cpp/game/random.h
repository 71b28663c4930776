#pragma once

#include <cstdint>

namespace tengen {

/// SplitMix64 (Steele, Lea, Flood 2014): turns any counter into well mixed bits. Used for seeds and hash keys, so its
/// output is part of the signature that `tengen bench` prints.
constexpr std::uint64_t split_mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}

/// A small, fast, seedable generator (xorshift64*): the same sequence on every machine, unlike <random>'s
/// distributions.
class Random {
public:
    explicit constexpr Random(std::uint64_t seed) : state_(split_mix(seed) | 1) {}

    constexpr std::uint64_t next() {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545F4914F6CDD1Dull;
    }

    /// Uniform in [0, bound).
    constexpr std::uint32_t below(std::uint32_t bound) {
        return static_cast<std::uint32_t>((next() >> 32) * bound >> 32);
    }

    /// Uniform in [0, 1).
    constexpr float uniform() { return static_cast<float>(next() >> 40) * 0x1p-24f; }

    /// Gamma distributed with this shape and scale 1 (Marsaglia and Tsang 2000); shares of several are Dirichlet noise.
    float gamma(float shape);

private:
    float normal();

    std::uint64_t state_;
};

}  // namespace tengen
