#!/usr/bin/env python3
"""Makes the meshes of the gallery that no shape of the program gives: knots, mail, spikes, funnels, cards.

Run it in this folder; it writes the OBJ files beside it. Plain Python, nothing to install. Lengths are in m.
"""

import math


def write(name, what, vertices, faces=(), lines=()):
    with open(name, "w") as out:
        out.write(f"# {what}\n")
        for v in vertices:
            out.write("v %.7g %.7g %.7g\n" % tuple(v))
        for kind, cells in (("f", faces), ("l", lines)):
            for cell in cells:
                out.write(kind + "".join(f" {i + 1}" for i in cell) + "\n")


# --- curves ----------------------------------------------------------------------------------------


def spline(points, closed=False, pieces=40):
    """A centripetal Catmull-Rom curve through the points, finely sampled."""
    n = len(points)
    at = (lambda i: points[i % n]) if closed else (lambda i: points[min(max(i, 0), n - 1)])
    curve = []
    for i in range(n if closed else n - 1):
        p = [at(i - 1), at(i), at(i + 1), at(i + 2)]
        for k in range(pieces):
            curve.append(catmull(p, k / pieces))
    return curve + ([points[0]] if closed else [points[-1]])


def catmull(p, u):
    mirrored = lambda a, b: tuple(2 * x - y for x, y in zip(a, b))
    a, b, c, d = p
    if a == b:
        a = mirrored(b, c)
    if d == c:
        d = mirrored(c, b)
    knots = [0.0]
    for v, w in ((a, b), (b, c), (c, d)):
        knots.append(knots[-1] + math.sqrt(math.dist(v, w)))
    t = knots[1] + u * (knots[2] - knots[1])
    level = [a, b, c, d]
    for width in (1, 2, 3):
        level = [mix(level[i], level[i + 1], *span(knots, width, i), t) for i in range(len(level) - 1)]
    return level[0]


def span(knots, width, i):
    """Between which knots the i-th point of a level of Barry and Goldman's pyramid is mixed."""
    if width == 1:
        return knots[i], knots[i + 1]
    if width == 2:
        return knots[i], knots[i + 2]
    return knots[1], knots[2]


def mix(v, w, t0, t1, t):
    s = (t - t0) / (t1 - t0)
    return tuple((1 - s) * x + s * y for x, y in zip(v, w))


def resample(curve, edge):
    """Points of the curve about `edge` apart, evenly."""
    lengths = [0.0]
    for v, w in zip(curve, curve[1:]):
        lengths.append(lengths[-1] + math.dist(v, w))
    count = max(1, round(lengths[-1] / edge))
    points, k = [], 0
    for i in range(count + 1):
        target = lengths[-1] * i / count
        while k < len(lengths) - 2 and lengths[k + 1] < target:
            k += 1
        points.append(mix(curve[k], curve[k + 1], lengths[k], lengths[k + 1], target))
    return points


def rods(name, what, curves, edge, closed=False):
    vertices, lines = [], []
    for curve in curves:
        points = resample(curve, edge)
        if closed:
            points.pop()
        first = len(vertices)
        vertices += points
        indices = list(range(first, len(vertices)))
        lines.append(indices + [first] if closed else indices)
    write(name, what, vertices, lines=lines)


# --- knots -----------------------------------------------------------------------------------------


def reef_knot(edge=0.004):
    """Two bights, each around both legs of the other; the legs of one lie on the same side of the other's bend."""
    a, h, far = 0.021, 0.014, 0.2
    bend = [(0.02 + a * math.sin(t), -a * math.cos(t), 0.0) for t in (math.pi * k / 8 for k in range(9))]
    first = [(-far, -a, 0.0), (-0.1, -a, 0.0), (-0.05, -a, 0.0), (-0.02, -a, 0.0)] + bend
    first += [(-0.02, a, 0.0), (-0.05, a, 0.0), (-0.1, a, 0.0), (-far, a, 0.0)]
    half = [(far, -0.008, h), (0.1, -0.008, h), (0.045, -0.008, h), (0.016, -0.007, 0.0)]
    half += [(0.001, -a, -h), (-0.008, -a - 0.015, 0.0), (-0.016, -a, h)]
    second = half + [(-0.018, 0.0, h)] + [(x, -y, z) for x, y, z in reversed(half)]
    rods("reef-knot.obj", "A reef knot, loose: two ropes, four ends.", [spline(first), spline(second)], edge)


def bowline(edge=0.004):
    """The standing part comes from above, turns once (the hole), goes round the big loop, comes up through the hole, passes
    behind the standing part, and goes down the hole again."""
    r, d, h = 0.028, 0.007, 0.018
    points = [(r, 0.22, -d), (r, 0.12, -d), (r, 0.06, -d)]
    for k in range(0, 9):
        t = 2 * math.pi * k / 8
        points.append((r * math.cos(t), -r * math.sin(t), -d + 2 * d * k / 8))
    points += [(r + 0.012, -0.05, d), (r + 0.02, -0.10, 0.0), (r, -0.17, -0.01), (-0.02, -0.19, -0.02)]
    points += [(-0.055, -0.15, -0.02), (-0.05, -0.09, -0.02), (-0.03, -0.04, -0.02)]
    points += [(-0.011, -0.002, 0.0), (-0.006, 0.02, h), (0.004, 0.043, h), (r - 0.009, 0.06, -0.004)]
    points += [(r + 0.004, 0.063, -d - 0.014), (r + 0.02, 0.056, -0.003), (r + 0.006, 0.042, 0.009)]
    points += [(0.016, 0.026, h), (0.009, 0.005, 0.0), (0.006, -0.02, -0.016), (0.006, -0.06, -0.014), (0.006, -0.10, -0.01)]
    rods("bowline.obj", "A bowline, loose.", [spline(points)], edge)


