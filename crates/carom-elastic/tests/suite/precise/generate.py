"""Energies and gradients of every element to fifty digits, for tests/suite/precise.rs.

Run `python generate.py` with mpmath installed; it rewrites the *.csv beside it, always the same.

The formulas are the definitions of continuum mechanics and geometry: deformation gradients, angles
by inverse trigonometric functions, curvature as a tensor in the plane of the triangle. They are not
those of the kernels (which have no frames and hardly any angle), so an error would have to be made
twice, in two ways. Gradients are derivatives of these energies by mpmath at high precision.

A row holds the parameters, the rest shape, the shape, the energy in J and the gradient in N. Inputs
are written so that they are exactly the doubles the test reads.
"""

import csv
import pathlib
import random

from mpmath import mp, mpf, matrix, sqrt, log, atan2, tan, diff, nstr

mp.dps = 60
HERE = pathlib.Path(__file__).parent


# Vectors are lists of three numbers.
def sub(a, b): return [p - q for p, q in zip(a, b)]
def dot(a, b): return sum(p * q for p, q in zip(a, b))
def norm(a): return sqrt(dot(a, a))
def scale(a, s): return [p * s for p in a]
def cross(a, b): return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
def area(a, b, c): return norm(cross(sub(b, a), sub(c, a))) / 2


def angle(u, v):
    """The angle between two vectors, from 0 to pi."""
    return atan2(norm(cross(u, v)), dot(u, v))


def plane(a, b, c):
    """Coordinates of the three points in an orthonormal frame of their plane."""
    first = scale(sub(b, a), 1 / norm(sub(b, a)))
    normal = cross(sub(b, a), sub(c, a))
    second = cross(scale(normal, 1 / norm(normal)), first)
    return [[dot(sub(p, a), first), dot(sub(p, a), second)] for p in (a, b, c)]


def deformation(rest, now):
    """The deformation gradient of a simplex, from rest coordinates to points in space."""
    n = len(rest) - 1
    rest_edges = matrix([[rest[k + 1][i] - rest[0][i] for k in range(n)] for i in range(n)])
    edges = matrix([[now[k + 1][i] - now[0][i] for k in range(n)] for i in range(3)])
    return edges * rest_edges**-1


def trace(m): return sum(m[i, i] for i in range(m.rows))


def dihedral(a, b, c, d):
    """Signed angle between triangles (a, b, c) and (b, a, d): positive if d is below the first."""
    first, second = cross(sub(b, a), sub(c, a)), cross(sub(a, b), sub(d, b))
    unsigned = angle(first, second)
    return unsigned if dot(first, sub(d, a)) < 0 else -unsigned


def plane_stress_density(tensor, young, poisson):
    """E/(2(1 - nu^2)) [nu tr^2 + (1 - nu) tr of the square]: Hooke's law in a sheet."""
    return young / (2 * (1 - poisson**2)) * (poisson * trace(tensor)**2 + (1 - poisson) * trace(tensor * tensor))


def spring(p, rest, x):
    stiffness, length = p
    return stiffness / 2 * (norm(sub(x[1], x[0])) - length)**2


def membrane_stvk(p, rest, x):
    young, poisson, thickness = p
    f = deformation(plane(*rest), x)
    green = (f.T * f - mp.eye(2)) / 2
    return thickness * area(*rest) * plane_stress_density(green, young, poisson)


def membrane_neo_hookean(p, rest, x):
    young, poisson, thickness = p
    alpha, beta = young * poisson / (1 - poisson**2), young / (2 * (1 + poisson))
    f = deformation(plane(*rest), x)
    right = f.T * f
    log_j = log(mp.det(right)) / 2
    density = (beta * (trace(right) - 2 - 2 * log_j) + alpha * log_j**2) / 2
    return thickness * area(*rest) * density


