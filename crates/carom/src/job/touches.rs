//! What probes of contact read: forces and distances now, and what every kick so far has booked.

use carom_contact::{Catalogue, Touch};
use carom_engine::{Reading, Snapshot};
use carom_math::Vec3;

/// The force on the first body in N, and the smallest distance in m (NaN if nothing is near), of pairs between two bodies.
fn now(catalogue: &Catalogue, bodies: [u32; 2], snapshot: &Snapshot, reading: &Reading) -> (Vec3, f64) {
    let (mut force, mut distance) = (Vec3::ZERO, f64::NAN);
    for &id in &snapshot.pairs {
        let [a, b] = catalogue.bodies_of(id);
        let forward = [a, b] == bodies;
        if !forward && [b, a] != bodies {
            continue;
        }
        let Some(pair) = catalogue.pair(id) else { continue };
        let x = Catalogue::positions(&pair, |v| reading.positions[v as usize]);
        let at = pair.measure(&x);
        let layers = catalogue.layers_of(&pair);
        if at.distance >= layers.thickness(pair.first_layer) {
            continue;
        }
        distance = distance.min(at.distance);
        let pushes = pair.pushes(layers, &x, &at, |_, _| 1.0).unwrap_or_default();
        let (first, second) = pushes.split_at(pair.first_primitive());
        // What a body does to itself adds up to nothing.
        if a != b {
            let own = if forward { first } else { second };
            force = own.iter().fold(force, |sum, f| sum + *f);
        }
    }
    (force, distance)
}

/// The columns of a probe of contact between two bodies.
pub fn values(catalogue: &Catalogue, bodies: [u32; 2], snapshot: &Snapshot, reading: &Reading) -> Vec<f64> {
    let (force, distance) = now(catalogue, bodies, snapshot, reading);
    let [a, b] = bodies;
    let between = [a.min(b), a.max(b)];
    let touch: Option<&Touch> = snapshot.touches.iter().find(|t| t.bodies == between);
    let impulse = touch.map_or(Vec3::ZERO, |t| t.impulse.value());
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
        touch.map_or(0.0, |t| t.virial.value()),
    ]);
    values
}
