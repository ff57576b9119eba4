#!/usr/bin/python3
"""Writes sympy_cases.inc: values, gradients and Hessians of formulas by SymPy, to 34 digits.

    /usr/bin/python3 test/expr/make_sympy_cases.py > test/expr/sympy_cases.inc
"""
import sympy as sp

x, y, z = sp.symbols("x y z", real=True)


def c(k, u):
    """The Stumpff function c_k(u) for u > 0, in closed form."""
    value = sp.cos(sp.sqrt(u)) if k % 2 == 0 else sp.sin(sp.sqrt(u)) / sp.sqrt(u)
    for j in range(k % 2, k, 2):
        value = (1 / sp.factorial(j) - value) / u
    return value


# What Rattleback reads, what SymPy reads if it differs, and the point.
CASES = [
    ("x*y + z", None, ("1.25", "-0.75", "0.5")),
    ("x^3*y^2/z", None, ("1.1", "-0.7", "0.3")),
    ("(x + 2*y)/(z - x*y)", None, ("0.9", "0.4", "-1.3")),
    ("sin(x*y) + cos(y*z)", None, ("1.7", "0.6", "-2.1")),
    ("exp(-x^2 - y^2)*z", None, ("0.3", "-1.2", "2.5")),
    ("log(1 + x^2 + y^2*z^2)", None, ("0.8", "1.5", "-0.4")),
    ("sqrt(x^2 + y^2 + z^2)", None, ("-1.4", "0.2", "0.7")),
    ("1/sqrt((x - y)^2 + z^2)", None, ("2.2", "-0.3", "0.9")),
    ("tan(x/2)*y - z", None, ("1.3", "2.4", "0.1")),
    ("asin(x*y/3) + acos(z/5)", None, ("0.7", "1.9", "-2.2")),
    ("atan(x*y*z)", None, ("1.2", "-0.8", "0.6")),
    ("atan2(y, x)*z", None, ("-0.7", "0.9", "1.6")),
    ("sinh(x) + cosh(y)*tanh(z)", None, ("0.4", "-1.1", "0.8")),
    ("x^y", None, ("1.8", "2.3", "0")),
    ("x^(y*z)", None, ("2.7", "-0.6", "1.4")),
    ("erf(x*y) + z^2", None, ("0.7", "0.9", "-0.2")),
    ("x^2.5 + y^(-1.5)*z", "x**Rational(5, 2) + y**Rational(-3, 2)*z", ("0.9", "1.7", "-0.8")),
    ("abs(x)*y^3 - z", "-x*y**3 - z", ("-1.3", "0.4", "2.0")),
    ("min(x*y, z) + max(x, y*z)", "z + x", ("1.9", "0.8", "0.6")),
    ("hypot(x, y*z)", "sqrt(x**2 + y**2*z**2)", ("0.3", "-0.9", "1.8")),
    ("stumpff(1, x)*y", lambda: c(1, x) * y, ("0.37", "1.4", "0")),
    ("stumpff(2, x*y) + stumpff(3, z)", lambda: c(2, x * y) + c(3, z), ("1.6", "2.9", "17.5")),
    ("stumpff(0, x) - stumpff(5, y)", lambda: c(0, x) - c(5, y), ("0.02", "60.5", "0")),
    ("if(x < y, x^2*z, y*z^3)", "x**2*z", ("0.4", "1.5", "-1.2")),
    ("if(x > y, x^2*z, y*z^3)", "y*z**3", ("0.4", "1.5", "-1.2")),
    ("exp(sin(x)*cos(y))/(1 + z^2)", None, ("2.1", "0.3", "-0.7")),
    ("log(cosh(x - y)) + sin(z)^4", None, ("1.9", "-0.6", "1.1")),
    # A double pendulum's energy, and its inverse mass matrix through solve.
    ("0.5*(2*y^2 + z^2 + 2*y*z*cos(x)) - 9.81*cos(x)", "(2*y**2 + z**2 + 2*y*z*cos(x))/2 - Rational(981, 100)*cos(x)",
     ("0.8", "-1.3", "0.45")),
    ("((x^2 + y^2)^2 - z^4)/(1 + exp(x*y*z))", None, ("0.65", "-1.15", "0.95")),
    ("(x/(1 + y^2))^7 - (x - z)^(-3)", None, ("1.45", "0.35", "-0.55")),
]


def digits(value):
    text = str(sp.N(value, 34))
    if "zoo" in text or "nan" in text or "I" in text or "Derivative" in text:
        raise ValueError(text)
    return '"' + text + '"'


def main():
    print("// Written by make_sympy_cases.py with SymPy " + sp.__version__ + ": formula, point (x, y, z), value,")
    print("// gradient, Hessian (xx, xy, xz, yy, yz, zz).")
    for text, other, point in CASES:
        if callable(other):
            f = other()
        else:
            names = {"x": x, "y": y, "z": z, "Rational": sp.Rational}
            f = sp.sympify((other or text).replace("^", "**"), locals=names, rational=True)
        at = dict(zip((x, y, z), (sp.Rational(p) for p in point)))
        variables = (x, y, z)
        gradient = [sp.diff(f, a) for a in variables]
        hessian = [sp.diff(f, a, b) for i, a in enumerate(variables) for b in variables[i:]]
        rows = [", ".join(digits(e.subs(at)) for e in part) for part in ([f], gradient, hessian)]
        where = ", ".join(f'"{p}"' for p in point)
        print(f'{{"{text}",\n {{{where}}},\n {rows[0]},\n {{{rows[1]}}},\n {{{rows[2]}}}}},')


if __name__ == "__main__":
    main()
