"""Cases of groups.py: bodies that turn about a point."""

import numpy as np
from scipy.special import ellipj, ellipkinc

from _bodies import E3, cross, end_of, held, quaternion, quaternion_rate, rotx, rotz, turn
from _groups import IDENTITY, case, compare, extrapolated, free_methods, near, run, state, turned


def elliptic(I, w0, t):
    """omega(t) of a free body, I1 < I2 < I3: Landau and Lifshitz, section 37, where M^2 > 2 E I2."""
    I1, I2, I3 = I
    E2, M2 = sum(i * w * w for i, w in zip(I, w0)), sum((i * w) ** 2 for i, w in zip(I, w0))
    assert M2 > E2 * I2
    a1, a2 = np.sqrt((E2 * I3 - M2) / (I1 * (I3 - I1))), np.sqrt((E2 * I3 - M2) / (I2 * (I3 - I2)))
    a3 = np.sqrt((M2 - E2 * I1) / (I3 * (I3 - I1)))
    k2 = (I2 - I1) * (E2 * I3 - M2) / ((I3 - I2) * (M2 - E2 * I1))
    rate = np.sqrt((I3 - I2) * (M2 - E2 * I1) / (I1 * I2 * I3))
    amplitude = np.arctan2(w0[1] / a2, w0[0] / a1)  # sn = sin, cn = cos; omega3 > 0
    assert w0[2] > 0
    sn, cn, dn, _ = ellipj(ellipkinc(amplitude, k2) + rate * t, k2)
    return np.array([a1 * cn, a2 * sn, a3 * dn])


@case
def free_rigid_body():
    rate = held(np.diag([1.0, 2, 3]))
    want = turned(end_of(rate, IDENTITY + [0.01, 2, 0.01], 4))
    text = compare("free_rigid_body", want, 4, free_methods(0.1))
    model = """[group]
name = "SO(3)"
inertia = [[1, 0, 0], [0, 1.8, 0], [0, 0, 2.5]]
[initial]
g = [1, 0, 0, 0, 1, 0, 0, 0, 1]
xi = [0.7, -0.4, 1.1]
"""
    I, w0 = (1, 1.8, 2.5), (0.7, -0.4, 1.1)
    got = run(model, "-m", "gauss:stages=4", "--step", "0.1", "--until", "10")
    near("omega against elliptic functions", got["xi"], elliptic(I, w0, 10), 1e-11)
    want = turned(end_of(held(np.diag(I)), [*IDENTITY, *w0], 10))
    fourth = [("compose:base=lie_del:order=8", 0.05, 1e-10), ("compose:base=lie_del:order=6", 0.02, 1e-9)]
    compare(model, want, 10, free_methods(0.1) + fourth)
    near("lie_del, extrapolated", extrapolated(model, "lie_del", 0.01, 10), want, 1e-6)
    return text


@case
def heavy_top():
    """It starts where Euler angles are singular, and comes back there."""
    I, mgl = np.diag([1, 1, 0.5]), 1.0

    def torque(t, R, omega):
        return -mgl * cross(E3, R[2])

    want = turned(end_of(held(I, torque), IDENTITY + [0.1, 0, 2], 12))
    # Substeps of compositions are taken in the same chart: measured 1.4e-10. Where charts changed between them: 3.2e-4.
    composed = [("compose:base=lie_del:order=8", 0.05, 1e-10), ("compose:base=midpoint:order=6", 0.05, 2.8e-10)]
    return compare("heavy_top", want, 12, free_methods(0.05) + composed)


@case
def upside_down():
    """A top that starts hanging and swings through its poles, with torques: as [group] and as a coordinate."""
    I, c, mg = np.array([[1.1, 0.1, 0], [0.1, 0.9, -0.05], [0, -0.05, 0.6]]), np.array([0, 0, 1.0]), 1.3
    text = """[group]
name = "SO(3)"
inertia = [[1.1, 0.1, 0], [0.1, 0.9, -0.05], [0, -0.05, 0.6]]
potential = "1.3*g_33"
force = ["-0.05*body(g)[1]", "0.02*sin(t)", "0.3 - 0.1*body(g)[3]"]
[initial]
g = [1, 0, 0, 0, -1, 0, 0, 0, -1]
xi = [3, 0.2, 0]
"""

    def torque(t, R, w):
        return -mg * cross(c, R[2]) + np.array([-0.05 * w[0], 0.02 * np.sin(t), 0.3 - 0.1 * w[2]])

    want = turned(end_of(held(I, torque), [0, 1, 0, 0, 3, 0.2, 0], 8))
    said = compare(text, want, 8, free_methods(0.04))
    mechanics = """coordinates = ["R in SO(3)"]
[definitions]
inertia = [["1.1", "0.1", "0"], ["0.1", "0.9", "-0.05"], ["0", "-0.05", "0.6"]]
[mechanics]
kinetic = "dot(body(R), inertia*body(R))/2"
potential = "1.3*dot(R*[0, 0, 1], [0, 0, 1])"
force = { R = ["-0.05*body(R)[1]", "0.02*sin(t)", "0.3 - 0.1*body(R)[3]"] }
[initial]
q = { R = "rotx(pi)" }
v = { R = [3, 0.2, 0] }
"""
    compare(mechanics, want, 8, free_methods(0.04) + [("compose:base=lie_del:order=8", 0.02, 1e-9)])
    return said


