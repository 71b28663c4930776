// Search and solvers for JavaScript, in the thread that calls them. Parameters are an object with the names of
// tengen.search.SearchParams.

#include <emscripten/bind.h>

#include <memory>

#include "levels/level.h"
#include "protocol/game_search.h"
#include "protocol/shipped_networks.h"
#include "threats/vcf.h"
#include "threats/vct.h"
#include "values.h"

using emscripten::val;

namespace tengen {
namespace {

constexpr int kLog2TableEntries = 18;

std::unique_ptr<Evaluator> evaluator_of(const Board& board) {
    return best_evaluator(shipped_networks(), board.rules().rule, board.width());
}

val proof_name(Proof proof) {
    switch (proof) {
        case Proof::kWin: return val("win");
        case Proof::kLoss: return val("loss");
        case Proof::kDraw: return val("draw");
        default: return val::null();
    }
}

val end_name(SearchEnd end) {
    switch (end) {
        case SearchEnd::kSolved: return val("solved");
        case SearchEnd::kOnlyMove: return val("only-move");
        case SearchEnd::kPlayouts: return val("playouts");
        case SearchEnd::kTime: return val("time");
        case SearchEnd::kStopped: return val("stopped");
        case SearchEnd::kMemory: return val("memory");
        default: return val::null();
    }
}

Proof opposite(Proof proof) {
    return proof == Proof::kWin ? Proof::kLoss : proof == Proof::kLoss ? Proof::kWin : proof;
}

/// A tree that follows a game.
class Search {
public:
    Search(const Board& board, const val& params)
        : Search(board, evaluator_of(board), search_params(params), knowledge_params(params)) {}
    Search(const Board& board, std::unique_ptr<Evaluator> evaluator, const SearchParams& params,
           const KnowledgeParams& knowledge)
        : misere_(knowledge.misere), search_(std::move(evaluator), params, knowledge, board) {}

    void take(const Board& board) { search_.set_position(board); }
    void begin(double playouts, double seconds, bool only_move_ends) {
        search_.begin(
            {.playouts = static_cast<std::int64_t>(playouts), .seconds = seconds, .only_move_ends = only_move_ends});
    }
    void step(double seconds) { search_.work(seconds); }
    void stop() { search_.stop(); }
    std::vector<MoveReport> moves(int best) const { return search_.report(best, 1).moves; }

    /// What is known. A search for a loss counts losses as wins; what it reports is about the real game.
    val report(int best, int line) const {
        const SearchReport report = search_.report(best, line);
        val result = val::object();
        result.set("value", sign() * report.value);
        result.set("proof", proof_name(real(report.proof)));
        result.set("playouts", static_cast<double>(report.playouts));
        result.set("seconds", report.seconds);
        result.set("depth", report.depth);
        result.set("ended", end_name(report.ended));
        val moves = val::array();
        int count = 0;
        for (const MoveReport& move : report.moves) moves.set(count++, described(move));
        result.set("moves", moves);
        return result;
    }

private:
    float sign() const { return misere_ ? -1 : 1; }
    Proof real(Proof proof) const { return misere_ ? opposite(proof) : proof; }
    val described(const MoveReport& move) const {
        val result = val::object();
        result.set("move", static_cast<int>(move.move));
        result.set("visits", static_cast<double>(move.visits));
        result.set("value", sign() * move.value);
        result.set("prior", move.prior);
        result.set("proof", proof_name(real(move.proof)));
        result.set("line", cells(move.line));
        return result;
    }

    bool misere_;
    GameSearch search_;
};

Search* new_level_search(const LevelTurn& turn, const Board& board, double memory) {
    std::unique_ptr<Evaluator> evaluator = turn.own_evaluator();
    if (!evaluator) evaluator = evaluator_of(board);
    const SearchParams params = turn.search_params(static_cast<std::int64_t>(memory));
    return new Search(board, std::move(evaluator), params, turn.knowledge_params());
}

LevelTurn* new_level_turn(double level, double seed, int ply) {
    return new LevelTurn(find_level(level), static_cast<std::uint64_t>(seed), ply);
}

double playouts(const LevelTurn& turn) {
    return static_cast<double>(turn.level().playouts);
}

double seconds(const LevelTurn& turn) {
    return turn.level().seconds;
}

int candidates(const LevelTurn&) {
    return LevelTurn::kCandidates;
}

int choose_move(LevelTurn& turn, const Search& search) {
    const std::vector<MoveReport> moves = search.moves(LevelTurn::kCandidates);
    return moves[turn.choose(moves)].move;
}

/// Looks for a forced win; what was found out about a position is used when it is asked about again.
class Solver {
public:
    explicit Solver(const Board& board) : Solver(board, kLog2TableEntries) {}
    Solver(const Board& board, int log2_table_entries)
        : board_(board),
          evaluator_(evaluator_of(board)),
          guided_(board.with_radius(evaluator_->window_radius())),
          vcf_(log2_table_entries),
          vct_(log2_table_entries) {}

    /// Another position of the same game.
    void take(const Board& board) {
        board_ = board;
        guided_ = board.with_radius(evaluator_->window_radius());
    }

    /// The points that may answer what the side that is not to move threatens to win with by fours; empty if nothing.
    val defences(double max_nodes) {
        const ThreatResult threat =
            vcf_.solve_for(board_, opponent(board_.turn()), static_cast<std::int64_t>(max_nodes));
        return cells(threat.status == ThreatResult::kWin ? vcf_.defences(board_).members() : std::vector<Cell>());
    }

    val solve(const std::string& kind, double max_nodes, double max_seconds) {
        const ThreatLimits limits{static_cast<std::int64_t>(max_nodes), max_seconds};
        const bool fours = kind == "vcf";
        const ThreatResult found =
            fours ? vcf_.solve(board_, limits) : vct_.solve(guided_, limits, evaluator_->guide());
        val result = val::object();
        const bool won = found.status == ThreatResult::kWin;
        result.set("status", won ? "win" : found.status == ThreatResult::kNone ? "none" : "unknown");
        result.set("nodes", static_cast<double>(found.nodes));
        result.set("line", cells(!won ? std::vector<Cell>() : fours ? vcf_.line(board_) : vct_.line(guided_)));
        return result;
    }

private:
    Board board_;
    std::unique_ptr<Evaluator> evaluator_;
    Board guided_;
    Vcf vcf_;
    Vct vct_;
};

}  // namespace

EMSCRIPTEN_BINDINGS(search) {
    emscripten::class_<Search>("Search")
        .constructor<const Board&, val>()
        .function("take", &Search::take)
        .function("begin", &Search::begin)
        .function("step", &Search::step)
        .function("stop", &Search::stop)
        .function("report", &Search::report);
    emscripten::class_<LevelTurn>("LevelTurn")
        .constructor(&new_level_turn, emscripten::allow_raw_pointers())
        .property("playouts", &playouts)
        .property("seconds", &seconds)
        .property("candidates", &candidates)
        .function("newSearch", &new_level_search, emscripten::allow_raw_pointers())
        .function("choose", &choose_move);
    emscripten::class_<Solver>("Solver")
        .constructor<const Board&>()
        .constructor<const Board&, int>()
        .function("take", &Solver::take)
        .function("defences", &Solver::defences)
        .function("solve", &Solver::solve);
}

}  // namespace tengen
