use std::sync::Arc;

use carom_math::Vec3;
use carom_model::{Field, Frame, Topology};
use carom_time::Tick;
use proptest::prelude::*;

use super::*;
use crate::scratch::Scratch;

fn tetrahedron() -> Frame {
    let corner = |x: f64, y: f64, z: f64| Vec3::new(x, y, z);
    Frame {
        tick: Tick((1 << 60) + 1),
        time_s: 0.1,
        positions: vec![Vec3::ZERO, corner(1.0, -0.0, 0.1), corner(5e-324, 1.0, f64::NAN), Vec3::Z],
        velocities: vec![Vec3::X, corner(f64::INFINITY, 1e300, 0.3), Vec3::Y, Vec3::ZERO],
        topology: Arc::new(Topology {
            triangles: vec![[0, 1, 2]],
            tets: vec![[0, 1, 2, 3]],
            vertex_body: vec![0, 0, 0, 1],
            ..Topology::default()
        }),
        auxiliary_dofs: carom_model::AuxiliaryFrame::default(),
        vertex_fields: vec![Field::new("height_m < 1 & \"so\"", vec![0.0, 1.0, 2.0, 3.0])],
        cell_fields: vec![Field::new("step_s", vec![1e-7, 3e-7])],
    }
}

/// Equal bit for bit: `==` would refuse NaN and forgive the sign of zero.
fn bits(frame: &Frame) -> Vec<u64> {
    let vectors = frame.positions.iter().chain(&frame.velocities).flat_map(|v| v.to_array());
    let fields = frame.vertex_fields.iter().chain(&frame.cell_fields).flat_map(|f| f.values.clone());
    let numbers = vectors.chain(fields).chain([frame.time_s]).map(f64::to_bits);
    numbers.chain([frame.tick.0]).collect()
}

fn assert_same(a: &Frame, b: &Frame) {
    assert_eq!(bits(a), bits(b));
    assert_eq!(a.topology, b.topology);
    let names = |f: &Frame| -> Vec<String> {
        f.vertex_fields.iter().chain(&f.cell_fields).map(|f| f.name.clone()).collect()
    };
    assert_eq!(names(a), names(b));
}

fn encode_alone(frame: &Frame) -> Result<Vec<u8>, OutputError> {
    encode(frame, &mut Packer::default())
}

#[test]
fn a_frame_on_disk_comes_back_bit_for_bit_also_nan_and_minus_zero() {
    let folder = Scratch::new();
    let path = folder.path().join("0.vtu");
    write(&path, &tetrahedron(), &mut Packer::default()).unwrap();
    assert_same(&read(&path).unwrap(), &tetrahedron());
}

#[test]
fn a_frame_of_nothing_comes_back() {
    let empty = Frame {
        tick: Tick::START,
        time_s: 0.0,
        positions: Vec::new(),
        velocities: Vec::new(),
        topology: Arc::default(),
        auxiliary_dofs: carom_model::AuxiliaryFrame::default(),
        vertex_fields: Vec::new(),
        cell_fields: Vec::new(),
    };
    assert_same(&decode(&encode_alone(&empty).unwrap()).unwrap(), &empty);
}

#[test]
fn a_field_cannot_take_the_name_of_the_velocity_nor_one_name_twice() {
    let mut frame = tetrahedron();
    frame.vertex_fields[0].name = "velocity".into();
    assert!(matches!(encode_alone(&frame), Err(OutputError::NameTaken { .. })));
    let mut frame = tetrahedron();
    frame.cell_fields.push(frame.cell_fields[0].clone());
    assert!(matches!(encode_alone(&frame), Err(OutputError::NameTaken { .. })));
}

#[test]
fn a_frame_whose_numbers_do_not_fit_is_not_written() {
    let mut frame = tetrahedron();
    frame.velocities.pop();
    assert!(matches!(encode_alone(&frame), Err(OutputError::Frame(_))));
}

#[test]
fn a_damaged_file_is_an_error_that_names_it_and_never_a_panic() {
    let folder = Scratch::new();
    let path = folder.path().join("cut.vtu");
    let whole = encode_alone(&tetrahedron()).unwrap();
    disk::replace(&path, &whole[..whole.len() / 2]).unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("cut.vtu"));
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x11;
        let _ = decode(&damaged);
        let _ = decode(&whole[..at]);
    }
}

fn frames() -> impl Strategy<Value = Frame> {
    (1_usize..40).prop_flat_map(|n| {
        let vector = || any::<[f64; 3]>().prop_map(Vec3::from);
        let v = 0..n as u32;
        let corner = || v.clone();
        let topology = (
            prop::collection::vec(corner(), 0..9),
            prop::collection::vec([corner(), corner()], 0..9),
            prop::collection::vec([corner(), corner(), corner()], 0..9),
            prop::collection::vec([corner(), corner(), corner(), corner()], 0..9),
            prop::collection::vec(0_u32..5, n),
        );
        let vectors = prop::collection::vec((vector(), vector()), n);
        let values = prop::collection::vec(any::<f64>(), n.max(36));
        (topology, vectors, values, any::<u64>(), any::<f64>()).prop_map(
            move |((points, edges, triangles, tets, vertex_body), vectors, values, tick, time_s)| {
                let topology = Topology { points, edges, triangles, tets, vertex_body };
                // As many as there are points: often none.
                let turning = &values[..topology.points.len()];
                let auxiliary_dofs = carom_model::AuxiliaryFrame {
                    bodies: topology.points.clone(),
                    positions: turning.iter().map(|x| Vec3::new(*x, 1.0, -x)).collect(),
                    velocities: turning.iter().map(|x| Vec3::new(0.0, -x, *x)).collect(),
                };
                let (positions, velocities) = vectors.into_iter().unzip();
                Frame {
                    tick: Tick(tick),
                    time_s,
                    positions,
                    velocities,
                    auxiliary_dofs,
                    vertex_fields: vec![Field::new("per vertex", values[..n].to_vec())],
                    cell_fields: vec![Field::new("per cell", values[..topology.cells()].to_vec())],
                    topology: Arc::new(topology),
                }
            },
        )
    })
}

proptest! {
    #[test]
    fn any_frame_comes_back_bit_for_bit(frame in frames()) {
        assert_same(&decode(&encode_alone(&frame).unwrap()).unwrap(), &frame);
    }

    #[test]
    fn what_came_before_changes_no_byte_of_a_frame(frames in prop::collection::vec(frames(), 2..4), moved in 0.0..1.0f64) {
        let mut packer = Packer::default();
        for mut frame in frames {
            prop_assert!(encode(&frame, &mut packer).unwrap() == encode_alone(&frame).unwrap());
            frame.positions[0] = Vec3::X * moved;
            prop_assert!(encode(&frame, &mut packer).unwrap() == encode_alone(&frame).unwrap());
        }
    }
}
