#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tengen {

/// Without spaces and other blanks at both ends.
std::string_view trimmed(std::string_view text);
/// The first word, and what follows it.
std::pair<std::string_view, std::string_view> first_word(std::string_view line);
/// The parts between commas and blanks.
std::vector<std::string_view> fields_of(std::string_view text);
/// A decimal number with at most `digits` digits and perhaps a sign.
std::optional<std::int64_t> to_integer(std::string_view text, std::size_t digits = 18);
std::string to_upper(std::string_view text);
std::string to_lower(std::string_view text);
/// The beginning of a text as it is safe to send back.
std::string printable(std::string_view text, std::size_t length = 40);

/// Cuts a stream of bytes into lines that end in CRLF, LF or CR. Key method: `feed`.
///
/// Empty lines mean nothing in the protocol and are left out, so CRLF needs no special care.
class LineSplitter {
public:
    /// Longer lines are cut: no command needs so much, and a line of megabytes must not cost any.
    static constexpr std::size_t kMaxLine = 4096;

    /// The lines that `data` completes.
    std::vector<std::string> feed(std::string_view data);
    /// The last line, if the stream ended without an end of line.
    std::vector<std::string> flush();

private:
    void end_line(std::vector<std::string>& lines);

    std::string rest_;
};

}  // namespace tengen
