#include "syntax.hpp"

#include "expr/graph.hpp"
#include "expr/tensor.hpp"
#include "lexer.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace rattleback::syntax {
namespace {

constexpr int minus_precedence = 6;

int precedence(Op op) {
    if (op == Op::Power) return 7;
    if (op >= Op::Multiply) return 5;
    if (op >= Op::Add) return 4;
    if (op >= Op::Less) return 3;
    return static_cast<int>(op);
}

bool is_comparison(Op op) { return precedence(op) == 3; }

Kind kind_of(Op op) {
    if (op == Op::Or) return Kind::Or;
    if (op == Op::And) return Kind::And;
    return is_comparison(op) ? Kind::Compare : Kind::Binary;
}

// A Pratt parser whose calls are frames on a stack of its own. A frame is something begun: an operator that waits for
// its right side, a bracket that waits to be closed. Finished values wait on a second stack; a frame knows the height
// of that stack when it began, so what lies above are its children.
class Parser {
  public:
    explicit Parser(std::string text) : lexer_(tree_.text = std::move(text)) {}
    Parser(const Parser&) = delete; // the lexer and the names look into tree_.text
    Parser& operator=(const Parser&) = delete;

    Tree run();

  private:
    enum class Waiting : std::uint8_t {
        Formula,
        LoopLow,
        LoopHigh,
        Group,
        Call,
        Index,
        Entry,
        List,
        SumLow,
        SumHigh,
        SumBody,
        Minus,
        Infix
    };
    static bool is_square(Waiting w) { return w == Waiting::Index || w == Waiting::Entry || w == Waiting::List; }
    struct Frame {
        Waiting waiting = Waiting::Formula;
        Op op = Op::None;
        std::uint32_t begin = 0;
        std::uint32_t base = 0;    // values_ below it belong to others
        std::uint32_t bracket = 0; // where the opening one is
        std::uint32_t name = 0;
        bool with_outer = false; // a sum that ends with the one around it: sum(i in 1..n, j in 1..m: ...)
    };
    struct Value {
        std::uint32_t node, begin, end; // the bytes count the brackets around the node
    };

    void value_expected(const Token& t);
    void value_ended(const Token& t);
    void open(Waiting what, const Token& bracket);
    void open_after_name(Waiting what, const Token& bracket);
    void open_after_value(const Token& bracket);
    void prime(const Token& t);
    void infix(const Token& t);
    void comma(const Token& t);
    void close(const Token& t);
    void in(const Token& t);
    void range(const Token& t);
    void colon(const Token& t);
    void loop(const Token& t);
    void second_loop(const Token& t);
    void next_sum(const Token& t);
    Loop loop_after(const Token& t);
    void finish();
    void reduce(int least_precedence = 0);
    void leaf(Kind kind, const Token& t);
    void build(Kind kind, const Frame& frame, std::uint32_t end);
    std::uint32_t intern(std::string_view name);
    void bounds_first();

    Token read() { return latest_ = lexer_.next(); }
    bool is_member(const Value& v) const { // x[i], without brackets around it
        const Node& n = tree_.nodes[v.node];
        return n.kind == Kind::Index && n.count == 1 && n.end == v.end;
    }
    std::uint32_t height() const { return static_cast<std::uint32_t>(values_.size()); }
    [[noreturn]] void refuse_value(const Token& t) const;
    [[noreturn]] void refuse(Fault fault, const Token& t) const {
        throw SyntaxError(fault, {t.begin, t.end}, lexer_.text_of(t));
    }
    [[noreturn]] void refuse_range() const {
        throw SyntaxError(Fault::RangeMissing, {values_.back().begin, values_.back().end});
    }