def curvature(rest, x, flags):
    """The curvature of a triangle as a tensor of its rest plane: per edge, twice the altitude times
    the tangent of half the angle, times the square of the gradient of the opposite corner's
    barycentric coordinate."""
    flat = plane(*rest[:3])
    corner = matrix([[1, flat[0][0], flat[0][1]], [1, flat[1][0], flat[1][1]], [1, flat[2][0], flat[2][1]]])
    gradients = corner**-1
    total = mp.zeros(2)
    for i in range(3):
        if flags[i] == 0:
            continue
        j, k = (i + 1) % 3, (i + 2) % 3
        altitude = 2 * area(*x[:3]) / norm(sub(x[k], x[j]))
        form = 2 * altitude * tan(dihedral(x[j], x[k], x[i], x[3 + i]) / 2)
        slope = matrix([gradients[1, i], gradients[2, i]])
        total += form * slope * slope.T
    return total


def bending_midedge(p, rest, x):
    young, poisson, thickness, *flags = p
    bent = curvature(rest, x, flags) - curvature(rest, rest, flags)
    return thickness**3 / 12 * area(*rest[:3]) * plane_stress_density(bent, young, poisson)


def bending_hinge(p, rest, x):
    young, poisson, thickness = p
    rigidity = young * thickness**3 / (12 * (1 - poisson**2))
    a, b, c, d = rest
    stiffness = rigidity * dot(sub(b, a), sub(b, a)) / (area(a, b, c) + area(a, b, d))
    return stiffness / 2 * (dihedral(*x) - dihedral(*rest))**2


def bending_quadratic(p, rest, x):
    """The cotangents of the four angles on the edge, at rest, weigh the points."""
    young, poisson, thickness = p
    rigidity = young * thickness**3 / (12 * (1 - poisson**2))
    a, b, c, d = rest
    def cot(at, to, corner): return 1 / tan(angle(sub(to, at), sub(corner, at)))
    weights = [
        cot(b, a, c) + cot(b, a, d), cot(a, b, c) + cot(a, b, d),
        -cot(a, b, c) - cot(b, a, c), -cot(a, b, d) - cot(b, a, d),
    ]
    total = [sum(w * point[i] for w, point in zip(weights, x)) for i in range(3)]
    return rigidity / (2 * (area(a, b, c) + area(a, b, d))) * dot(total, total)


def rod_bend(p, rest, x):
    (stiffness,) = p
    def bend(x): return 2 * tan(angle(sub(x[1], x[0]), sub(x[2], x[1])) / 2)
    length = (norm(sub(rest[1], rest[0])) + norm(sub(rest[2], rest[1]))) / 2
    return stiffness / (2 * length) * (bend(x) - bend(rest))**2


def turned(v, axis, by):
    """The vector v turned about the unit vector `axis` (Rodrigues)."""
    along = scale(axis, dot(axis, v) * (1 - mp.cos(by)))
    return [mp.cos(by) * a + mp.sin(by) * b + c for a, b, c in zip(v, cross(axis, v), along)]


def unit(v): return scale(v, 1 / norm(v))


def least_turn(v, a, b):
    """The vector v after the least rotation from the direction a to the direction b."""
    axis = cross(a, b)
    return v if norm(axis) == 0 else turned(v, unit(axis), angle(a, b))


def signed_angle(a, b, axis):
    return atan2(dot(axis, cross(a, b)), dot(a, b))


def rod_joint(p, rest, x, held):
    """The last two points are angles, in x; the frames are those of the shape `held`, carried along with the edges."""
    bend, twist, natural, *director, reference = p
    then = [unit(sub(held[1], held[0])), unit(sub(held[2], held[1]))]
    now = [unit(sub(x[1], x[0])), unit(sub(x[2], x[1]))]
    across = unit(sub(director, scale(then[0], dot(director, then[0]))))
    frames = [across, turned(least_turn(across, then[0], then[1]), then[1], reference)]
    frames = [least_turn(f, a, b) for f, a, b in zip(frames, then, now)]
    # The angle between the frames is near `reference`; how many whole turns is known from there.
    between = signed_angle(least_turn(frames[0], now[0], now[1]), frames[1], now[1])
    between += 2 * mp.pi * mp.nint((reference - between) / (2 * mp.pi))
    material = [turned(f, t, a[0]) for f, t, a in zip(frames, now, x[3:])]
    binormal = scale(unit(cross(*now)), 2 * tan(angle(*now) / 2))
    mean = scale([a + b for a, b in zip(*material)], mpf(1) / 2)
    bent = dot(binormal, binormal) - 2 * natural * dot(binormal, mean) + natural**2
    return bend / 2 * bent + twist / 2 * (x[4][0] - x[3][0] + between)**2


