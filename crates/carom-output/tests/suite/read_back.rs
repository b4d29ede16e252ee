//! A series written here is read back by meshio and by VTK, and every number compared.
//!
//! Needs a Python with both: the one that `CAROM_PYTHON` names, or `.venv` at the root of the
//! workspace. Without one the test says that it was skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Field, Frame, Topology};
use carom_output::{Exporter, pvd, vtu};
use carom_time::Tick;

/// A strip of triangles, a tetrahedron, a rod and two grains: enough vertices for several blocks of positions.
fn frame(k: u32) -> Frame {
    let strip = 60_000_u32;
    let vertices = strip + 4 + 3 + 2;
    let at = |v: u32, salt: u32| {
        let word = v.wrapping_mul(2_654_435_761).wrapping_add((k + salt).wrapping_mul(40_503));
        f64::from(word) / 7.0 - 3e8
    };
    let vector = |v: u32, salt: u32| Vec3::new(at(v, salt), at(v, salt + 1), at(v, salt + 2) * 1e-12);
    let topology = Topology {
        points: vec![vertices - 2, vertices - 1],
        edges: vec![[strip + 4, strip + 5], [strip + 5, strip + 6]],
        triangles: (0..strip - 2).map(|v| [v, v + 1, v + 2]).collect(),
        tets: vec![[strip, strip + 1, strip + 2, strip + 3]],
        vertex_body: (0..vertices)
            .map(|v| u32::from(v >= strip) + u32::from(v >= strip + 4) + u32::from(v >= strip + 7))
            .collect(),
    };
    let cells = topology.cells() as u32;
    Frame {
        tick: Tick((1 << 57) + u64::from(k)),
        time_s: f64::from(k) * 0.1,
        positions: (0..vertices).map(|v| vector(v, 1)).collect(),
        velocities: (0..vertices).map(|v| vector(v, 5)).collect(),
        auxiliary_dofs: carom_model::AuxiliaryFrame::default(),
        vertex_fields: vec![Field::new("height_m", (0..vertices).map(|v| at(v, 9)).collect())],
        cell_fields: vec![
            Field::new("step_s", (0..cells).map(|c| 1e-7 * f64::from(c + k)).collect()),
            Field::new("energy_density", (0..cells).map(|c| at(c, 13)).collect()),
        ],
        topology: Arc::new(topology),
    }
}

/// What the script compares with: the numbers of the frames, as JSON.
fn expected(frames: &[Frame]) -> serde_json::Value {
    let vectors = |values: &[Vec3]| values.iter().map(|v| v.to_array()).collect::<Vec<_>>();
    let frame = |f: &Frame| {
        serde_json::json!({
            "time_s": f.time_s,
            "tick": f.tick.0,
            "points": vectors(&f.positions),
            "velocity": vectors(&f.velocities),
            "height_m": f.vertex_field("height_m"),
            "vertex_body": f.topology.vertex_body,
            "cell_body": f.topology.cell_bodies().collect::<Vec<_>>(),
            "step_s": f.cell_field("step_s"),
            "energy_density": f.cell_field("energy_density"),
            "cells": {
                "vertex": f.topology.points.iter().map(|&v| [v]).collect::<Vec<_>>(),
                "line": f.topology.edges,
                "triangle": f.topology.triangles,
                "tetra": f.topology.tets,
            },
        })
    };
    frames.iter().map(frame).collect()
}

/// An interpreter that has both readers, or why there is none.
fn python() -> Result<PathBuf, String> {
    let named = std::env::var_os("CAROM_PYTHON").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.venv/bin/python");
    let python = named.unwrap_or(beside);
    if !python.exists() {
        return Err("no Python in .venv, and CAROM_PYTHON names none".into());
    }
    let import = Command::new(&python).args(["-c", "import meshio, numpy, vtk"]).output();
    match import {
        Ok(output) if output.status.success() => Ok(python),
        _ => Err("that Python cannot import meshio, numpy and vtk".into()),
    }
}

#[test]
fn meshio_and_vtk_read_every_number_back() {
    let python = match python() {
        Ok(python) => python,
        Err(why) => {
            println!("skipped: {why}");
            return;
        }
    };
    let folder = std::env::temp_dir().join(format!("carom-read-back-{}", std::process::id()));
    let frames: Vec<Frame> = (0..3).map(frame).collect();
    let mut series = (Exporter::OF_RUNS.create)(&folder).expect("a test can make a folder");
    for frame in &frames {
        let path = series.write(frame).expect("a frame is written");
        assert!(vtu::read(&path).expect("we read our own") == *frame);
    }
    let json = folder.join("expected.json");
    fs::write(&json, expected(&frames).to_string()).expect("a test can write");

    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/read_back.py");
    let output = Command::new(python).arg(script).arg(folder.join(pvd::LIST)).arg(json).output();
    let output = output.expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("all frames equal"), "{said}");
    fs::remove_dir_all(folder).expect("a test can tidy up");
}