@case
def euler_angles():
    """The symmetric top of the gallery that is written in Euler angles."""
    R = rotx(0.6)  # phi = psi = 0, theta = 0.6 about the first axis
    model = f"""coordinates = ["R in SO(3)"]
[mechanics]
kinetic = "(body(R)[1]^2 + body(R)[2]^2)/2 + body(R)[3]^2/4"
potential = "dot(R*[0, 0, 1], [0, 0, 1])"
[initial]
q = {{ R = {[float(x) for x in R.ravel()]} }}
v = {{ R = [0, 0, 6] }}
"""
    angles = run("heavy_symmetric_top", "-m", "gauss:stages=4", "--step", "0.02", "--until", "10")
    theta, phi, psi = angles["q"]
    dtheta, dphi, dpsi = angles["v"]
    want = [*(rotz(phi) @ rotx(theta) @ rotz(psi)).ravel()]
    s, c = np.sin(psi), np.cos(psi)
    across = dphi * np.sin(theta)
    want += [dtheta * c + across * s, across * c - dtheta * s, dpsi + dphi * np.cos(theta)]
    return compare(model, want, 10, free_methods(0.05))


@case
def asymmetric_top():
    I = np.array([[0.06, 0.004, 0], [0.004, 0.045, -0.003], [0, -0.003, 0.02]])
    centre, weight = np.array([0.05, 0.02, 0.12]), 9.81
    start = [*quaternion(rotz(0.3) @ rotx(0.6)), 3, -1, 12]
    want = turned(end_of(held(I, lambda t, R, w: -weight * cross(centre, R[2])), start, 1))
    return compare("asymmetric_top", want, 1, free_methods(0.01))


@case
def satellite_with_rotors():
    I, J, k = np.array([3.0, 2.2, 1.5]), 0.2, 0.3

    def rate(t, y):  # quaternion, momentum of all, momenta of the rotors, their angles
        momentum, rotors = y[4:7], y[7:10]
        omega = (momentum - rotors) / I
        motors = k * np.array([np.cos(t), np.sin(t), np.cos(t / 2)])
        return np.concatenate([quaternion_rate(y[:4], omega), cross(momentum, omega), motors, rotors / J - omega])

    def rates(y):
        omega = (y[4:7] - y[7:10]) / I
        return [*turn(y[:4]).ravel(), *y[10:13], *omega, *(y[7:10] / J - omega)]

    want = rates(end_of(rate, IDENTITY + 9 * [0], 10))
    text = compare("satellite_with_rotors", want, 10, free_methods(0.1))
    spin = np.array([0.3, -0.2, 0.5])  # and one that turns from the start
    y0 = [*IDENTITY, *(I * spin + J * (spin + [4, 0, -2])), *(J * (spin + [4, 0, -2])), 0, 0, 0]
    start = ["--v", "a=4", "--v", "c=-2", "--v", "R=[0.3, -0.2, 0.5]"]
    compare("satellite_with_rotors", rates(end_of(rate, y0, 5)), 5, free_methods(0.05), *start)
    return text


@case
def hamiltonian():
    """A body beside an ordinary coordinate: by L and by H, from velocities and from momenta."""
    kinetic = "(body(R)[1]^2 + 2*body(R)[2]^2 + 3*body(R)[3]^2 + 0.4*body(R)[1]*x')/2 + x'^2/2"
    inverse = "(p_R[1]^2 - 0.4*p_R[1]*p_x + p_x^2)/1.92 + p_R[2]^2/4 + p_R[3]^2/6"
    potential = "R[3,3]*x + x^2 + R[1,2]"
    ends = []
    for mechanics in (f'lagrangian = "{kinetic} - ({potential})"', f'hamiltonian = "{inverse} + {potential}"'):
        for start in ("v = { R = [0.5, -0.4, 0.7], x = 0.1 }", "p = { R = [0.52, -0.8, 2.1], x = 0.2 }"):
            model = f'coordinates = ["R in SO(3)", "x"]\n[mechanics]\n{mechanics}\n[initial]\n'
            model += f'q = {{ R = "rotx(0.3)", x = 0.2 }}\n{start}\n'
            ends += [state(run(model, "-m", "gauss:stages=4", "--step", "0.05", "--until", "5"))]
    return f"off by {max(near('an end', end, ends[0], 1e-13) for end in ends):.1e}"
