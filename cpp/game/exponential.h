#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tengen {

/// e^x for x <= 0 to seven digits, in plain arithmetic so that every instruction set gives the same bits and the loop
/// around it is vectorised: 2^(x / ln 2) split into an exponent and a polynomial for the fraction.
inline float exp_nonpositive(float x) {
    const float scaled = std::max(x * 1.44269504f, -126.0f);
    const float whole = static_cast<float>(static_cast<std::int32_t>(scaled - 0.5f));  // rounds to nearest: scaled <= 0
    const float f = scaled - whole;
    float power = 1.5403530e-4f;
    power = power * f + 1.3333558e-3f;
    power = power * f + 9.6181291e-3f;
    power = power * f + 5.5504109e-2f;
    power = power * f + 2.4022651e-1f;
    power = power * f + 6.9314718e-1f;
    power = power * f + 1.0f;
    const std::uint32_t exponent = static_cast<std::uint32_t>(static_cast<std::int32_t>(whole) + 127) << 23;
    return power * std::bit_cast<float>(exponent);
}

}  // namespace tengen
