#!/usr/bin/env python3
"""Draws docs/energy.svg, the picture of the README: energy errors of three methods with the same step.

usage: docs/make_picture.py     from the project's root, after scripts/setup
"""
import csv
import io
import math
import subprocess

MODEL, STEP, UNTIL = "henon_heiles", 0.25, 2000
METHODS = [("rk4", "#c44e52"), ("midpoint", "#4c72b0"), ("gauss:stages=2", "#55a868")]
WIDTH, HEIGHT, LEFT, BOTTOM = 760, 300, 70, 40
LOW, HIGH = -8.0, 0.0  # decades


def energies(method):
    command = ["build/rattleback", "run", MODEL, "-m", method, "--step", str(STEP), "--until", str(UNTIL), "--every", "4",
               "-o", "-", "--columns", "t,energy", "--quiet"]
    rows = list(csv.reader(io.StringIO(subprocess.run(command, capture_output=True, text=True, check=True).stdout)))[1:]
    first = float(rows[0][1])
    return [(float(t), abs(float(e) - first) / abs(first)) for t, e in rows[1:]]


def x(t):
    return LEFT + (WIDTH - LEFT - 150) * t / UNTIL


def y(e):
    d = max(LOW, min(HIGH, math.log10(max(e, 1e-300))))
    return (HEIGHT - BOTTOM) - (HEIGHT - BOTTOM - 20) * (d - LOW) / (HIGH - LOW)


def envelope(points, bins=300):
    """The largest error of each stretch: the shape of the curve in few points."""
    size = max(1, len(points) // bins)
    for i in range(0, len(points) - size + 1, size):
        part = points[i:i + size]
        yield part[len(part) // 2][0], max(e for _, e in part)


def main():
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for d in range(int(LOW), int(HIGH) + 1, 2):
        out.append(f'<line x1="{LEFT}" x2="{x(UNTIL):.0f}" y1="{y(10.0**d):.1f}" y2="{y(10.0**d):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{y(10.0**d) + 4:.1f}" text-anchor="end">1e{d}</text>')
    for k in range(0, 5):
        t = UNTIL * k / 4
        out.append(f'<text x="{x(t):.0f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{t:.0f}</text>')
    out.append(f'<text x="{(LEFT + x(UNTIL)) / 2:.0f}" y="{HEIGHT - 4}" text-anchor="middle">time</text>')
    out.append(f'<text transform="translate(16 {HEIGHT / 2 - 10:.0f}) rotate(-90)" text-anchor="middle">energy error</text>')
    for method, colour in METHODS:
        points = list(envelope(energies(method)))
        path = " ".join(f"{x(t):.1f},{y(e):.1f}" for t, e in points)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        out.append(f'<text x="{x(UNTIL) + 8:.0f}" y="{y(points[-1][1]) + 4:.1f}" fill="{colour}">{method}</text>')
    out.append("</svg>")
    with open("docs/energy.svg", "w") as f:
        f.write("\n".join(out) + "\n")


main()