    Tree tree_;
    Lexer lexer_;
    Token latest_, previous_;
    bool wants_value_ = true;
    std::vector<Frame> frames_;
    std::vector<Value> values_;
    std::unordered_map<std::string_view, std::uint32_t> names_;
};

Tree Parser::run() {
    frames_.push_back({});
    for (;;) {
        const Token t = read();
        if (!wants_value_ && t.kind == Token::Kind::End) {
            finish();
            return std::move(tree_);
        }
        wants_value_ ? value_expected(t) : value_ended(t);
        previous_ = latest_;
    }
}

void Parser::value_expected(const Token& t) {
    using enum Token::Kind;
    const bool nothing_inside = previous_.kind == Open || previous_.kind == OpenList;
    const Frame& top = frames_.back();
    switch (t.kind) {
    case Number: return leaf(Kind::Number, t);
    case Name: return leaf(Kind::Name, t);
    case Open: return open(Waiting::Group, t);
    case OpenList: return open(Waiting::List, t);
    case Infix:
        if (t.op == Op::Add) return;
        if (t.op == Op::Subtract) {
            frames_.push_back({.waiting = Waiting::Minus, .begin = t.begin, .base = height()});
            return;
        }
        break;
    case Close:
        if (nothing_inside && top.waiting == Waiting::Call)
            throw SyntaxError(Fault::NeedsArgument, {top.begin, t.end}, tree_.names[top.name]);
        break;
    case CloseList:
        if (nothing_inside && top.waiting == Waiting::Index)
            throw SyntaxError(Fault::EmptyIndex, {top.begin, t.end}, tree_.names[top.name]);
        if (nothing_inside && (top.waiting == Waiting::List || top.waiting == Waiting::Entry))
            throw SyntaxError(Fault::EmptyList, {top.begin, t.end});
        break;
    default: break;
    }
    refuse_value(t);
}

void Parser::refuse_value(const Token& t) const {
    using enum Token::Kind;
    const bool opened = previous_.kind == Open || previous_.kind == OpenList;
    const bool closes = t.kind == Close || t.kind == CloseList;
    if (t.kind == Prime) refuse(Fault::PrimeAlone, t);
    if (t.kind == End && previous_.kind == Start) throw SyntaxError(Fault::Empty, {0, t.end});
    if (t.kind == End && opened)
        throw SyntaxError(Fault::MissingClose, {previous_.begin, previous_.end}, previous_.kind == Open ? ")" : "]",
                          lexer_.text_of(previous_));
    if (closes && previous_.kind == Start) refuse(Fault::Unexpected, t);
    if (!closes && (opened || previous_.kind == Start)) refuse(Fault::ValueBefore, t);
    refuse(Fault::ValueAfter, previous_);
}

void Parser::value_ended(const Token& t) {
    using enum Token::Kind;
    const bool after_name = previous_.kind == Name;
    switch (t.kind) {
    case Open:
        if (after_name) return open_after_name(Waiting::Call, t);
        break;
    case OpenList:
        if (after_name) return open_after_name(Waiting::Index, t);
        if (previous_.kind == Close || is_member(values_.back())) return open_after_value(t);
        throw SyntaxError(Fault::IndexOfValue, {previous_.begin, t.end});
    case Prime: return prime(t);
    case Infix: return infix(t);
    case Comma: return comma(t);
    case Close:
    case CloseList: return close(t);
    case In: return in(t);
    case Dots: return range(t);
    case Colon: return colon(t);
    case For: return loop(t);
    default: break;
    }
    if (after_name && lexer_.text_of(previous_) == "not") refuse(Fault::Negation, previous_);
    if (after_name && (t.kind == Name || t.kind == Number)) {
        const std::vector<std::string> functions = function_names();
        if (std::find(functions.begin(), functions.end(), lexer_.text_of(previous_)) != functions.end())
            throw SyntaxError(Fault::CallWithoutBrackets, {previous_.begin, t.end}, lexer_.text_of(previous_),
                              lexer_.text_of(t));
    }
    throw SyntaxError(Fault::MissingOperator, {previous_.begin, t.end}, lexer_.text_of(t));
}

void Parser::open(Waiting what, const Token& bracket) {
    frames_.push_back({.waiting = what, .begin = bracket.begin, .base = height(), .bracket = bracket.begin});
}

// A bracket after a name: the name was pushed as a value, and becomes the name of a call or of an indexed family.
void Parser::open_after_name(Waiting what, const Token& bracket) {
    const Node name = tree_.nodes.back();
    tree_.nodes.pop_back();
    values_.pop_back();
    open(what, bracket);
    frames_.back().begin = name.begin;
    frames_.back().name = name.name;
    wants_value_ = true;
}

// f(x)[1]: the value is the first child of its entry.
void Parser::open_after_value(const Token& bracket) {
    frames_.push_back(
        {.waiting = Waiting::Entry, .begin = values_.back().begin, .base = height() - 1, .bracket = bracket.begin});
    wants_value_ = true;
}

void Parser::prime(const Token& t) { build(Kind::Prime, {.begin = values_.back().begin, .base = height() - 1}, t.end); }

void Parser::infix(const Token& t) {
    const int own = precedence(t.op);
    const bool to_the_right = t.op == Op::Power || is_comparison(t.op); // comparisons: to see the one before
    reduce(to_the_right ? own + 1 : own);
    if (is_comparison(t.op) && is_comparison(frames_.back().op)) refuse(Fault::ChainedComparison, t);
    frames_.push_back({.waiting = Waiting::Infix, .op = t.op, .begin = values_.back().begin, .base = height() - 1});
    wants_value_ = true;
}

void Parser::comma(const Token& t) {
    reduce();
    const Frame& top = frames_.back();
    switch (top.waiting) {
    case Waiting::Call:
    case Waiting::List: break;
    case Waiting::Index:
        if (height() - top.base == 2) refuse(Fault::TooManyIndices, t);
        break;
    case Waiting::Entry:
        if (height() - top.base == 3) refuse(Fault::TooManyIndices, t);
        break;
    case Waiting::SumLow: refuse_range();
    case Waiting::SumHigh: return next_sum(t);
    case Waiting::LoopHigh: return second_loop(t);
    default: refuse(Fault::Unexpected, t);
    }
    wants_value_ = true;
}

void Parser::close(const Token& t) {
    reduce();
    const Frame top = frames_.back();
    if (top.waiting <= Waiting::LoopHigh) refuse(Fault::Unexpected, t);
    const bool square = is_square(top.waiting);
    if (square != (t.kind == Token::Kind::CloseList))
        throw SyntaxError(Fault::WrongClose, {t.begin, t.end}, lexer_.text_of(t), square ? "[" : "(");
    frames_.pop_back();
    switch (top.waiting) {
    case Waiting::Call: return build(Kind::Call, top, t.end);
    case Waiting::Index: return build(Kind::Index, top, t.end);
    case Waiting::Entry:
        if (const Value& of = values_[top.base]; is_member(of) && height() - top.base == 2)
            throw SyntaxError(Fault::IndexOfValue, {of.end - 1, top.bracket + 1});
        return build(Kind::Entry, top, t.end);
    case Waiting::List: return build(Kind::List, top, t.end);
    case Waiting::SumLow: refuse_range();
    case Waiting::SumHigh: refuse(Fault::ColonMissing, t);
    case Waiting::SumBody: build(Kind::Sum, top, t.end); return top.with_outer ? close(t) : void();
    default: values_.back() = {values_.back().node, top.begin, t.end}; // Group
    }
}

// sum(i in ...: so far it was parsed as a call with the argument i.
void Parser::in(const Token& t) {
    Frame& top = frames_.back();
    const bool begins_sum = top.waiting == Waiting::Call && tree_.names[top.name] == "sum" &&
                            height() - top.base == 1 && previous_.kind == Token::Kind::Name;
    if (!begins_sum) refuse(Fault::InElsewhere, t);
    top.waiting = Waiting::SumLow;
    top.name = tree_.nodes.back().name;
    tree_.nodes.pop_back();
    values_.pop_back();
    wants_value_ = true;
}

void Parser::range(const Token& t) {
    reduce();
    Waiting& top = frames_.back().waiting;
    if (top != Waiting::SumLow && top != Waiting::LoopLow) refuse(Fault::RangeElsewhere, t);
    top = top == Waiting::SumLow ? Waiting::SumHigh : Waiting::LoopHigh;
    wants_value_ = true;
}

void Parser::colon(const Token& t) {
    reduce();
    Waiting& top = frames_.back().waiting;
    if (top == Waiting::SumLow) refuse_range();
    if (top == Waiting::Call && tree_.names[frames_.back().name] == "sum") refuse(Fault::SumRange, t);
    if (top != Waiting::SumHigh) refuse(Fault::Unexpected, t);
    top = Waiting::SumBody;
    wants_value_ = true;
}

void Parser::loop(const Token& t) {
    reduce();
    Waiting& top = frames_.back().waiting;
    if (top == Waiting::LoopLow || top == Waiting::LoopHigh) refuse(Fault::ForTwice, t);
    if (top != Waiting::Formula) refuse(Fault::ForInside, t);
    tree_.loop = loop_after(t);
    top = Waiting::LoopLow;
    wants_value_ = true;
}

void Parser::second_loop(const Token& t) {
    if (tree_.inner) refuse(Fault::LoopThird, t);
    tree_.inner = loop_after(t);
    frames_.back().waiting = Waiting::LoopLow;
    wants_value_ = true;
}

// sum(i in 1..n, j in 1..m: ...) is sum(i in 1..n: sum(j in 1..m: ...)).
void Parser::next_sum(const Token& t) {
    const Token name = read();
    if (name.kind != Token::Kind::Name || read().kind != Token::Kind::In) refuse(Fault::ColonMissing, t);
    frames_.back().waiting = Waiting::SumBody;
    frames_.push_back({.waiting = Waiting::SumLow,
                       .begin = name.begin,
                       .base = height(),
                       .bracket = frames_.back().bracket,
                       .name = intern(lexer_.text_of(name)),
                       .with_outer = true});
    wants_value_ = true;
}

// A name and 'in', after 'for' or a comma.
Loop Parser::loop_after(const Token& t) {
    const Token name = read();
    if (name.kind != Token::Kind::Name) refuse(Fault::LoopName, t);
    if (read().kind != Token::Kind::In) refuse(Fault::LoopIn, name);
    return {.name = intern(lexer_.text_of(name)), .name_begin = name.begin, .begin = t.begin};
}

void Parser::finish() {
    reduce();
    const Frame& top = frames_.back();
    if (top.waiting == Waiting::Formula) return;
    if (top.waiting == Waiting::LoopLow) refuse_range();
    if (top.waiting == Waiting::LoopHigh) return bounds_first();
    const bool square = is_square(top.waiting);
    throw SyntaxError(Fault::MissingClose, {top.bracket, top.bracket + 1}, square ? "]" : ")", square ? "[" : "(");
}

// Reduces all operators, up to the innermost bracket, that bind at least as tightly as the one that was read.
void Parser::reduce(int least_precedence) {
    for (;;) {
        const Frame top = frames_.back();
        const bool minus = top.waiting == Waiting::Minus;
        if (!minus && top.waiting != Waiting::Infix) return;
        if ((minus ? minus_precedence : precedence(top.op)) < least_precedence) return;
        frames_.pop_back();
        build(minus ? Kind::Minus : kind_of(top.op), top, values_.back().end);
    }
}

void Parser::leaf(Kind kind, const Token& t) {
    Node n{.begin = t.begin, .end = t.end, .kind = kind};
    if (kind == Kind::Number) {
        n.name = static_cast<std::uint32_t>(tree_.numbers.size());
        tree_.numbers.push_back(lexer_.value(t));
    }
    if (kind == Kind::Name) n.name = intern(lexer_.text_of(t));
    values_.push_back({static_cast<std::uint32_t>(tree_.nodes.size()), t.begin, t.end});
    tree_.nodes.push_back(n);
    wants_value_ = false;
}

void Parser::build(Kind kind, const Frame& frame, std::uint32_t end) {
    Node n{.begin = frame.begin, .end = end, .name = frame.name, .kind = kind, .op = frame.op};
    n.first = static_cast<std::uint32_t>(tree_.children.size());
    n.count = (height() - frame.base) & 0xffffff; // fewer than the text has bytes: see Node
    tree_.nodes.push_back(n);
    for (std::size_t k = frame.base; k < values_.size(); ++k) tree_.children.push_back(values_[k].node);
    values_.resize(frame.base);
    values_.push_back({tree_.root(), frame.begin, end});
    wants_value_ = false;
}

std::uint32_t Parser::intern(std::string_view name) {
    const auto [entry, is_new] = names_.try_emplace(name, static_cast<std::uint32_t>(tree_.names.size()));
    if (is_new) tree_.names.emplace_back(name);
    return entry->second;
}

// The bounds of the loop were read after the formula; the root has to be last.
void Parser::bounds_first() {
    const std::uint32_t formula = values_[0].node + 1;
    const std::uint32_t bounds = static_cast<std::uint32_t>(tree_.nodes.size()) - formula;
    std::rotate(tree_.nodes.begin(), tree_.nodes.begin() + formula, tree_.nodes.end());
    for (std::uint32_t& c : tree_.children) c = c < formula ? c + bounds : c - formula;
    tree_.loop->lo = values_[1].node - formula;
    tree_.loop->hi = values_[2].node - formula;
    tree_.loop->end = values_[2].end;
    if (!tree_.inner) return;
    tree_.inner->lo = values_[3].node - formula, tree_.inner->hi = values_[4].node - formula;
    tree_.inner->end = tree_.loop->end = values_[4].end;
}

} // namespace

Tree parse(std::string text) {
    if (text.size() > longest_text) throw SyntaxError(Fault::TooLong, {longest_text, longest_text + 1});
    return Parser(std::move(text)).run();
}

} // namespace rattleback::syntax
