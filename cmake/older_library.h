// What the core uses of C++20's library, for a library that does not have it yet: libc++ 14, as in the emscripten of
// Debian 12. CMake includes this before every file where the algorithms of std::ranges are missing.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) {
    return __builtin_bit_cast(To, from);
}

}  // namespace std

namespace std::ranges {

struct as_it_is {
    template <class T>
    constexpr T&& operator()(T&& value) const {
        return std::forward<T>(value);
    }
};

template <class Compare, class Projection>
auto by(Compare& compare, Projection& projection) {
    return [&](const auto& a, const auto& b) {
        return bool(std::invoke(compare, std::invoke(projection, a), std::invoke(projection, b)));
    };
}

template <class Range, class Compare = std::less<>, class Projection = as_it_is>
void sort(Range&& range, Compare compare = {}, Projection projection = {}) {
    std::sort(std::begin(range), std::end(range), by(compare, projection));
}

template <class Range, class Compare = std::less<>, class Projection = as_it_is>
void stable_sort(Range&& range, Compare compare = {}, Projection projection = {}) {
    std::stable_sort(std::begin(range), std::end(range), by(compare, projection));
}

template <class Range, class Compare = std::less<>, class Projection = as_it_is>
auto min_element(Range&& range, Compare compare = {}, Projection projection = {}) {
    return std::min_element(std::begin(range), std::end(range), by(compare, projection));
}

template <class Range, class Compare = std::less<>, class Projection = as_it_is>
auto max_element(Range&& range, Compare compare = {}, Projection projection = {}) {
    return std::max_element(std::begin(range), std::end(range), by(compare, projection));
}

template <class Range, class Target, class Predicate>
void copy_if(Range&& range, Target target, Predicate predicate) {
    std::copy_if(std::begin(range), std::end(range), target,
                 [&](const auto& entry) { return bool(std::invoke(predicate, entry)); });
}

template <class Range, class Predicate>
auto find_if(Range&& range, Predicate predicate) {
    return std::find_if(std::begin(range), std::end(range),
                        [&](const auto& entry) { return bool(std::invoke(predicate, entry)); });
}

template <class Range, class Value, class Projection = as_it_is>
auto find(Range&& range, const Value& value, Projection projection = {}) {
    return find_if(range, [&](const auto& entry) { return std::invoke(projection, entry) == value; });
}

template <class Range, class Value, class Projection = as_it_is>
auto count(Range&& range, const Value& value, Projection projection = {}) {
    return std::count_if(std::begin(range), std::end(range),
                         [&](const auto& entry) { return std::invoke(projection, entry) == value; });
}

template <class Range, class Predicate>
bool any_of(Range&& range, Predicate predicate) {
    return find_if(range, predicate) != std::end(range);
}

template <class Range, class Predicate>
bool none_of(Range&& range, Predicate predicate) {
    return !any_of(range, predicate);
}

template <class Range, class Predicate>
bool all_of(Range&& range, Predicate predicate) {
    return none_of(range, [&](const auto& entry) { return !std::invoke(predicate, entry); });
}

template <class Range, class Function>
void for_each(Range&& range, Function function) {
    for (auto&& entry : range) std::invoke(function, entry);
}

template <class Range, class Value>
void fill(Range&& range, const Value& value) {
    std::fill(std::begin(range), std::end(range), value);
}

template <class Range, class Output>
Output copy(Range&& range, Output output) {
    return std::copy(std::begin(range), std::end(range), output);
}

template <class Range, class Output>
Output move(Range&& range, Output output) {
    return std::move(std::begin(range), std::end(range), output);
}

template <class Range, class Value>
bool binary_search(Range&& range, const Value& value) {
    return std::binary_search(std::begin(range), std::end(range), value);
}

}  // namespace std::ranges
