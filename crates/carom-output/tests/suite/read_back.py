"""Reads a series with meshio and with VTK and compares every number with a JSON file.

    python read_back.py RUN/frames.pvd expected.json

The JSON file is a list of frames as tests/suite/read_back.rs writes it. Numbers must be equal to the
last bit, and both readers must agree on names, kinds of cell and times.
"""

import json
import pathlib
import sys
import xml.etree.ElementTree as ElementTree

import meshio
import numpy as np
import vtk
from vtk.util.numpy_support import vtk_to_numpy

# In the order in which cells are numbered.
VTK_TYPES = {"vertex": vtk.VTK_VERTEX, "line": vtk.VTK_LINE, "triangle": vtk.VTK_TRIANGLE, "tetra": vtk.VTK_TETRA}


def same(what, found, wanted):
    """Fails unless two arrays have the same shape and the same numbers."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    if found.shape != wanted.shape or not np.array_equal(found, wanted):
        sys.exit(f"{what}: {found.shape} {found.dtype} differs from {wanted.shape}")


def with_meshio(path, frame):
    mesh = meshio.read(path)
    same("meshio points", mesh.points, frame["points"])
    for name in ("velocity", "height_m"):
        same(f"meshio {name}", mesh.point_data[name], frame[name])
    same("meshio body", mesh.point_data["body"], frame["vertex_body"])
    kinds = [kind for kind in VTK_TYPES if frame["cells"][kind]]
    if [block.type for block in mesh.cells] != kinds:
        sys.exit(f"meshio: cells of {[block.type for block in mesh.cells]}, not {kinds}")
    for block in mesh.cells:
        same(f"meshio {block.type}", block.data, frame["cells"][block.type])
    for name, key in (("body", "cell_body"), ("step_s", "step_s"), ("energy_density", "energy_density")):
        same(f"meshio {key}", np.concatenate(mesh.cell_data[name]), frame[key])
    same("meshio time", mesh.field_data["TimeValue"], [frame["time_s"]])
    same("meshio tick", mesh.field_data["tick"], [frame["tick"]])


def with_vtk(path, frame):
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    grid = reader.GetOutput()
    points, cells, fields = grid.GetPointData(), grid.GetCellData(), grid.GetFieldData()
    same("vtk points", vtk_to_numpy(grid.GetPoints().GetData()), frame["points"])
    same("vtk active vectors", vtk_to_numpy(points.GetVectors()), frame["velocity"])
    for name, key in (("velocity", "velocity"), ("height_m", "height_m"), ("body", "vertex_body")):
        same(f"vtk {key}", vtk_to_numpy(points.GetArray(name)), frame[key])
    for name, key in (("body", "cell_body"), ("step_s", "step_s"), ("energy_density", "energy_density")):
        same(f"vtk {key}", vtk_to_numpy(cells.GetArray(name)), frame[key])
    same("vtk time", vtk_to_numpy(fields.GetArray("TimeValue")), [frame["time_s"]])
    same("vtk tick", vtk_to_numpy(fields.GetArray("tick")), [frame["tick"]])
    lists = [(kind, frame["cells"][kind]) for kind in VTK_TYPES]
    types = [VTK_TYPES[kind] for kind, cells in lists for _ in cells]
    same("vtk types", [grid.GetCellType(c) for c in range(grid.GetNumberOfCells())], types)
    flat = [v for _, cells in lists for cell in cells for v in cell]
    same("vtk connectivity", vtk_to_numpy(grid.GetCells().GetConnectivityArray()), flat)


def main():
    series, expected = map(pathlib.Path, sys.argv[1:3])
    frames = json.loads(expected.read_text())
    entries = ElementTree.parse(series).getroot().findall("./Collection/DataSet")
    same("times", [float(e.get("timestep")) for e in entries], [f["time_s"] for f in frames])
    for entry, frame in zip(entries, frames, strict=True):
        path = series.parent / entry.get("file")
        with_meshio(path, frame)
        with_vtk(path, frame)
    print(f"all frames equal: {len(frames)}, meshio {meshio.__version__}, VTK {vtk.vtkVersion().GetVTKVersion()}")


if __name__ == "__main__":
    main()
