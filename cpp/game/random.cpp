#include "game/random.h"

#include <cmath>
#include <numbers>

namespace tengen {

float Random::normal() {
    const float radius = std::sqrt(-2 * std::log(uniform() + 0x1p-25f));
    return radius * std::cos(2 * std::numbers::pi_v<float> * uniform());
}

float Random::gamma(float shape) {
    if (shape < 1) return gamma(shape + 1) * std::pow(uniform() + 0x1p-25f, 1 / shape);
    const float d = shape - 1.0f / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
        const float x = normal();
        const float v = (1 + c * x) * (1 + c * x) * (1 + c * x);
        if (v <= 0) continue;
        if (std::log(uniform() + 0x1p-25f) < 0.5f * x * x + d - d * v + d * std::log(v)) return d * v;
    }
}

}  // namespace tengen
