#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "game/board.h"
#include "protocol/position.h"
#include "protocol/settings.h"

namespace tengen {

/// Something that needs time.
struct Question {
    enum class Kind {
        kPrepare,  ///< a new game on `board`
        kMove,
        kSwap2,  ///< `board` has 0, 3 or 5 stones
    };
    Kind kind;
    Board board;
    EngineSettings settings;  ///< as they were when the question came
    double deadline;          ///< when the search should end, on the engine's clock
    int best;                 ///< how many moves to tell about, 0 for none
    int game;                 ///< changes whenever nothing of the searches before may be used
};

/// What came out of a question.
struct Answer {
    std::vector<Cell> moves = {};            ///< to play; none means to swap, or that a preparation is done
    std::vector<std::string> messages = {};  ///< what to tell people about it
    std::string error = {};                  ///< why there is no answer, if there is none
};

using Lines = std::vector<std::string>;

/// One side of the Gomocup (Piskvork) protocol, with the extensions that Yixin brought into use: lines in, lines out,
/// no input or output of its own. Key methods: `receive` and `answer`.
///
/// `receive` takes a line and returns the lines to send at once. When it leaves a `question`, whoever runs the engine
/// thinks about it and gives the result to `answer`, which returns lines too. Meanwhile lines are received as always:
/// INFO, ABOUT, YXSHOWINFO, YXSTOP and END act at once, all others wait for their turn; INFO waits too while a command
/// that came before it does.
class Engine {
public:
    using Clock = std::function<double()>;  ///< seconds

    explicit Engine(Clock now);

    static std::string about();

    /// Takes one line that came at some moment, from which the time of a move runs; returns what to send at once.
    Lines receive(std::string_view line, double arrived);
    Lines receive(std::string_view line) { return receive(line, now_()); }
    /// Ends the question, and goes on with the lines that came meanwhile.
    Lines answer(const Answer& answer);
    /// What can be made ready before the next command, because the rule comes after START; it needs no answer.
    Question preparation();

    double now() const { return now_(); }
    /// What to think about.
    const std::optional<Question>& question() const { return question_; }
    /// Should the question be answered now, with what is known?
    bool hurry() const { return hurry_; }
    /// The position to think about in the opponent's time.
    const std::optional<Board>& ponder() const { return ponder_; }
    /// There is nothing more to find in it.
    void end_pondering() { ponder_.reset(); }
    /// Has END come?
    bool closed() const { return closed_; }
    /// Has INFO changed something since the last `preparation`?
    bool outdated() const { return outdated_; }

private:
    using Command = Lines (Engine::*)(std::string_view rest);

    /// A line that came while the engine was thinking.
    struct Waiting {
        std::string line;
        double arrived;
        bool hurry;  ///< YXSTOP came after it
    };
    /// The lines from BOARD, YXBOARD or SWAP2BOARD to DONE.
    struct Block {
        std::string name;
        std::vector<std::pair<Point, bool>> stones;  ///< and whether they are the engine's own
        std::string error;                           ///< the first thing that was wrong

        void read(std::string_view line);
        /// What is wrong with a stone of these numbers; nothing if it is taken.
        std::string take(int x, int y, int owner);
    };

    static const std::map<std::string, Command, std::less<>>& commands();
    static const std::map<std::string, Command, std::less<>>& commands_at_once();

    Lines act(std::string_view line, double arrived);
    Lines conclude(const Question& question, const Answer& answer);

    Lines info(std::string_view rest);
    Lines say_about(std::string_view rest);
    Lines show_info(std::string_view rest);
    Lines stop(std::string_view rest);
    Lines end(std::string_view rest);

    Lines start(std::string_view rest);
    Lines rect_start(std::string_view rest);
    Lines restart(std::string_view rest);
    Lines begin(std::string_view rest);
    Lines turn(std::string_view rest);
    Lines play(std::string_view rest);
    Lines take_back(std::string_view rest);
    Lines n_best(std::string_view rest);
    Lines show_forbidden(std::string_view rest);
    Lines clear_hash(std::string_view rest);
    Lines open_board(std::string_view rest);
    Lines open_yxboard(std::string_view rest);
    Lines open_swap2board(std::string_view rest);

    Lines new_game(int width, int height);
    Lines open_block(std::string name);
    Lines close_block();
    Lines set_position(const Block& block);
    Lines ask_swap2(const Block& block);
    Lines ask_for_move(int best = 0);
    Position& started();
    Question new_question(Question::Kind kind, const Board& board, int best = 0);

    Clock now_;
    EngineSettings settings_;
    std::optional<Question> question_;
    std::optional<Board> ponder_;
    bool hurry_ = false, closed_ = false, outdated_ = false;
    std::optional<Position> position_;
    std::optional<Block> block_;
    std::deque<Waiting> backlog_;
    int game_ = 0;
    double arrived_ = 0;  ///< when the command that is being obeyed came
    double spent_ = 0;    ///< seconds of thinking in this game
};

}  // namespace tengen
