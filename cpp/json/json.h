#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tengen {

/// A JSON value. Key methods: `parse` and the indexing operators. All errors are std::invalid_argument.
class Json {
public:
    using Array = std::vector<Json>;
    using Object = std::map<std::string, Json, std::less<>>;

    Json() = default;
    template <class T>
    Json(T value) : value_(std::move(value)) {}

    static Json parse(std::string_view text);

    bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
    double number() const { return get<double>("a number"); }
    const std::string& string() const { return get<std::string>("a string"); }
    const Array& array() const { return get<Array>("an array"); }
    const Object& object() const { return get<Object>("an object"); }
    /// A member of an object; null if there is none.
    const Json& operator[](std::string_view name) const;

private:
    template <class T>
    const T& get(const char* what) const;
    [[noreturn]] static void refuse(const char* what);

    std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value_ = nullptr;
};

template <class T>
const T& Json::get(const char* what) const {
    const T* value = std::get_if<T>(&value_);
    if (!value) refuse(what);
    return *value;
}

}  // namespace tengen