def volume(a, b, c, d): return abs(dot(cross(sub(b, a), sub(c, a)), sub(d, a))) / 6


def solid(p):
    young, poisson = p
    return young * poisson / ((1 + poisson) * (1 - 2 * poisson)), young / (2 * (1 + poisson))


def tet_stvk(p, rest, x):
    lam, mu = solid(p)
    f = deformation(rest, x)
    green = (f.T * f - mp.eye(3)) / 2
    return volume(*rest) * (lam / 2 * trace(green)**2 + mu * trace(green * green))


def tet_neo_hookean(p, rest, x):
    lam, mu = solid(p)
    f = deformation(rest, x)
    log_j = log(mp.det(f))
    return volume(*rest) * (mu / 2 * (trace(f.T * f) - 3) - mu * log_j + lam / 2 * log_j**2)


def gravity(p, rest, x):
    mass, *acceleration = p
    return -mass * dot(acceleration, x[0])


def load(p, rest, x):
    return -dot(p, x[0])


def lennard_jones(p, rest, x):
    depth, diameter = p
    r = norm(sub(x[1], x[0]))
    return 4 * depth * ((diameter / r)**12 - (diameter / r)**6)


def inverse_distance(p, rest, x):
    (strength,) = p
    return strength / norm(sub(x[1], x[0]))


TRIANGLE = [[0, 0, 0], [1, 0.1, 0], [0.4, 0.9, 0]]
SHEET = TRIANGLE + [[1.3, 1, 0], [-0.6, 0.7, 0], [0.6, -0.8, 0]]
HINGE = [[0, 0, 0], [1, 0.1, 0], [0.3, 0.8, 0], [0.6, -0.7, 0]]
JOINT = [[0, 0, 0], [1, 0.25, 0.5], [1.7, 0.9, 0.8], [0.3, 0, 0], [-0.2, 0, 0]]
CORNER = [[0, 0, 0], [1, 0.25, 0.5], [2, 0.5, 1]]
TET = [[0, 0, 0], [1, 0.1, -0.1], [0.3, 0.9, 0.2], [0.2, 0.3, 0.9]]
PAIR = [[0, 0, 0], [1, 0.2, -0.3]]
SHELLS = [(70, 0.3, 0.1), (2.1e11, 0.25, 1e-3), (3e9, 0, 0.01), (1e5, 0.45, 0.02), (500, -0.2, 0.2)]
SOLIDS = [(70, 0.3), (2.1e11, 0.25), (3e9, 0), (1e5, 0.45), (500, 0.1)]
BORDERS = [(1, 1, 1), (1, 1, 1), (0, 1, 1), (1, 0, 0), (1, 1, 1)]

