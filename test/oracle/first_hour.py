"""The first hour: 25 models from textbooks, with the mistakes that people make on the way.

Each is a short session: what is typed, what must be answered, in the order in which it happens. The transcript goes to
standard output, to be read; RATTLEBACK is the program.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

program = os.environ["RATTLEBACK"]
folder = tempfile.TemporaryDirectory()
problems = []


def write(name, text):
    with open(os.path.join(folder.name, name), "w") as file:
        file.write(text)


def type_in(command, code, *answers):
    """Runs it in the folder; the exit code and all answers must be there."""
    print(f"$ rattleback {' '.join(command)}")
    done = subprocess.run([program, *command], capture_output=True, text=True, cwd=folder.name,
                          env={**os.environ, "COLUMNS": "80"}, timeout=120)
    text = done.stdout + done.stderr
    print(text.rstrip(), f"[exit {done.returncode}]\n", sep="\n")
    joined = " ".join(text.split())
    for answer in answers:
        if answer not in joined:
            problems.append(f"{' '.join(command)}: '{answer}' is not in\n{text}")
    if done.returncode != code:
        problems.append(f"{' '.join(command)}: exit {done.returncode}, not {code}\n{text}")
    if "-" not in command and any(len(line) > 80 and " | " not in line and folder.name not in line for line in text.splitlines()):
        problems.append(f"{' '.join(command)}: a line is wider than 80 columns\n{text}")
    return done


def energy_error(command):
    out = subprocess.run([program, *command, "--json", "--quiet"], capture_output=True, text=True, cwd=folder.name).stdout
    return json.loads(out)["energy_error_max"]


def session(title):
    print(f"--- {title}\n")


session("1. Pendulum: dots for velocities, no method, no step")
pendulum = '''coordinates = ["theta"]
[parameters]
g = 9.81
[mechanics]
lagrangian = "thetadot^2/2 + g*cos(theta)"
[initial]
q = { theta = "90*deg" }
v = { theta = 0 }
'''
write("pendulum.toml", pendulum)
type_in(["run", "pendulum.toml"], 2, "unknown name 'thetadot'", "a velocity is written with a prime: theta'")
write("pendulum.toml", pendulum.replace("thetadot", "theta'"))
type_in(["run", "pendulum"], 0, "no method is given: gauss:stages=2 is taken", "no step is given", "no end is given",
        "pendulum.toml of this folder is taken")
type_in(["run", "pendulum.toml", "--until", "10"], 0, "energy")
if not energy_error(["run", "pendulum.toml", "--until", "10"]) < 1e-4:
    problems.append("the chosen step does not resolve the pendulum")

session("2. Double pendulum: functions without brackets, products without a sign")
double = '''coordinates = ["a", "b"]
[mechanics]
lagrangian = "a'^2 + b'^2/2 + a'*b'*cos(a - b) + 2*9.81*cos a + 9.81*cos(b)"
[initial]
q = [1, 2]
v = [0, 0]
'''
write("double.toml", double)
type_in(["check", "double"], 2, "'cos' needs brackets around its argument", "write cos(a)")
write("double.toml", double.replace("2*9.81*cos a", "2*9.81cos(a)"))
type_in(["check", "double"], 2, "write '*' for a product")
write("double.toml", double.replace("cos a", "cos(a)"))
type_in(["check", "double"], 0, "take gauss:stages=2", "--all tells why")
type_in(["check", "double", "--equations"], 0, "d/dt(", "sin(")
type_in(["run", "double", "--until", "5", "--plot", "a,b"], 0, "b")

session("3. Mass on a spring: a key above its table")
spring = '''coordinates = ["x"]
lagrangian = "x'^2/2 - x^2/2"
[initial]
q = [1]
v = [0]
'''
write("spring.toml", spring)
type_in(["run", "spring"], 2, "lagrangian belongs in [mechanics]")
write("spring.toml", spring.replace("lagrangian", "[mechanics]\nlagrangian"))
type_in(["run", "spring", "--dt", "0.1", "--until", "6.283185307179586", "-m", "verlet"], 0, "verlet, step")
type_in(["run", "spring", "-m", "velocity_verlet"], 2, "unknown method 'velocity_verlet'")
type_in(["run", "spring", "-m", "leapfrog", "--stpe", "0.1"], 2, "did you mean '--step'?")

session("4. Bead on a rotating hoop: formulas from Python")
hoop = '''coordinates = ["theta"]
[mechanics]
lagrangian = "(theta'**2 + 16*np.sin(theta)**2)/2 + 9.81*np.cos(theta)"
[initial]
q = [0.1]
v = [0]
'''
write("hoop.toml", hoop)
type_in(["run", "hoop"], 2, "'**' is not an operator: write '^'")
write("hoop.toml", hoop.replace("**", "^"))
type_in(["run", "hoop"], 2, "'np.sin' is not known: names have no dots", "write sin")
write("hoop.toml", hoop.replace("**", "^").replace("np.", ""))
type_in(["run", "hoop", "--until", "10"], 0, "gauss:stages=2")

session("5. Kepler's ellipse: symmetric Euler by its name, order")
kepler = '''coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 + 1/sqrt(x^2 + y^2)"
[symmetries]
rotation = { x = "-y", y = "x" }
[initial]
q = [0.5, 0]
v = [0, "sqrt(3)"]
'''
write("kepler.toml", kepler)
type_in(["run", "kepler.toml", "-m", "symplectic_euler", "--step", "0.001", "--until", "2*pi"], 0, "momentum")
type_in(["order", "kepler.toml", "-m", "symplectic_euler", "--step", "0.01"], 0, "the method's order is 1")
type_in(["compare", "kepler.toml", "--until", "6"], 0, "no methods are given", "gauss:stages=2")

session("6. Pendulum in x and y: an equation instead of a formula, a start beside the circle")
rod = '''coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - 9.81*y"
[constraints]
holonomic = ["x^2 + y^2 = 1"]
[initial]
q = [0.6, 0.9]
v = [0, 0]
'''
write("rod.toml", rod)
type_in(["run", "rod"], 2, "an equation a = b is written a - b")
write("rod.toml", rod.replace(" = 1\"", " - 1\""))
type_in(["run", "rod"], 2, "--project")
type_in(["run", "rod", "--project", "--until", "5"], 0, "lobatto:stages=3 is taken", "holonomic")

session("7. Foucault's pendulum: letters that are no letters")
foucault = '''coordinates = ["x", "y"]
[parameters]
omega = 0.1
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 + \u03c9*(x*y' - y*x') - (x^2 + y^2)/2"
[initial]
q = [1, 0]
v = [0, 0]
'''
write("foucault.toml", foucault)
type_in(["run", "foucault"], 2, "write the letter's name")
write("foucault.toml", foucault.replace("\u03c9", "omega"))
type_in(["run", "foucault", "--set", "omga=0.2"], 2, "did you mean 'omega'?")
type_in(["run", "foucault", "--set", "omega=0.2", "--until", "20"], 0, "energy")

session("8. Duffing's oscillator: a force written as a text")
duffing = '''coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2 + x^2/2 - x^4/4"
force = "0.3*cos(1.2*t)"
[initial]
q = [1]
v = [0]
'''
write("duffing.toml", duffing)
type_in(["run", "duffing"], 2, "force must be a table of coordinates")
write("duffing.toml", duffing.replace('"0.3*cos(1.2*t)"', '{ x = "0.3*cos(1.2*t)" }'))
type_in(["run", "duffing", "--until", "20", "-o", "duffing.csv", "--plain-names"], 0, "written duffing.csv")
with open(os.path.join(folder.name, "duffing.csv")) as file:
    if "t,x,x_dot,p_x" not in file.read():
        problems.append("no plain names in duffing.csv")

session("9. Damped oscillator: Rayleigh's function")
damped = '''coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2 - x^2/2"
disipation = "0.05*x'^2"
[initial]
q = [1]
v = [0]
'''
write("damped.toml", damped)
type_in(["run", "damped"], 2, "did you mean 'dissipation'?")
write("damped.toml", damped.replace("disipation", "dissipation"))
type_in(["run", "damped", "--at", "1,2.5,4", "-o", "-", "--step", "0.1"], 0, "2.5,", "4,")
type_in(["check", "damped", "--latex"], 0, "F_{x}")

session("10. Atwood's machine: too few numbers")
atwood = '''coordinates = ["x"]
[parameters]
m = 2
[mechanics]
lagrangian = "(1 + m)*x'^2/2 - 9.81*(1 - m)*x"
[initial]
q = []
v = [0]
'''
write("atwood.toml", atwood)
type_in(["run", "atwood"], 2, "q has 0 values, 1 is needed")
write("atwood.toml", atwood.replace("q = []", "q = [0]"))
type_in(["run", "atwood", "--until", "1"], 0, "x = 1.635")

session("11. Rolling disc: velocities under holonomic")
disc = '''coordinates = ["x", "y", "phi", "psi"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 + phi'^2/4 + psi'^2/8"
[constraints]
holonomic = ["x' - cos(psi)*phi'", "y' - sin(psi)*phi'"]
[initial]
q = [0, 0, 0, 0]
v = [1, 0, 1, 0.5]
'''
write("disc.toml", disc)
type_in(["run", "disc"], 2, "with velocities it belongs under velocity")
write("disc.toml", disc.replace("holonomic", "velocity"))
type_in(["run", "disc", "--until", "10"], 0, "nh_gauss:stages=2 is taken", "on velocities, largest residual")

session("12. Skate: a method for other constraints")
skate = '''coordinates = ["x", "y", "theta"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + theta'^2)/2 - 0.5*x"
[constraints]
velocity = ["x'*sin(theta) - y'*cos(theta)"]
[initial]
q = [0, 0, 0]
v = [1, 0, 1]
'''
write("skate.toml", skate)
type_in(["run", "skate", "-m", "rattle", "--step", "0.1", "--until", "5"], 2, "try nh_gauss or nh_rattle")
type_in(["compare", "skate", "-m", "rattle,nh_gauss,gni", "--step", "0.1", "--until", "5"], 0, "rattle is left out")

session("13. Free body: a turn as three numbers")
body = '''coordinates = ["R in SO(3)"]
[mechanics]
lagrangian = "(body(R)[1]^2 + 2*body(R)[2]^2 + 3*body(R)[3]^2)/2"
[initial]
q = { R = [1, 0, 0] }
v = { R = [0.1, 2, 0.1] }
'''
write("body.toml", body)
type_in(["run", "body"], 2, "R")
write("body.toml", body.replace("[1, 0, 0]", '"rotx(10*deg)"'))
type_in(["run", "body", "--until", "10"], 0, "gauss:stages=2 is taken")

session("14. Chain: the wall is missing")
chain = '''coordinates = ["x[1..n]"]
[parameters]
n = 8
[mechanics]
kinetic = "sum(i in 1..n: x[i]'^2/2)"
potential = "sum(i in 0..n: (x[i+1] - x[i])^2/2)"
[initial]
q = { "x[i]" = "sin(pi*i/(n+1))" }
v = { "x[i]" = 0 }
'''
write("chain.toml", chain)
type_in(["run", "chain"], 2, "x[0] does not exist", "border")
write("chain.toml", chain.replace("[mechanics]", '[definitions]\n"x[0]" = 0\n"x[n+1]" = 0\n[mechanics]'))
type_in(["run", "chain", "--until", "10"], 0, "x[1] =")

session("15. Membrane: two indices")
membrane = '''coordinates = ["u[1..n,1..n]"]
[parameters]
n = 6
[definitions]
"u[0,j]" = 0
"u[n+1,j]" = 0
"u[i,0]" = 0
"u[i,n+1]" = 0
[mechanics]
kinetic = "sum(i in 1..n: sum(j in 1..n: u[i]'^2/2))"
potential = "sum(i in 0..n: sum(j in 1..n: (u[i+1,j] - u[i,j])^2/2)) + sum(i in 1..n: sum(j in 0..n: (u[i,j+1] - u[i,j])^2/2))"
[initial]
q = { "u[i,j]" = "sin(pi*i/(n+1))*sin(pi*j/(n+1))" }
v = { "u[i,j]" = 0 }
'''
write("membrane.toml", membrane)
type_in(["run", "membrane"], 2, "'u' is a family with two indices: write u[i,j]")
write("membrane.toml", membrane.replace("u[i]'", "u[i,j]'"))
type_in(["run", "membrane", "--until", "5", "--plot", "u[3,4]"], 0, "u[1,1] =")

session("16. A Hamiltonian of z: a matrix that is not antisymmetric")
general = '''variables = ["x", "y"]
[hamiltonian]
formula = "(x^2 + y^2)/2"
structure = [[0, 1], [1, 0]]
[initial]
z = [1, 0]
'''
write("general.toml", general)
type_in(["run", "general"], 2, "structure must be antisymmetric")
write("general.toml", general.replace("[[0, 1]", "[[0, -1]"))
type_in(["run", "general", "--until", "5"], 0, "gauss:stages=2 is taken")

session("17. The gallery: a name that is almost right, words to look for")
type_in(["run", "duble_pendulum"], 2, "did you mean 'double_pendulum'?")
type_in(["gallery", "bicycle"], 0, "whipple_bicycle")
type_in(["run", "double_pendulum.toml", "--until", "1"], 0, "the gallery's double_pendulum is taken")
type_in(["simulate", "pendulum"], 2, "verbs are run")

session("18. Spherical pendulum: degrees, a momentum that is missing")
sphere = '''coordinates = ["theta", "phi"]
[mechanics]
lagrangian = "(theta'^2 + sin(theta)^2*phi'^2)/2 + 9.81*cos(theta)"
[initial]
q = { theta = "60deg", phi = 0 }
v = { theta = 0, phi = 2 }
'''
write("sphere.toml", sphere)
type_in(["run", "sphere"], 2, "write '*' for a product")
write("sphere.toml", sphere.replace("60deg", "60*deg"))
type_in(["run", "sphere", "--q", "theta=45deg", "--until", "5"], 0, "energy")

session("19. A measured force: the file is not there")
measured = '''coordinates = ["x"]
[tables]
u = "u.csv"
[mechanics]
lagrangian = "x'^2/2 - x^2/2"
force = { x = "u" }
[initial]
q = [0]
v = [0]
'''
write("measured.toml", measured)
type_in(["run", "measured"], 2, "u.csv: cannot open the file")
write("u.csv", "t,u\n0,0\n1,1\n5,0\n")
type_in(["run", "measured"], 2, "'u' is a table: it is a function of one argument, like u(t)")
write("measured.toml", measured.replace('"u" }', '"u(t)" }'))
type_in(["run", "measured", "--until", "5"], 0, "x =")
type_in(["run", "measured", "--until", "8"], 1, "a table has no values outside its points")

session("20. A model of one's own, from the beginning")
type_in(["new", "own"], 0, "written own.toml")
type_in(["new", "own"], 2, "exists already")
type_in(["run", "own", "--plot", "theta"], 0, "theta")
type_in(["export", "own", "-o", "own.c"], 0, "written own.c and own.h")
if os.system(f"cd {folder.name} && cc -std=c99 -Down_EXAMPLE own.c -lm -o own && ./own > own.txt") != 0:
    problems.append("the exported example does not run")
if open(os.path.join(folder.name, "own.h")).read().count("own_state_theta = 0") != 1:
    problems.append("the exported header does not name its states")

session("21. A quarter car on a bump: it rests at first, is driven later, and is stiff; words of other languages")
car = '''name = "quarter car on a bump"
coordinates = ["zs", "zu"]
[parameters]
ms = 290
mu = 59
ks = 16182
kt = 190000
c = 1000
A = 0.05
[definitions]
road = "if(t > 1 and t < 1.25, A/2*(1 - cos(8*pi*(t - 1))), 0)"
[mechanics]
kinetic = "ms/2*zs'^2 + mu/2*zu'^2"
potential = "ks/2*(zs - zu)^2 + kt/2*(zu - road)^2"
dissipation = "c/2*(zs' - zu')^2"
[initial]
q = { zs = 0, zu = 0 }
v = { zs = 0, zu = 0 }
[run]
until = 4
'''
write("car.toml", car.replace('"if(t > 1 and', '"t > 1 ? A : 0 + if(t > 1 and'))
type_in(["check", "car"], 2, "'?' is not known: write if(condition, a, b)")
write("car.toml", car.replace("dissipation", "damping"))
type_in(["check", "car"], 2, "unknown key 'damping' in [mechanics]", "did you mean 'dissipation'?")
write("car.toml", car)
type_in(["run", "car"], 0, "beside the start, where nothing moves", "not conserved: forces do work", "balance kept to")
type_in(["run", "car", "-s", "0.2"], 0, "the steps are too large to follow this motion")
type_in(["compare", "car", "-s", "0.2"], 0, "none of these follows the motion; take a smaller step")
type_in(["verify", "car"], 0, "symmetric yes 0 0 pass", "order 4 - - not applicable",
        "nothing moves until t = 0.00025: an order cannot be seen")
type_in(["verify", "car", "--q", "zs=0.1"], 0, "order 4 4 - pass", "forces do work")

session("22. A geostationary satellite in SI units: numbers of 1e7 and 1e14")
geo = '''name = "geostationary satellite with J2"
coordinates = ["x", "y", "z"]
[parameters]
GM = 3.986004418e14
R = 6378137
J2 = 1.08263e-3
m = 1200
[definitions]
r = "sqrt(x^2 + y^2 + z^2)"
[mechanics]
kinetic = "m/2*(x'^2 + y'^2 + z'^2)"
potential = "-m*GM/r*(1 - J2*(R/r)^2*(3*z^2/r^2 - 1)/2)"
[symmetries]
about_z = { x = "-y", y = "x" }
[initial]
q = { x = 42164000, y = 0, z = 0 }
v = { x = 0, y = 3074.66, z = 10 }
[run]
until = 864000
'''
write("geo.toml", geo.replace("864000", '"10*day"'))
type_in(["run", "geo"], 2, "unknown name 'day'")
write("geo.toml", geo)
type_in(["run", "geo"], 0, "no step is given", "energy", "about_z")
step = float(re.search(r"no step is given: (\S+) is", type_in(["run", "geo"], 0).stderr).group(1))
if not 20 <= step <= 2000:
    problems.append(f"a step of {step} s for a day's orbit")
type_in(["order", "geo"], 0, "observed order 4")
type_in(["verify", "geo"], 0, "order 4 4")

session("23. A pendulum over three magnets: damped, and chaotic before it comes to rest")
magnets = '''name = "magnetic pendulum"
coordinates = ["x", "y"]
[parameters]
k = 0.5
c = 0.2
d = 0.3
[definitions]
V = "-1/sqrt((x-1)^2+y^2+d^2) - 1/sqrt((x+1/2)^2+(y-sqrt(3)/2)^2+d^2) - 1/sqrt((x+1/2)^2+(y+sqrt(3)/2)^2+d^2)"
[mechanics]
kinetic = "(x'^2+y'^2)/2"
potential = "k/2*(x^2+y^2) + V"
force = { x = "-c*x'", y = "-c*y'" }
[initial]
q = { x = 1.5, y = 1.2 }
v = { x = 0, y = 0 }
[run]
until = 50
'''
write("magnets.toml", magnets.replace("(x-1)^2", "(x-1)**2"))
type_in(["check", "magnets"], 2, "'**' is not an operator: write '^'")
write("magnets.toml", magnets)
type_in(["run", "magnets"], 0, "not conserved: forces do work", "balance kept to")
type_in(["compare", "magnets", "-m", "gauss:stages=2,rk4,verlet"], 0, "For short accurate runs", "energy balance")
type_in(["verify", "magnets"], 0, "order 4 3.998 - pass", "forces do work")

session("24. A penny with a motor: small numbers; constraints under another name, and as equations")
penny = '''name = "motorised penny"
coordinates = ["x", "y", "phi", "psi"]
[parameters]
m = 0.0025
r = 0.01
I = 1.25e-7
J = 6.25e-8
tau = 1e-6
[mechanics]
kinetic = "m/2*(x'^2+y'^2) + I/2*phi'^2 + J/2*psi'^2"
potential = "0"
force = { phi = "tau*cos(3*t)", psi = "-1e-8*psi'" }
[constraints]
velocity = ["x' - r*phi'*cos(psi)", "y' - r*phi'*sin(psi)"]
[initial]
q = { x = 0, y = 0, phi = 0, psi = 0 }
v = { x = 0, y = 0, phi = 0, psi = 2 }
[run]
until = 10
'''
write("penny.toml", penny.replace("velocity =", "nonholonomic ="))
type_in(["check", "penny"], 2, "did you mean 'velocity'?")
write("penny.toml", penny.replace("x' - r*phi'", "x' = r*phi'"))
type_in(["check", "penny"], 2, "an equation a = b is written a - b")
write("penny.toml", penny.replace("phi = 0, psi = 2", "phi = 5, psi = 2"))
type_in(["run", "penny"], 2, "the initial data are off the constraint", "use --project")
type_in(["run", "penny", "--project"], 0, "not conserved: forces do work")
write("penny.toml", penny)
type_in(["run", "penny"], 0, "not conserved: forces do work", "constraint on velocities")
type_in(["verify", "penny"], 0, "order 4 4.002 - pass", "forces do work")

session("25. Charged beads: pairs of a family, as a definition with two indices")
beads = '''name = "charged beads on a ring of springs"
coordinates = ["x[1..n]", "y[1..n]"]
[parameters]
n = 6
k = 50
q2 = 0.3
[definitions]
"r[i,j]" = "sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2)"
[mechanics]
kinetic = "sum(i in 1..n: x[i]'^2 + y[i]'^2)/2"
potential = "sum(i in 1..n-1: k/2*(r[i,i+1] - 1)^2) + k/2*(r[n,1] - 1)^2 + sum(i in 1..n, j in i+1..n: q2/r[i,j])"
[symmetries]
along_x = { "x[i]" = 1 }
turn = { "x[i]" = "-y[i]", "y[i]" = "x[i]" }
[initial]
q = { "x[i]" = "cos(2*pi*i/n)", "y[i]" = "1.3*sin(2*pi*i/n)" }
v = { "x[i]" = 0, "y[i]" = 0.1 }
[run]
until = 20
'''
write("beads.toml", beads.replace("r[n,1]", "r[n]"))
type_in(["check", "beads"], 2, "'r' is a definition with two indices: write r[i,j]")
write("beads.toml", beads.replace("r[n,1]", "r[n][1]"))
type_in(["check", "beads"], 2, "write x[i]', not x'[i]; A[i, j], not A[i][j]")
write("beads.toml", beads.replace("i in 1..n, j in i+1..n", "i < j"))
type_in(["check", "beads"], 2, "a sum needs a range before ':'", "sum(i in 1..n, j in i+1..n: ...)")
write("beads.toml", beads.replace("j in i+1..n", "j in 1..n"))
no_pair = type_in(["run", "beads"], 2, "a value is not finite: q2/0")
if "still differ" in no_pair.stderr:
    problems.append("a step is proposed for a start that has no motion")
write("beads.toml", beads)
type_in(["run", "beads"], 0, "momentum along_x 0", "momentum turn")

if problems:
    sys.exit("\n\n".join(problems))
