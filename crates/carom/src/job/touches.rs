//! What probes of contact read: forces and distances now, and what every kick so far has booked.

use carom_contact::Touch;
use carom_engine::{ReadContact, Reading, Snapshot};
use carom_math::{ExactVec3Sum, Vec3};

/// The force on the first body in N, a term for each pair and vertex of that body, and the smallest distance in m (NaN if nothing is
/// near), of pairs between two bodies.
fn now(bodies: [u32; 2], near: &[ReadContact]) -> (Vec3, f64) {
    let (mut force, mut distance) = (ExactVec3Sum::default(), f64::NAN);
    for pair in near {
        let [a, b] = pair.bodies;
        let forward = [a, b] == bodies;
        if !forward && [b, a] != bodies {
            continue;
        }
        distance = distance.min(pair.distance);
        let (first, second) = pair.pushes.split_at(pair.first_primitive);
        // What a body does to itself adds up to nothing.
        if a != b {
            let own = if forward { first } else { second };
            for f in own {
                force.add(*f);
            }
        }
    }
    (force.value(), distance)
}

/// The columns of a probe of contact between two bodies.
pub fn values(bodies: [u32; 2], snapshot: &Snapshot, reading: &Reading) -> Vec<f64> {
    let (force, distance) = now(bodies, &reading.near);
    let [a, b] = bodies;
    let between = [a.min(b), a.max(b)];
    let touch: Option<&Touch> = snapshot.touches.iter().find(|t| t.bodies == between);
    let impulse = touch.map_or(Vec3::ZERO, |t| t.impulse);
    let impulse = if a > b { -impulse } else { impulse };
    let quantum = snapshot.state.quantum();
    let mut values: Vec<f64> = [force, impulse].iter().flat_map(|v| v.to_array()).collect();
    values.extend([
        touch.map_or(0.0, |t| quantum.seconds_of(t.quanta)),
        distance,
        touch.map_or(f64::NAN, |t| t.smallest_distance),
        touch.map_or(0.0, |t| f64::from(t.deepest_layer)),
        touch.map_or(0.0, |t| t.meetings as f64),
        touch.map_or(f64::NAN, Touch::mean_approach),
        touch.map_or(0.0, |t| t.virial),
    ]);
    values
}
