#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "game/point_set.h"

namespace tengen {

/// What proof-number search knows of a position: a lower bound of the leaves still to be proven for a win of the
/// attacker, and of those to be disproven against it.
struct ProofNumbers {
    static constexpr std::uint32_t kInfinite = 100'000'000;

    std::uint32_t proof = 1;
    std::uint32_t disproof = 1;
    std::int16_t length = 0;  ///< of a won position: plies to the five as the proof has it
    Cell move = kNoCell;      ///< of a won position with the attacker to move: the move that wins
    bool by_fours = false;    ///< of a won position: the VCF solver found the win

    bool won() const { return proof == 0; }
    bool lost() const { return disproof == 0; }

    static ProofNumbers win(int length, Cell move, bool by_fours) {
        return {0, kInfinite, static_cast<std::int16_t>(length), move, by_fours};
    }
    static ProofNumbers loss() { return {kInfinite, 0}; }
    /// Not to be looked at any further, and yet not lost: nor is what rests on it.
    static ProofNumbers given_up() { return {kInfinite, 1}; }
    static std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return std::min(kInfinite, a + b); }
};

/// The positions of a proof-number search by their full 64-bit keys, four to a bucket; the one that is cheapest to
/// find again (smallest numbers of work) gives way.
class ProofTable {
public:
    explicit ProofTable(int log2_entries) : entries_(std::size_t{1} << log2_entries), mask_(entries_.size() - 1) {}

    bool find(std::uint64_t key, ProofNumbers* proof) const {
        const std::size_t bucket = (key & mask_) & ~(kWays - 1);
        for (std::size_t i = bucket; i < bucket + kWays; ++i) {
            if (entries_[i].key != key || entries_[i].work == 0) continue;
            *proof = entries_[i].proof;
            return true;
        }
        return false;
    }

    void store(std::uint64_t key, const ProofNumbers& proof, std::uint32_t work) {
        const std::size_t bucket = (key & mask_) & ~(kWays - 1);
        std::size_t worst = bucket;
        for (std::size_t i = bucket; i < bucket + kWays; ++i) {
            if (entries_[i].key == key) {
                work = std::max(work, entries_[i].work);
                worst = i;
                break;
            }
            if (entries_[i].work < entries_[worst].work) worst = i;
        }
        entries_[worst] = {key, proof, std::max(1u, work)};
    }

    void clear() { std::ranges::fill(entries_, Entry{}); }

private:
    static constexpr std::size_t kWays = 4;
    struct Entry {
        std::uint64_t key = 0;
        ProofNumbers proof;
        std::uint32_t work = 0;  ///< nodes spent below it; 0: unused
    };

    std::vector<Entry> entries_;
    std::size_t mask_;
};

}  // namespace tengen
