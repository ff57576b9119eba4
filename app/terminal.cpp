#include "terminal.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <sys/ioctl.h>
#include <unistd.h>

#include "expr/shown.hpp"

namespace app {
namespace {

constexpr std::size_t any = std::string::npos;
constexpr std::size_t narrowest = 20, gap = 2;

// Columns that text takes: bytes that continue a character take none.
std::size_t columns_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::vector<std::string> lines_of(const std::string& text, std::size_t width) {
    std::vector<std::string> lines{""};
    for (std::size_t from = 0; from <= text.size();) {
        std::size_t to = std::min(text.find(' ', from), text.size());
        while (to < text.size() && (text.compare(to, 2, " =") == 0 || (to > 0 && text.compare(to - 1, 2, "= ") == 0)))
            to = std::min(text.find(' ', to + 1), text.size()); // x = 1 stays together
        const std::string word = text.substr(from, to - from);
        const bool fits = columns_of(lines.back()) + columns_of(word) + (lines.back().empty() ? 0 : 1) <= width;
        if (!fits && !lines.back().empty()) lines.emplace_back();
        lines.back() += (lines.back().empty() || from == 0 ? "" : " ") + word;
        from = to + 1;
    }
    return lines;
}

std::size_t longest_word(const std::string& text) {
    std::size_t most = 0;
    for (const std::string& line : lines_of(text, 1)) most = std::max(most, columns_of(line));
    return most;
}

std::size_t sum_of(const std::vector<std::size_t>& widths) {
    std::size_t total = 0;
    for (std::size_t w : widths) total += w + gap;
    return total - gap;
}

struct Widths {
    std::vector<std::size_t> natural, least;
    explicit Widths(const Rows& rows) {
        for (const auto& row : rows)
            for (std::size_t i = 0; i < row.size(); ++i) {
                if (natural.size() <= i) natural.push_back(1), least.push_back(1);
                natural[i] = std::max(natural[i], columns_of(row[i]));
                least[i] = std::max(least[i], longest_word(row[i]));
            }
    }
};

// The widest columns are narrowed first; false: words are too long for that.
bool narrow(std::vector<std::size_t>& widths, const std::vector<std::size_t>& least, std::size_t width) {
    if (sum_of(least) > width) return false;
    while (sum_of(widths) > width) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i)
            if (widths[i] > least[i] && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
        --widths[widest];
    }
    return true;
}

std::string table_of(const Rows& rows, const std::vector<std::size_t>& widths) {
    std::string text;
    for (const auto& row : rows) {
        std::vector<std::vector<std::string>> cells;
        std::size_t height = 1;
        for (std::size_t i = 0; i < row.size(); ++i) {
            cells.push_back(lines_of(row[i], widths[i]));
            height = std::max(height, cells.back().size());
        }
        for (std::size_t k = 0; k < height; ++k) {
            std::string line;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const std::string cell = k < cells[i].size() ? cells[i][k] : "";
                line += cell;
                if (i + 1 < cells.size()) line.append(widths[i] - std::min(widths[i], columns_of(cell)) + gap, ' ');
            }
            if (k > 0 || height > 1) line.erase(line.find_last_not_of(' ') + 1);
            text += line + "\n";
        }
    }
    return text;
}

// Some columns of a table.
Rows part_of(const Rows& rows, const std::vector<std::size_t>& columns) {
    Rows part;
    for (const auto& row : rows) {
        part.emplace_back();
        for (std::size_t i : columns)
            if (i < row.size()) part.back().push_back(row[i]);
    }
    return part;
}

std::string in_blocks(const Rows& rows, const Widths& widths, std::size_t width) {
    std::string text;
    const std::size_t count = widths.natural.size();
    for (std::size_t next = 1; next < count;) {
        std::vector<std::size_t> columns{0};
        std::vector<std::size_t> taken{widths.natural[0]}, least{widths.least[0]};
        for (; next < count; ++next) {
            taken.push_back(widths.natural[next]), least.push_back(widths.least[next]);
            if (columns.size() > 1 && sum_of(taken) > width) {
                taken.pop_back(), least.pop_back();
                break;
            }
            columns.push_back(next);
        }
        narrow(taken, least, width);
        text += (text.empty() ? "" : "\n") + table_of(part_of(rows, columns), taken);
    }
    return text;
}

} // namespace

std::size_t width_of(std::FILE* stream) {
    if (const char* given = std::getenv("COLUMNS")) {
        const long columns = std::strtol(given, nullptr, 10);
        if (columns > 0) return std::max(narrowest, static_cast<std::size_t>(columns));
    }
    winsize size{};
    const int fd = fileno(stream);
    if (!isatty(fd)) return any;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return std::max<std::size_t>(narrowest, size.ws_col);
    return 80;
}

