#include "protocol/engine.h"

#include <algorithm>

#include "protocol/text.h"

namespace tengen {
namespace {

constexpr int kMinSide = 5;
constexpr std::size_t kMaxBacklog = 10'000;
constexpr int kMaxHashBits = 30;  // what YXSHOWINFO reports: hash_size up to 2^30 KB
constexpr std::size_t kCoordinateDigits = 9;
constexpr int kOwn = 1, kOpponent = 2, kBlocked = 3;

/// The numbers of a text; throws the complaint if they are not so many.
std::vector<int> integers(std::string_view text, std::size_t count, const char* complaint) {
    std::vector<int> numbers;
    for (const std::string_view field : fields_of(text)) {
        const auto number = to_integer(field, kCoordinateDigits);
        if (!number || field.front() == '+') throw ProtocolError(complaint);
        numbers.push_back(static_cast<int>(*number));
    }
    if (numbers.size() != count) throw ProtocolError(complaint);
    return numbers;
}

Point point(std::string_view text, const std::string& command) {
    const auto numbers = integers(text, 2, (command + " needs a point, like " + command + " 7,7").c_str());
    return {numbers[0], numbers[1]};
}

std::string to_text(Point point) {
    return std::to_string(point.x) + "," + std::to_string(point.y);
}

Point point_of(const Board& board, Cell cell) {
    return {cell % board.width(), cell / board.width()};
}

std::string two_digits(int number) {
    return (number < 10 ? "0" : "") + std::to_string(number);
}

std::string complaint(const std::exception& error) {
    return "ERROR " + printable(error.what(), 200);
}

bool starts_a_game(std::string_view command) {
    return command == "START" || command == "RECTSTART" || command == "RESTART";
}

}  // namespace

Engine::Engine(Clock now) : now_(std::move(now)) {}

std::string Engine::about() {
    return "name=\"Tengen\", version=\"" TENGEN_VERSION "\", author=\"The Tengen founders\", country=\"International\"";
}

const std::map<std::string, Engine::Command, std::less<>>& Engine::commands() {
    static const std::map<std::string, Command, std::less<>> kCommands = {
        {"START", &Engine::start},
        {"RECTSTART", &Engine::rect_start},
        {"RESTART", &Engine::restart},
        {"BEGIN", &Engine::begin},
        {"TURN", &Engine::turn},
        {"PLAY", &Engine::play},
        {"TAKEBACK", &Engine::take_back},
        {"BOARD", &Engine::open_board},
        {"YXBOARD", &Engine::open_yxboard},
        {"SWAP2BOARD", &Engine::open_swap2board},
        {"YXNBEST", &Engine::n_best},
        {"YXSHOWFORBID", &Engine::show_forbidden},
        {"YXHASHCLEAR", &Engine::clear_hash},
    };
    return kCommands;
}

const std::map<std::string, Engine::Command, std::less<>>& Engine::commands_at_once() {
    static const std::map<std::string, Command, std::less<>> kCommands = {
        {"INFO", &Engine::info},   {"ABOUT", &Engine::say_about}, {"YXSHOWINFO", &Engine::show_info},
        {"YXSTOP", &Engine::stop}, {"END", &Engine::end},
    };
    return kCommands;
}

Lines Engine::receive(std::string_view line, double arrived) {
    const auto [word, rest] = first_word(line);
    if (closed_ || word.empty()) return {};
    const std::string command = to_upper(word);
    const auto at_once = commands_at_once().find(command);
    if (at_once != commands_at_once().end() && !(command == "INFO" && !backlog_.empty())) {
        return (this->*at_once->second)(rest);
    }
    ponder_.reset();
    if (!question_) return act(line, arrived);
    if (backlog_.size() >= kMaxBacklog) return {"ERROR too many commands while thinking"};
    backlog_.push_back({std::string(line), arrived, false});
    if (starts_a_game(command)) hurry_ = true;
    return {};
}

Lines Engine::answer(const Answer& answer) {
    const Question question = *std::exchange(question_, {});
    hurry_ = false;
    if (closed_) return {};
    if (question.kind != Question::Kind::kPrepare) spent_ += now_() - arrived_;
    Lines lines;
    for (const std::string& text : answer.messages) lines.push_back("MESSAGE " + text);
    std::ranges::move(conclude(question, answer), std::back_inserter(lines));
    while (!backlog_.empty() && !question_) {
        const Waiting waiting = std::move(backlog_.front());
        backlog_.pop_front();
        std::ranges::move(act(waiting.line, waiting.arrived), std::back_inserter(lines));
        hurry_ = waiting.hurry && question_;
    }
    if (!backlog_.empty()) ponder_.reset();
    return lines;
}

Question Engine::preparation() {
    outdated_ = false;
    const Position& position = started();
    return new_question(Question::Kind::kPrepare, Board(position.width, position.height, {settings_.rule}));
}

Lines Engine::conclude(const Question& question, const Answer& answer) {
    if (!answer.error.empty()) return {"ERROR " + answer.error};
    if (question.kind == Question::Kind::kPrepare) return {"OK"};
    std::string points;
    for (const Cell cell : answer.moves) {
        points += (points.empty() ? "" : " ") + to_text(point_of(question.board, cell));
    }
    if (question.kind == Question::Kind::kSwap2) return {points.empty() ? "SWAP" : points};
    position_->add(point_of(question.board, answer.moves.at(0)), true);
    if (settings_.pondering && backlog_.empty()) {
        Board after = question.board;
        after.play(answer.moves[0]);
        if (!is_over(after)) ponder_ = after;
    }
    return {points};
}

/// Obeys a command that may need its turn.
Lines Engine::act(std::string_view line, double arrived) {
    arrived_ = arrived;
    const auto [word, rest] = first_word(line);
    const std::string command = to_upper(word);
    if (command == "INFO") return info(rest);
    const auto known = commands().find(command);
    Lines lines;
    if (block_) {
        if (command == "DONE") return close_block();
        if (known == commands().end()) {
            block_->read(line);
            return {};
        }
        // A new command means that the manager has given the block up.
        if (block_->name != "YXBOARD") lines.push_back("ERROR " + block_->name + " without DONE");
        block_.reset();
    }
    if (known == commands().end()) {
        lines.push_back("UNKNOWN command " + printable(line));
        return lines;
    }
    try {
        std::ranges::move((this->*known->second)(rest), std::back_inserter(lines));
    } catch (const ProtocolError& error) {
        lines.push_back(complaint(error));
    }
    return lines;
}

// -- commands that act at once

Lines Engine::info(std::string_view rest) {
    const auto [key, value] = first_word(rest);
    settings_.update(key, value);
    outdated_ = position_.has_value();
    if (!settings_.pondering) ponder_.reset();
    return {};
}

Lines Engine::say_about(std::string_view) {
    return {about()};
}

Lines Engine::show_info(std::string_view) {
    return {"MESSAGE INFO MAX_THREAD_NUM " + std::to_string(kMaxEngineThreads),
            "MESSAGE INFO MAX_HASH_SIZE " + std::to_string(kMaxHashBits)};
}

Lines Engine::stop(std::string_view) {
    ponder_.reset();
    hurry_ = question_.has_value();
    for (Waiting& waiting : backlog_) waiting.hurry = true;
    return {};
}

Lines Engine::end(std::string_view) {
    closed_ = hurry_ = true;
    ponder_.reset();
    backlog_.clear();
    return {};
}

// -- commands that wait for their turn

Lines Engine::start(std::string_view rest) {
    const int side = integers(rest, 1, "START needs the size of the board, like START 15")[0];
    return new_game(side, side);
}

Lines Engine::rect_start(std::string_view rest) {
    const auto sides = integers(rest, 2, "RECTSTART needs width and height, like RECTSTART 20,15");
    return new_game(sides[0], sides[1]);
}

Lines Engine::restart(std::string_view) {
    const Position& position = started();
    return new_game(position.width, position.height);
}

Lines Engine::new_game(int width, int height) {
    if (std::min(width, height) < kMinSide || std::max(width, height) > kMaxSide) {
        throw ProtocolError("boards have " + std::to_string(kMinSide) + " to " + std::to_string(kMaxSide) +
                            " points on each side");
    }
    position_.emplace(width, height);
    spent_ = 0;
    ++game_;
    question_ = new_question(Question::Kind::kPrepare, position_->board(settings_.rule));
    return {};
}

Lines Engine::begin(std::string_view) {
    return ask_for_move();
}

Lines Engine::turn(std::string_view rest) {
    started().add(point(rest, "TURN"), false);
    return ask_for_move();
}

Lines Engine::play(std::string_view rest) {
    const Point move = point(rest, "PLAY");
    started().add(move, true);
    return {to_text(move)};
}

Lines Engine::take_back(std::string_view rest) {
    started().remove(point(rest, "TAKEBACK"));
    return {"OK"};
}

Lines Engine::n_best(std::string_view rest) {
    const int count = integers(rest, 1, "YXNBEST needs a number of moves, like YXNBEST 3")[0];
    if (count < 1 || count > kMaxCells) throw ProtocolError("YXNBEST needs a number of moves, at least 1");
    started();
    return ask_for_move(count);
}

Lines Engine::show_forbidden(std::string_view) {
    const Position& position = started();
    std::string points = "FORBID ";
    for (const Cell cell : position.forbidden_points(settings_.rule)) {
        points += two_digits(cell % position.width) + two_digits(cell / position.width);
    }
    return {points + "."};
}

Lines Engine::clear_hash(std::string_view) {
    ++game_;
    return {};
}

Lines Engine::open_board(std::string_view) {
    return open_block("BOARD");
}
Lines Engine::open_yxboard(std::string_view) {
    return open_block("YXBOARD");
}
Lines Engine::open_swap2board(std::string_view) {
    return open_block("SWAP2BOARD");
}

// -- blocks of stones

Lines Engine::open_block(std::string name) {
    block_.emplace();
    block_->name = std::move(name);
    return {};
}

Lines Engine::close_block() {
    const Block block = *std::exchange(block_, {});
    try {
        if (!block.error.empty()) throw ProtocolError(block.error);
        return block.name == "SWAP2BOARD" ? ask_swap2(block) : set_position(block);
    } catch (const ProtocolError& error) {
        return {complaint(error)};
    }
}

Lines Engine::set_position(const Block& block) {
    Position position(started().width, started().height);
    for (const auto& [stone, own] : block.stones) position.add(stone, own);
    position.guess_color();
    position_.emplace(std::move(position));
    return block.name == "YXBOARD" ? Lines{} : ask_for_move();
}

/// The stones are black and white in turn, whatever their owners.
Lines Engine::ask_swap2(const Block& block) {
    const auto count = block.stones.size();
    if (count != 0 && count != 3 && count != 5) throw ProtocolError("SWAP2BOARD has 0, 3 or 5 stones");
    Position position(started().width, started().height);
    for (std::size_t i = 0; i < count; ++i) position.add(block.stones[i].first, i % 2 == count % 2);
    question_ = new_question(Question::Kind::kSwap2, position.board(settings_.rule));
    return {};
}

void Engine::Block::read(std::string_view line) {
    if (!error.empty()) return;
    std::vector<int> numbers;
    const auto fields = fields_of(line);
    for (const std::string_view field : fields) {
        const auto number = to_integer(field, kCoordinateDigits);
        if (number && field.front() != '+') numbers.push_back(static_cast<int>(*number));
    }
    const bool may_be_short = name == "SWAP2BOARD";
    if (numbers.size() != fields.size() || numbers.size() > 3 || numbers.size() < (may_be_short ? 2 : 3)) {
        error = name + " does not understand " + printable(line);
        return;
    }
    error = take(numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : kOwn);
}

std::string Engine::Block::take(int x, int y, int owner) {
    if (owner == kBlocked) return "blocked points are not supported";
    if (owner != kOwn && owner != kOpponent) {
        return name + " knows stones of kind 1 and 2, not " + std::to_string(owner);
    }
    if (stones.size() > kMaxCells) return name + " has more stones than any board";
    stones.push_back({{x, y}, owner == kOwn});
    return {};
}

// -- questions

Position& Engine::started() {
    if (!position_) throw ProtocolError("there is no board: send START first");
    return *position_;
}

Lines Engine::ask_for_move(int best) {
    Position& position = started();
    position.guess_color(true);
    question_ = new_question(Question::Kind::kMove, position.board(settings_.rule), best);
    return {};
}

Question Engine::new_question(Question::Kind kind, const Board& board, int best) {
    const double deadline = arrived_ + time_budget(settings_, started().own_moves(), spent_);
    return {kind, board, settings_, deadline, best, game_};
}

}  // namespace tengen