# kind: energy, typical shape, parameters of the five stencils, how far a vertex strays from rest.
KINDS = {
    "spring": (spring, PAIR, [(40, 0.8), (1e6, 1.1), (3, 0.1), (0.2, 2), (7, 1)], 0.4),
    "membrane-stvk": (membrane_stvk, TRIANGLE, SHELLS, 0.3),
    "membrane-neo-hookean": (membrane_neo_hookean, TRIANGLE, SHELLS, 0.2),
    "bending-midedge": (bending_midedge, SHEET, [s + b for s, b in zip(SHELLS, BORDERS)], 0.25),
    "bending-hinge": (bending_hinge, HINGE, SHELLS, 0.25),
    "bending-quadratic": (bending_quadratic, HINGE, SHELLS, 0.25),
    "rod-bend": (rod_bend, CORNER, [(3,), (1e-4,), (20,), (0.7,), (1e3,)], 0.25),
    "rod-joint": (
        rod_joint, JOINT,
        [(3, 2, 0, 0, 0, 1, 0), (1e-4, 3e-4, 0.5, 0, 1, 1, 1), (20, 10, 0.3, -1, 0.2, 0.1, -7), (0.7, 0.1, 1.5, 1, -1, 0, 3), (1e3, 4e3, 0.1, 0.3, 1, 0, 40)],
        0.2,
    ),
    "tet-stvk": (tet_stvk, TET, SOLIDS, 0.3),
    "tet-neo-hookean": (tet_neo_hookean, TET, SOLIDS, 0.12),
    "gravity": (gravity, [[0.3, 0.2, 1.5]], [(2, 0, 0, -9.81), (0.1, 0, -9.81, 0), (5, 1, 2, 3), (1, 0, 0, 1.62), (3, -2, 0.5, 0)], 0.4),
    "load": (load, [[0.3, 0.2, 1.5]], [(1, -2.5, 0.3), (0, 0, 1e6), (1e-3, 0, 0), (4, 5, 6), (-1, 1, -1)], 0.4),
    "pair-lennard-jones": (lennard_jones, PAIR, [(1.3, 0.9), (1.6e-21, 1.1), (2, 0.5), (0.1, 1), (1, 0.95)], 0.2),
    "pair-inverse-distance": (inverse_distance, PAIR, [(-3,), (2,), (1e-10,), (-4e14,), (0.5,)], 0.4),
}


REMEMBER = {"rod-joint"}


def strayed(rng, shape, reach, size):
    """The shape with every coordinate moved at random, as short decimals."""
    return [[round(size * (c + reach * rng.uniform(-1, 1)), 7) for c in point] for point in shape]


def rows(kind):
    energy, shape, parameters, reach = KINDS[kind]
    rng = random.Random(kind)
    # One flat (or straight) rest shape as it stands, four at random; one small, one near rest.
    for number, p in enumerate(parameters):
        size = 1e-2 if number == 1 else 1.0
        rest = strayed(rng, shape, 0.0 if number == 0 else 0.5 * reach, size)
        x = strayed(rng, [[c / size for c in q] for q in rest], 0.04 if number == 2 else reach, size)
        exact_p, exact_rest = [mpf(v) for v in p], [[mpf(c) for c in q] for q in rest]
        exact_x = [mpf(c) for q in x for c in q]

        def points(x): return [x[k:k + 3] for k in range(0, len(x), 3)]

        # What remembers is held to what it saw at x.
        held = [points(exact_x)] if kind in REMEMBER else []

        def at(i, value):
            moved = exact_x[:i] + [value] + exact_x[i + 1:]
            return energy(exact_p, exact_rest, points(moved), *held)

        yield (
            [repr(float(v)) for v in p]
            + [repr(float(c)) for q in rest for c in q]
            + [repr(float(c)) for q in x for c in q]
            + [nstr(at(0, exact_x[0]), 25)]
            + [nstr(diff(lambda v, i=i: at(i, v), exact_x[i]), 25) for i in range(len(exact_x))]
        )


def header(kind):
    shape, parameters = KINDS[kind][1], KINDS[kind][2]
    axes = [f"{k}{a}" for k in range(len(shape)) for a in "xyz"]
    return (
        [f"p{k}" for k in range(len(parameters[0]))]
        + [f"rest_{a}" for a in axes]
        + [f"x_{a}" for a in axes]
        + ["energy"]
        + [f"g_{a}" for a in axes]
    )


if __name__ == "__main__":
    for kind in KINDS:
        with open(HERE / f"{kind}.csv", "w", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header(kind))
            writer.writerows(rows(kind))
