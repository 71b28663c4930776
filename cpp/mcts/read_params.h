#pragma once

// Parameters by their names, from whatever has them: a Python object, an object of JavaScript. They are written down
// once in each language.

#include <cmath>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "mcts/params.h"

namespace tengen {

/// How to get a parameter from a kind of source: each defines `static Value get<Value>(const Source&, const char*
/// name)`.
template <class Source>
struct ParameterSource;

template <class Value, class Source>
Value choice(const Source& from, const char* name, std::initializer_list<std::pair<const char*, Value>> values) {
    const auto given = ParameterSource<Source>::template get<std::string>(from, name);
    std::string allowed;
    for (const auto& [key, value] : values) {
        if (given == key) return value;
        allowed += allowed.empty() ? key : std::string(", ") + key;
    }
    throw std::invalid_argument(std::string(name) + " must be one of " + allowed + ", not \"" + given + "\"");
}

/// Reads one parameter. Whatever was checked before, the core gets finite numbers that are not below `least`.
template <class Value, class Source>
void read(const Source& from, const char* name, Value& to, Value least = std::numeric_limits<Value>::lowest()) {
    to = ParameterSource<Source>::template get<Value>(from, name);
    if constexpr (std::is_floating_point_v<Value>) {
        if (!std::isfinite(to)) throw std::invalid_argument(std::string(name) + " must be a finite number");
    }
    if (to < least) {
        throw std::invalid_argument(std::string(name) + " must be at least " + std::to_string(least) + ", not " +
                                    std::to_string(to));
    }
}

template <class Source>
NoiseAt noise_at(const Source& from) {
    return choice<NoiseAt>(from, "noise_at", {{"root", NoiseAt::kRoot}, {"expansions", NoiseAt::kExpansions}});
}

template <class Source>
SearchParams search_params(const Source& from) {
    SearchParams params;
    params.selection = choice<Selection>(from, "selection", {{"puct", Selection::kPuct}, {"uct", Selection::kUct}});
    params.parallelism =
        choice<Parallelism>(from, "parallelism",
                            {{"tree", Parallelism::kTree}, {"root", Parallelism::kRoot}, {"leaf", Parallelism::kLeaf}});
    params.in_flight = choice<InFlight>(from, "in_flight",
                                        {{"wu-uct", InFlight::kUnobserved}, {"virtual-loss", InFlight::kVirtualLoss}});
    read(from, "c_puct", params.c_puct);
    read(from, "c_puct_log", params.c_puct_log);
    read(from, "fpu_reduction", params.fpu_reduction);
    read(from, "fpu_reduction_root", params.fpu_reduction_root);
    params.noise_at = noise_at(from);
    read(from, "virtual_loss", params.virtual_loss);
    read(from, "root_noise", params.root_noise);
    read(from, "root_noise_total_alpha", params.root_noise_total_alpha);
    read(from, "proofs", params.proofs);
    read(from, "graph", params.graph);
    read(from, "lcb_deviations", params.lcb_deviations);
    read(from, "threads", params.threads, 1);
    read(from, "memory", params.memory);
    read(from, "seed", params.seed);
    read(from, "vct_nodes_answer", params.vct_nodes_answer);
    read(from, "doubt_nodes_per_playout", params.doubt_nodes_per_playout);
    return params;
}

template <class Source>
KnowledgeParams knowledge_params(const Source& from) {
    KnowledgeParams params;
    read(from, "threats", params.threats);
    read(from, "vcf_nodes", params.vcf_nodes);
    read(from, "vcf_nodes_root", params.vcf_nodes_root);
    read(from, "vcf_nodes_defence", params.vcf_nodes_defence);
    read(from, "vct_nodes_root", params.vct_nodes_root);
    read(from, "prior_temperature", params.prior_temperature, 1e-3f);
    read(from, "threat_share", params.threat_share);
    read(from, "misere", params.misere);
    return params;
}

}  // namespace tengen
