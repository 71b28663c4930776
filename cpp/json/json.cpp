#include "json/json.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>

namespace tengen {
namespace {

constexpr int kMaxDepth = 64;

class Parser {
public:
    explicit Parser(std::string_view text) : rest_(text) {}

    Json document() {
        Json value = parse(0);
        skip_space();
        if (!rest_.empty()) fail();
        return value;
    }

private:
    Json parse(int depth) {
        if (depth > kMaxDepth) fail();
        skip_space();
        if (rest_.empty()) fail();
        switch (rest_.front()) {
            case '{': return object(depth);
            case '[': return array(depth);
            case '"': return string();
            case 't': return literal("true", true);
            case 'f': return literal("false", false);
            case 'n': return literal("null", nullptr);
            default: return number();
        }
    }

    Json object(int depth) {
        Json::Object members;
        take('{');
        if (try_take('}')) return members;
        do {
            skip_space();
            std::string name = string();
            take(':');
            members.insert_or_assign(std::move(name), parse(depth + 1));
        } while (try_take(','));
        take('}');
        return members;
    }

    Json array(int depth) {
        Json::Array elements;
        take('[');
        if (try_take(']')) return elements;
        do elements.push_back(parse(depth + 1));
        while (try_take(','));
        take(']');
        return elements;
    }

    template <class T>
    Json literal(std::string_view name, T value) {
        if (!rest_.starts_with(name)) fail();
        rest_.remove_prefix(name.size());
        return value;
    }

    Json number() {
        const std::string digits(rest_.substr(0, rest_.find_first_not_of("+-.0123456789eE")));
        char* end = nullptr;
        const double value = std::strtod(digits.c_str(), &end);
        if (digits.empty() || *end) fail();
        rest_.remove_prefix(digits.size());
        return value;
    }

    std::string string() {
        if (rest_.empty() || rest_.front() != '"') fail();
        rest_.remove_prefix(1);
        std::string text;
        for (;;) {
            const char next = take_any();
            if (next == '"') return text;
            if (next == '\\') {
                append_escaped(text);
            } else {
                text += next;
            }
        }
    }

    void append_escaped(std::string& text) {
        constexpr std::string_view kNames = "\"\\/bfnrt", kMeanings = "\"\\/\b\f\n\r\t";
        const char name = take_any();
        if (name == 'u') {
            append_utf8(text, code_point());
        } else if (const auto i = kNames.find(name); i != std::string_view::npos) {
            text += kMeanings[i];
        } else {
            fail();
        }
    }

    /// What follows \u: one unit of UTF-16, or two.
    std::uint32_t code_point() {
        const std::uint32_t first = unit();
        if (first < 0xD800 || first > 0xDBFF || !rest_.starts_with("\\u")) return first;
        rest_.remove_prefix(2);
        return 0x10000 + ((first - 0xD800) << 10) + (unit() - 0xDC00);
    }

    std::uint32_t unit() {
        std::uint32_t value = 0;
        if (rest_.size() < 4 || std::from_chars(rest_.data(), rest_.data() + 4, value, 16).ptr != rest_.data() + 4)
            fail();
        rest_.remove_prefix(4);
        return value;
    }

    static void append_utf8(std::string& text, std::uint32_t code) {
        const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
        if (code < 0x80) {
            text += static_cast<char>(code);
        } else if (code < 0x800) {
            text += static_cast<char>(0xC0 | code >> 6), tail(0);
        } else if (code < 0x10000) {
            text += static_cast<char>(0xE0 | code >> 12), tail(6), tail(0);
        } else {
            text += static_cast<char>(0xF0 | (code >> 18 & 7)), tail(12), tail(6), tail(0);
        }
    }

    void skip_space() {
        const auto end = rest_.find_first_not_of(" \t\r\n");
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end);
    }
    char take_any() {
        if (rest_.empty()) fail();
        const char next = rest_.front();
        rest_.remove_prefix(1);
        return next;
    }
    bool try_take(char wanted) {
        skip_space();
        if (rest_.empty() || rest_.front() != wanted) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void take(char wanted) {
        if (!try_take(wanted)) fail();
    }
    [[noreturn]] static void fail() { throw std::invalid_argument("this is not JSON"); }

    std::string_view rest_;
};

}  // namespace

Json Json::parse(std::string_view text) {
    return Parser(text).document();
}

const Json& Json::operator[](std::string_view name) const {
    static const Json kNull;
    const Object& members = object();
    const auto found = members.find(name);
    return found == members.end() ? kNull : found->second;
}

void Json::refuse(const char* what) {
    throw std::invalid_argument(std::string("this JSON is not ") + what);
}

}  // namespace tengen
