#include "plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "command_line.hpp"
#include "expr/nearest.hpp"
#include "expr/shown.hpp"
#include "terminal.hpp"

namespace app {
namespace {

constexpr std::size_t most_points = 20000, most_columns = 72, lines = 18;

bool speaks_utf8() {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
        if (const char* value = std::getenv(name); value && *value) {
            const std::string locale(value);
            return locale.find("UTF-8") != std::string::npos || locale.find("utf8") != std::string::npos;
        }
    return false;
}

struct Range {
    double lo, hi;
    double part(double x) const { return (x - lo) / (hi - lo); }
};

Range range_of(const std::vector<double>& values) {
    Range r{INFINITY, -INFINITY};
    for (double x : values)
        if (std::isfinite(x)) r.lo = std::min(r.lo, x), r.hi = std::max(r.hi, x);
    if (!(r.lo <= r.hi)) return {0, 1};
    if (r.lo == r.hi) { // a straight line through the middle
        const double by = r.lo == 0 ? 1 : std::abs(r.lo) / 10;
        return {r.lo - by, r.hi + by};
    }
    return r;
}

// Dots on a grid of characters: two by four in each of Braille's, else one.
class Canvas {
  public:
    Canvas(std::size_t columns, bool braille)
        : columns_(columns), across_(braille ? 2 : 1), down_(braille ? 4 : 1), braille_(braille),
          dots_(columns * lines, 0) {}
    std::size_t width() const { return columns_ * across_; }
    std::size_t height() const { return lines * down_; }

    void dot(std::size_t i, std::size_t j) { // from the left, from above
        static constexpr std::array<std::array<unsigned char, 4>, 2> bits = {
            {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}};
        unsigned char& cell = dots_[j / down_ * columns_ + i / across_];
        cell = static_cast<unsigned char>(cell | (braille_ ? bits[i % 2][j % 4] : 1));
    }
    std::string line(std::size_t j) const {
        std::string text;
        for (std::size_t i = 0; i < columns_; ++i) {
            const unsigned char cell = dots_[j * columns_ + i];
            if (!braille_ || cell == 0)
                text += cell ? '*' : ' ';
            else // U+2800 + cell
                text += {'\xE2', static_cast<char>(0xA0 | cell >> 6), static_cast<char>(0x80 | (cell & 63))};
        }
        return text.substr(0, text.find_last_not_of(' ') + 1);
    }

  private:
    std::size_t columns_, across_, down_;
    bool braille_;
    std::vector<unsigned char> dots_;
};

std::size_t place(double part, std::size_t count) {
    return std::min(count - 1, static_cast<std::size_t>(std::max(0.0, part) * static_cast<double>(count)));
}

} // namespace

Plot::Plot(const std::string& columns) {
    if (!columns.empty()) names_ = split_list(columns);
    if (names_.size() > 2) throw BadCommand("--plot " + columns + ": one column against time, or two: --plot x,y");
    if (names_.size() == 1) names_.insert(names_.begin(), "t");
}

void Plot::prepare(const rattleback::Layout& layout) {
    std::vector<std::string> all;
    for (const rattleback::ColumnGroup& g : layout.groups) all.insert(all.end(), g.columns.begin(), g.columns.end());
    places_.clear();
    for (const std::string& name : names_) {
        const auto it = std::find(all.begin(), all.end(), name);
        if (it == all.end()) {
            const std::string near = rattleback::nearest(name, all);
            std::string list;
            for (std::size_t i = 0; i < all.size() && i < 12; ++i) list += (i ? ", " : "") + all[i];
            throw BadCommand("--plot: there is no column '" + name + "'; " +
                             (near.empty() ? "columns are " + list + (all.size() > 12 ? ", ..." : "")
                                           : "did you mean '" + near + "'?"));
        }
        places_.push_back(static_cast<std::size_t>(it - all.begin()));
    }
}

void Plot::add(const rattleback::NodeView& node) {
    if (seen_++ % every_ != 0) return;
    x_.push_back(node.row.values[places_[0]]), y_.push_back(node.row.values[places_[1]]);
    if (x_.size() < most_points) return;
    for (std::vector<double>* all : {&x_, &y_}) { // every second one
        for (std::size_t i = 0; 2 * i < all->size(); ++i) (*all)[i] = (*all)[2 * i];
        all->resize((all->size() + 1) / 2);
    }
    every_ *= 2;
}

std::string Plot::draw(std::size_t width) const {
    const Range across = range_of(x_), up = range_of(y_);
    const std::string top = short_number(up.hi), bottom = short_number(up.lo);
    const std::size_t margin = std::max(top.size(), bottom.size()) + 1;
    const std::size_t columns = std::max<std::size_t>(10, std::min(most_columns, width - margin - 2));
    Canvas canvas(columns, speaks_utf8());
    for (std::size_t k = 0; k < x_.size(); ++k) { // with a line from the point before
        const std::size_t last = k ? k - 1 : 0;
        const double from_x = across.part(x_[last]), from_y = up.part(y_[last]);
        const double by_x = across.part(x_[k]) - from_x, by_y = up.part(y_[k]) - from_y;
        if (!std::isfinite(from_x + by_x + from_y + by_y)) continue;
        const double dots = std::max(std::abs(by_x) * static_cast<double>(canvas.width()),
                                     std::abs(by_y) * static_cast<double>(canvas.height()));
        const int parts = 1 + static_cast<int>(dots);
        for (int i = 1; i <= parts; ++i)
            canvas.dot(place(from_x + by_x * i / parts, canvas.width()),
                       place(1 - (from_y + by_y * i / parts), canvas.height()));
    }
    std::string text = std::string(margin, ' ') + rattleback::shown(names_[1]) + "\n";
    for (std::size_t j = 0; j < lines; ++j) {
        const std::string label = j == 0 ? top : j + 1 == lines ? bottom : "";
        text += std::string(margin - 1 - label.size(), ' ') + label + " |" + canvas.line(j) + "\n";
    }
    const std::string left = short_number(across.lo),
                      right = rattleback::shown(names_[0]) + " = " + short_number(across.hi);
    text += std::string(margin, ' ') + "+" + std::string(columns, '-') + "\n";
    const std::size_t used = left.size() + right.size();
    return text + std::string(margin + 1, ' ') + left + std::string(columns > used ? columns - used : 1, ' ') + right +
           "\n";
}

} // namespace app