# --- rings -----------------------------------------------------------------------------------------


def mail(columns=9, rows=9, radius=0.02, segments=20, tilt=math.radians(32.0), pitch=0.0285, name="mail.obj"):
    """Four in one: every ring goes through four neighbours. Rings of one row lean one way, those of the next the other."""
    vertices, lines = [], []
    for j in range(rows):
        lean = tilt if j % 2 == 0 else -tilt
        for i in range(columns - j % 2):
            cx = (i + 0.5 * (j % 2) - 0.5 * (columns - 1)) * pitch
            cy = (j - 0.5 * (rows - 1)) * pitch * 0.5
            first = len(vertices)
            for k in range(segments):
                t = 2 * math.pi * (k + 0.5) / segments
                x, y = radius * math.cos(t), radius * math.sin(t)
                vertices.append((cx + x * math.cos(lean), cy + y, x * math.sin(lean)))
            lines.append(list(range(first, first + segments)) + [first])
    write(name, "Chain mail, four in one.", vertices, lines=lines)


def chain(links=8, radius=0.02, stretch=1.5, segments=28, name="chain.obj"):
    """Long links, each turned by a quarter against the last."""
    vertices, lines = [], []
    pitch = 2 * stretch * radius - 0.012
    for i in range(links):
        first = len(vertices)
        for k in range(segments):
            t = 2 * math.pi * k / segments
            x, y = stretch * radius * math.cos(t), radius * math.sin(t)
            vertices.append((i * pitch + x, y if i % 2 == 0 else 0.0, 0.0 if i % 2 == 0 else y))
        lines.append(list(range(first, first + segments)) + [first])
    write(name, "A chain of links.", vertices, lines=lines)


# --- surfaces --------------------------------------------------------------------------------------


def spikes(across=5, pitch=0.16, radius=0.035, height=0.16, sides=6):
    half = 0.8
    vertices = [(-half, -half, 0.0), (half, -half, 0.0), (half, half, 0.0), (-half, half, 0.0)]
    faces = [(0, 1, 2), (0, 2, 3)]
    for i in range(across):
        for j in range(across):
            cx, cy = (i - (across - 1) / 2) * pitch, (j - (across - 1) / 2) * pitch
            first = len(vertices)
            for k in range(sides):
                t = 2 * math.pi * k / sides
                vertices.append((cx + radius * math.cos(t), cy + radius * math.sin(t), 0.004))
            vertices.append((cx, cy, height))
            faces += [(first + k, first + (k + 1) % sides, first + sides) for k in range(sides)]
    write("spikes.obj", "A floor with 25 spikes.", vertices, faces)


def revolved(name, what, profile, sides):
    """A surface of revolution about z: `profile` lists radius and height."""
    vertices, faces = [], []
    for radius, z in profile:
        for k in range(sides):
            t = 2 * math.pi * k / sides
            vertices.append((radius * math.cos(t), radius * math.sin(t), z))
    for level in range(len(profile) - 1):
        for k in range(sides):
            a, b = level * sides + k, level * sides + (k + 1) % sides
            faces += [(a, b, b + sides), (a, b + sides, a + sides)]
    write(name, what, vertices, faces)


def cards(levels=3, width=0.063, height=0.089, across=2, along=4, gap=0.0012, lean=math.radians(20.0)):
    """A house of cards: pairs that lean on each other, a flat card over two neighbouring pairs, and so on up."""
    house = []
    foot, rise = height * math.sin(lean), height * math.cos(lean)
    pitch = 2 * foot + 0.012
    for level in range(levels):
        z = level * (rise + 3 * gap) + gap
        for pair in range(levels - level):
            cx = (pair - 0.5 * (levels - level - 1)) * pitch
            for side in (-1, 1):
                foot_x, top_x = cx + side * (foot + gap / 2), cx + side * gap / 2
                house.append(((foot_x, z), (top_x, z + rise)))
        for flat in range(levels - level - 1):
            cx = (flat - 0.5 * (levels - level - 2)) * pitch
            shift = 0.0006 if flat % 2 else 0.0
            house.append(((cx - height / 2, z + rise + gap + shift), (cx + height / 2, z + rise + gap + shift)))
    vertices, faces = [], []
    for (x0, z0), (x1, z1) in house:
        first = len(vertices)
        for i in range(along + 1):
            for j in range(across + 1):
                s = i / along
                vertices.append((x0 + s * (x1 - x0), (j / across - 0.5) * width, z0 + s * (z1 - z0)))
        for i in range(along):
            for j in range(across):
                a = first + i * (across + 1) + j
                b, c, d = a + across + 1, a + across + 2, a + 1
                faces += [(a, b, c), (a, c, d)] if (i + j) % 2 == 0 else [(a, b, d), (b, c, d)]
    write("cards.obj", "A house of cards, not yet settled.", vertices, faces)


if __name__ == "__main__":
    reef_knot()
    bowline()
    mail()
    chain()
    spikes()
    revolved("funnel.obj", "A funnel.", [(0.16, 0.16), (0.05, 0.0), (0.05, -0.03)], 24)
    revolved("hopper.obj", "A hopper.", [(0.08, 0.16), (0.08, 0.08), (0.018, 0.0)], 16)
    cards()
