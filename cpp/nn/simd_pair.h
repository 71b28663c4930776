#pragma once

#include <cstdint>

// Wide vectors of narrow ones, for machines without the wide ones; see simd.h.
namespace tengen::simd {

/// Two vectors that act as one of twice the width.
template <class Self, class Half, class T, int kHalf>
struct Pair {
    Half low, high;
    Pair() = default;
    Pair(Half low_half, Half high_half) : low(low_half), high(high_half) {}
    static Self load(const T* from) { return {Half::load(from), Half::load(from + kHalf)}; }
    static Self broadcast(T x) { return {Half::broadcast(x), Half::broadcast(x)}; }
    void store(T* to) const {
        low.store(to);
        high.store(to + kHalf);
    }
    friend Self operator+(const Self& a, const Self& b) { return {a.low + b.low, a.high + b.high}; }
    friend Self operator-(const Self& a, const Self& b) { return {a.low - b.low, a.high - b.high}; }
    friend Self operator*(const Self& a, const Self& b) { return {a.low * b.low, a.high * b.high}; }
    friend Self max(const Self& a, const Self& b) { return {max(a.low, b.low), max(a.high, b.high)}; }
    friend Self min(const Self& a, const Self& b) { return {min(a.low, b.low), min(a.high, b.high)}; }
};

template <class Self, class Half, int kHalf>
struct ShortsPair : Pair<Self, Half, std::int16_t, kHalf> {
    using Pair<Self, Half, std::int16_t, kHalf>::Pair;
    friend Self multiply_high(const Self& a, const Self& b) {
        return {multiply_high(a.low, b.low), multiply_high(a.high, b.high)};
    }
    Self times_four() const { return {this->low.times_four(), this->high.times_four()}; }
};

template <class Self, class Half, int kHalf>
struct WordsPair : Pair<Self, Half, std::int32_t, kHalf> {
    using Pair<Self, Half, std::int32_t, kHalf>::Pair;
    template <int kBits>
    Self shift_right() const {
        return {this->low.template shift_right<kBits>(), this->high.template shift_right<kBits>()};
    }
    friend Self dot(const Self& sum, const Self& a, const Self& b) {
        return {dot(sum.low, a.low, b.low), dot(sum.high, a.high, b.high)};
    }
};

template <class Self, class Half, class Words, int kHalf>
struct FloatsPair : Pair<Self, Half, float, kHalf> {
    using Pair<Self, Half, float, kHalf>::Pair;
    static Self from(const Words& x) { return {Half::from(x.low), Half::from(x.high)}; }
    Words round() const { return {this->low.round(), this->high.round()}; }
    float sum() const { return (this->low + this->high).sum(); }
};

}  // namespace tengen::simd