std::string wrapped(const std::string& text, std::size_t width, std::size_t indent) {
    if (width == any) return text;
    std::string all;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find('\n', from), text.size());
        const std::string line = text.substr(from, to - from);
        const std::string margin = line.substr(0, std::min(line.find_first_not_of(' '), line.size()));
        const std::string next(margin.size() + indent, ' ');
        bool first = true;
        for (const std::string& part : lines_of(line.substr(margin.size()), width - std::min(width / 2, next.size()))) {
            all += (from == 0 && first ? "" : "\n") + (first ? margin : next) + part;
            first = false;
        }
        from = to + 1;
    }
    return all;
}

void print_text(const std::string& text, std::size_t indent) {
    std::printf("%s\n", wrapped(text, width_of(stdout), indent).c_str());
}

std::string aligned(const Rows& written, std::size_t width) {
    Rows rows = written;
    for (auto& row : rows)
        for (std::string& cell : row) cell = rattleback::shown(cell);
    const Widths widths(rows);
    if (widths.natural.empty()) return "";
    std::vector<std::size_t> fitting = widths.natural;
    if (width == any || sum_of(fitting) <= width || narrow(fitting, widths.least, width))
        return table_of(rows, fitting);
    return in_blocks(rows, widths, width);
}

std::string aligned(const Rows& rows) { return aligned(rows, width_of(stdout)); }

std::string short_number(double x) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.4g", x);
    return buffer;
}

std::string state_number(double x) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.8g", x);
    return buffer;
}

// --- progress --------------------------------------------------------------------------------------------------------

struct Progress::State {
    using Clock = std::chrono::steady_clock;
    std::string what;
    std::atomic<long long> done{0}, total{0};
    std::atomic<bool> of_time{false};
    Clock::time_point begin = Clock::now();
    std::mutex mutex;
    std::condition_variable stop;
    bool ended = false, drawn = false;
    std::thread drawer; // last: it uses the others

    static constexpr std::chrono::milliseconds between{250}, first{500};

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin).count(); }

    static std::string duration(double s) {
        char text[48];
        if (s < 100)
            std::snprintf(text, sizeof text, "%.0f s", s);
        else if (s < 6000)
            std::snprintf(text, sizeof text, "%.0f min", s / 60);
        else
            std::snprintf(text, sizeof text, "%.1f h", s / 3600);
        return text;
    }

    std::string line() const {
        const long long of = total, so_far = done;
        if (of <= 0 || so_far <= 0) return what + (what.empty() ? "" : ", ") + duration(seconds());
        if (of_time) return bar(seconds() / std::max(seconds(), 1e-3 * static_cast<double>(of))) + time_left(of);
        const double part = static_cast<double>(so_far) / static_cast<double>(of);
        char numbers[96];
        std::snprintf(numbers, sizeof numbers, "%lld of %lld, %s left", so_far, of,
                      duration(seconds() * (1 - part) / part).c_str());
        return bar(part) + numbers;
    }

    static std::string bar(double part) {
        const std::size_t columns = 30, filled = std::min(columns, static_cast<std::size_t>(part * columns));
        char percent[16];
        std::snprintf(percent, sizeof percent, "] %3d %%  ", static_cast<int>(100 * part));
        return "[" + std::string(filled, '=') + std::string(columns - filled, ' ') + percent;
    }

    // It goes down between two estimates; what takes longer than it should says how long it has taken.
    std::string time_left(long long in_all) const {
        const double left = 1e-3 * static_cast<double>(in_all) - seconds();
        return (left < 0 ? duration(seconds()) + " so far, " : duration(left) + " left, ") + what;
    }

    void draw() {
        std::unique_lock lock(mutex);
        auto wait = first;
        while (!stop.wait_for(lock, wait, [&] { return ended; })) {
            const std::size_t width = width_of(stderr);
            std::fprintf(stderr, "\r%s\033[K", line().substr(0, width == any ? 79 : width - 1).c_str());
            std::fflush(stderr);
            drawn = true;
            wait = between;
        }
        if (drawn) std::fputs("\r\033[K", stderr);
        std::fflush(stderr);
    }
};

Progress::Progress(bool quiet, std::string what) {
    if (quiet || !isatty(2)) return;
    state_ = std::make_unique<State>();
    state_->what = std::move(what);
    state_->drawer = std::thread([s = state_.get()] { s->draw(); });
}

Progress::~Progress() { erase(); }

void Progress::erase() {
    if (!state_) return;
    {
        const std::lock_guard lock(state_->mutex);
        state_->ended = true;
    }
    state_->stop.notify_all();
    if (state_->drawer.joinable()) state_->drawer.join();
}

void Progress::show(long long done, long long total) {
    if (!state_) return;
    state_->total = total, state_->done = done;
}

void Progress::tell(std::function<void(long long so_far, long long in_all)>& progress) {
    if (!state_) return;
    state_->of_time = true;
    progress = [this](long long so_far, long long in_all) { show(std::max(1LL, so_far), std::max(1LL, in_all)); };
}

} // namespace app
