// Every vector operation of this instruction set against its definition, lane by lane: all results must be equal bit
// for bit, since the same network must give the same numbers on every machine. Ends with "ok".

#include "nn/simd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "game/random.h"

using namespace tengen;
using namespace tengen::simd;

namespace {

constexpr int kRounds = 2000;

template <class T, std::size_t kCount>
using Array = std::array<T, kCount>;

template <class T, std::size_t kCount>
void check(const Array<T, kCount>& found, const Array<T, kCount>& expected, const char* what) {
    if (std::memcmp(found.data(), expected.data(), sizeof found) == 0) return;
    std::fprintf(stderr, "failed: %s of %zu lanes\n", what, kCount);
    std::exit(1);
}

template <class Vector, class T, std::size_t kCount>
Array<T, kCount> lanes(const Vector& vector) {
    Array<T, kCount> result;
    vector.store(result.data());
    return result;
}

/// Applies a function to each lane.
template <class T, std::size_t kCount, class F>
Array<T, kCount> map(F&& f) {
    Array<T, kCount> result;
    for (std::size_t i = 0; i < kCount; ++i) result[i] = static_cast<T>(f(i));
    return result;
}

/// What all kinds of vectors have.
template <class Vector, class T, std::size_t kCount>
void check_arithmetic(const Array<T, kCount>& a, const Array<T, kCount>& b) {
    const Vector x = Vector::load(a.data()), y = Vector::load(b.data());
    check(lanes<Vector, T, kCount>(x), a, "load and store");
    check(lanes<Vector, T, kCount>(Vector::broadcast(a[0])), map<T, kCount>([&](int) { return a[0]; }), "broadcast");
    check(lanes<Vector, T, kCount>(x + y), map<T, kCount>([&](int i) { return a[i] + b[i]; }), "a + b");
    check(lanes<Vector, T, kCount>(max(x, y)), map<T, kCount>([&](int i) { return std::max(a[i], b[i]); }), "max");
}

template <class Vector, std::size_t kCount>
void check_shorts(Random& random) {
    const auto a = map<std::int16_t, kCount>([&](int) { return random.next(); });
    const auto b = map<std::int16_t, kCount>([&](int) { return random.next() % 0xffff - 0x7fff; });  // never -2^15
    check_arithmetic<Vector>(a, b);
    const Vector x = Vector::load(a.data()), y = Vector::load(b.data());
    using Shorts = std::int16_t;
    const auto with = [&](auto f) { return map<Shorts, kCount>([&](int i) { return f(a[i], b[i]); }); };
    check(lanes<Vector, Shorts, kCount>(x - y), with([](int p, int q) { return p - q; }), "a - b");
    check(lanes<Vector, Shorts, kCount>(min(x, y)), with([](int p, int q) { return std::min(p, q); }), "min");
    check(lanes<Vector, Shorts, kCount>(multiply_high(x, y)), with([](int p, int q) { return (p * q + 0x4000) >> 15; }),
          "multiply_high");
    check(lanes<Vector, Shorts, kCount>(x.times_four()), with([](int p, int) { return p * 4; }), "times_four");
}

template <class Vector, std::size_t kCount>
void check_words(Random& random) {
    // As large as the weights and features of a network make them.
    const auto number = [&](int) { return static_cast<std::int32_t>(random.next()) >> 3; };
    const auto a = map<std::int32_t, kCount>(number), b = map<std::int32_t, kCount>(number);
    check_arithmetic<Vector>(a, b);
    const Vector x = Vector::load(a.data()), y = Vector::load(b.data());
    using Words = std::int32_t;
    check(lanes<Vector, Words, kCount>(x.template shift_right<11>()),
          map<Words, kCount>([&](int i) { return a[i] >> 11; }), "shift_right");
    const auto low = [](Words word) { return static_cast<Words>(static_cast<std::int16_t>(word)); };
    const auto products = [&](int i) { return low(a[i]) * low(b[i]) + (a[i] >> 16) * (b[i] >> 16); };
    const Vector sum = Vector::broadcast(a[1]);
    check(lanes<Vector, Words, kCount>(dot(sum, x, y)), map<Words, kCount>([&](int i) { return a[1] + products(i); }),
          "dot");
}

template <class Vector, class Words, std::size_t kCount>
void check_floats(Random& random) {
    const auto number = [&](int) { return (static_cast<float>(random.next() & 0xffffff) - 0x800000) * 0x1p-9f; };
    const auto a = map<float, kCount>(number), b = map<float, kCount>(number);
    check_arithmetic<Vector>(a, b);
    const Vector x = Vector::load(a.data()), y = Vector::load(b.data());
    check(lanes<Vector, float, kCount>(x * y), map<float, kCount>([&](int i) { return a[i] * b[i]; }), "a * b");
    check(lanes<Vector, float, kCount>(min(x, y)), map<float, kCount>([&](int i) { return std::min(a[i], b[i]); }),
          "min");
    const auto rounded = map<std::int32_t, kCount>([&](int i) { return std::lrint(a[i]); });  // halves to even
    check(lanes<Words, std::int32_t, kCount>(x.round()), rounded, "round");
    check(lanes<Vector, float, kCount>(Vector::from(Words::load(rounded.data()))),
          map<float, kCount>([&](int i) { return static_cast<float>(rounded[i]); }), "from");
    auto fold = a;  // the halves onto each other, and at last the pairs
    for (std::size_t width = kCount / 2; width >= 1; width /= 2) {
        for (std::size_t i = 0; i < width; ++i) fold[i] += fold[i + width];
    }
    check(Array<float, 1>{x.sum()}, Array<float, 1>{fold[0]}, "sum");
}

void check_sums(Random& random) {
    Array<F32x16, 8> vectors;
    for (F32x16& vector : vectors) {
        vector =
            F32x16::load(map<float, 16>([&](int) { return static_cast<float>(random.next() >> 40) * 0x1p-7f; }).data());
    }
    Array<float, 8> together;
    sums<8>(vectors.data(), together.data());
    check(together, map<float, 8>([&](int i) { return vectors[i].sum(); }), "sums");
}

void check_widening(Random& random) {
    const auto a = map<std::int16_t, 32>([&](int) { return random.next(); });
    Array<I32x16, 2> both = {I32x16::broadcast(3), I32x16::broadcast(3)};
    accumulate(both.data(), I16x32::load(a.data()));
    accumulate(both.data(), I16x16::load(a.data()));
    accumulate_unsigned(both.data(), I16x32::load(a.data()));
    accumulate_unsigned(both.data(), I16x16::load(a.data()));
    const auto expected = [&](int i) { return 3 + (i < 16 ? 2 : 1) * (a[i] + static_cast<std::uint16_t>(a[i])); };
    check(lanes<I32x16, std::int32_t, 16>(both[0]), map<std::int32_t, 16>(expected), "accumulate, low half");
    check(lanes<I32x16, std::int32_t, 16>(both[1]), map<std::int32_t, 16>([&](int i) { return expected(i + 16); }),
          "accumulate, high half");
}

void check_masks(Random& random) {
    const auto a = map<std::uint32_t, 16>([&](int) { return random.next() % 3; });
    const auto b = map<std::uint32_t, 16>([&](int) { return random.next() % 3; });
    unsigned mask = 0;
    Array<std::uint32_t, 16> gathered{}, expected{};
    int count = 0;
    for (int i = 0; i < 16; ++i) {
        if (a[i] == b[i]) continue;
        mask |= 1u << i;
        expected[count++] = a[i];
    }
    check(Array<unsigned, 1>{differing_words(a.data(), b.data())}, Array<unsigned, 1>{mask}, "differing_words");
    gather_words(mask, a.data(), gathered.data());
    std::fill(gathered.begin() + count, gathered.end(), 0);
    check(gathered, expected, "gather_words");
}

}  // namespace

int main() {
    Random random(20);
    for (int round = 0; round < kRounds; ++round) {
        check_shorts<I16x16, 16>(random);
        check_shorts<I16x32, 32>(random);
        check_words<I32x8, 8>(random);
        check_words<I32x16, 16>(random);
        check_floats<F32x8, I32x8, 8>(random);
        check_floats<F32x16, I32x16, 16>(random);
        check_sums(random);
        check_widening(random);
        check_masks(random);
    }
    std::puts("ok");
}
