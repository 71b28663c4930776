#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "game/point_set.h"
#include "game/random.h"

namespace tengen {

enum class Bound : std::uint8_t { kNone, kUpper, kLower, kExact };

/// What the table remembers of a position that was searched to `depth`.
struct HashEntry {
    std::uint64_t key = 0;
    std::int32_t score = 0;
    Cell move = kNoCell;
    std::int8_t depth = 0;
    std::uint8_t generation : 6 = 0;
    Bound bound : 2 = Bound::kNone;
};
static_assert(sizeof(HashEntry) == 16);

/// The transposition table: buckets of four entries, one cache line each.
///
/// Every search is a new generation; the places of older entries are taken first. After `new_search` the keys are
/// salted with it: entries of older searches cannot be found, so that a search gives the same answer whatever was
/// searched before, and the table never has to be cleared. After `next_search` they can, for searches that go on with a
/// game.
class TranspositionTable {
public:
    explicit TranspositionTable(int megabytes) {
        std::size_t buckets = 1;
        while (2 * buckets * sizeof(Bucket) <= static_cast<std::size_t>(megabytes) << 20) buckets *= 2;
        buckets_.resize(buckets);
    }

    void new_search() { salt_ = split_mix(++generation_); }
    void next_search() { ++generation_; }

    /// The entry of this position, or null. For `store` to change nothing in between is the caller's business.
    const HashEntry* find(std::uint64_t hash) const {
        const std::uint64_t key = hash ^ salt_;
        for (const HashEntry& entry : bucket(key)) {
            if (entry.key == key && entry.bound != Bound::kNone) return &entry;
        }
        return nullptr;
    }

    void store(std::uint64_t hash, int score, Bound bound, int depth, Cell move) {
        const std::uint64_t key = hash ^ salt_;
        Bucket& entries = buckets_[key & (buckets_.size() - 1)];
        HashEntry* place = &entries[0];
        for (HashEntry& entry : entries) {
            if (entry.key == key) {
                place = &entry;
                break;
            }
            if (worth(entry) < worth(*place)) place = &entry;
        }
        if (move == kNoCell && place->key == key) move = place->move;
        place->key = key;
        place->score = score;
        place->move = move;
        place->depth = static_cast<std::int8_t>(depth);
        place->generation = age();
        place->bound = bound;
    }

private:
    struct alignas(64) Bucket : std::array<HashEntry, 4> {};

    const Bucket& bucket(std::uint64_t key) const { return buckets_[key & (buckets_.size() - 1)]; }
    std::uint8_t age() const { return generation_ & 63; }
    int worth(const HashEntry& entry) const {
        if (entry.bound == Bound::kNone) return -256;
        return entry.depth - (entry.generation == age() ? 0 : 128);
    }

    std::vector<Bucket> buckets_;
    std::uint64_t generation_ = 0;
    std::uint64_t salt_ = 0;
};

}  // namespace tengen
