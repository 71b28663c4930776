#include "protocol/text.h"

#include <algorithm>
#include <charconv>

namespace tengen {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r\x1c\x1d\x1e\x1f";
constexpr std::string_view kSeparators = " \t\n\v\f\r\x1c\x1d\x1e\x1f,";
/// What may stand around a line; some managers begin with a byte order mark.
constexpr std::string_view kPadding = std::string_view("\0 \t\v\f", 5);
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::string_view stripped(std::string_view text, std::string_view of) {
    const auto first = text.find_first_not_of(of);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(of) - first + 1);
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

}  // namespace

std::string_view trimmed(std::string_view text) {
    return stripped(text, kBlanks);
}

std::pair<std::string_view, std::string_view> first_word(std::string_view line) {
    line = trimmed(line);
    const auto end = std::min(line.find_first_of(kBlanks), line.size());
    return {line.substr(0, end), trimmed(line.substr(end))};
}

std::vector<std::string_view> fields_of(std::string_view text) {
    std::vector<std::string_view> fields;
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(kSeparators), text.size()));
        if (text.empty()) return fields;
        const auto end = std::min(text.find_first_of(kSeparators), text.size());
        fields.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

std::optional<std::int64_t> to_integer(std::string_view text, std::size_t digits) {
    if (text.starts_with('+') && text.size() > 1 && is_digit(text[1])) text.remove_prefix(1);
    const std::string_view unsigned_part = text.substr(text.starts_with('-') ? 1 : 0);
    if (unsigned_part.empty() || unsigned_part.size() > digits || !std::ranges::all_of(unsigned_part, is_digit))
        return {};
    std::int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::string to_upper(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return result;
}

std::string to_lower(std::string_view text) {
    std::string result(text);
    for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return result;
}

std::string printable(std::string_view text, std::size_t length) {
    std::string result(text.substr(0, length));
    for (char& c : result) c = c >= ' ' && c <= '~' ? c : '?';
    return result;
}

std::vector<std::string> LineSplitter::feed(std::string_view data) {
    std::vector<std::string> lines;
    for (const char c : data) {
        if (c == '\r' || c == '\n') {
            end_line(lines);
        } else if (rest_.size() < kMaxLine) {
            rest_ += c;
        }
    }
    return lines;
}

std::vector<std::string> LineSplitter::flush() {
    std::vector<std::string> lines;
    end_line(lines);
    return lines;
}

void LineSplitter::end_line(std::vector<std::string>& lines) {
    std::string_view line = rest_;
    if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    line = stripped(line, kPadding);
    if (!line.empty()) lines.emplace_back(line);
    rest_.clear();
}

}  // namespace tengen
