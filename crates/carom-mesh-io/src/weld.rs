//! Corners in the same place become one vertex.
//!
//! Formats that list the corners of every triangle separately have no connectivity; corners with exactly
//! the same coordinates are taken for one vertex. Vertices keep the order of their first corner.
//! −0 and 0 are the same place.

use carom_math::Vec3;

/// The distinct points, and for each point given the number of the one it became.
pub fn weld(points: &[Vec3]) -> (Vec<Vec3>, Vec<u32>) {
    let bits = |p: &Vec3| p.to_array().map(|x| (x + 0.0).to_bits());
    let mut order: Vec<u32> = (0..points.len() as u32).collect();
    order.sort_by_key(|i| (bits(&points[*i as usize]), *i));
    let mut first_alike = vec![0_u32; points.len()];
    for alike in order.chunk_by(|a, b| bits(&points[*a as usize]) == bits(&points[*b as usize])) {
        for i in alike {
            first_alike[*i as usize] = alike[0];
        }
    }
    let mut distinct = Vec::new();
    let mut numbers: Vec<u32> = Vec::with_capacity(points.len());
    for (i, first) in (0..).zip(&first_alike) {
        if *first == i {
            numbers.push(distinct.len() as u32);
            distinct.push(points[i as usize]);
        } else {
            numbers.push(numbers[*first as usize]);
        }
    }
    (distinct, numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_points_become_one_in_the_order_of_their_first() {
        let points = [Vec3::Z, Vec3::X, Vec3::Z, -Vec3::ZERO, Vec3::ZERO, Vec3::X];
        let (distinct, numbers) = weld(&points);
        assert_eq!(distinct, [Vec3::Z, Vec3::X, Vec3::ZERO]);
        assert_eq!(numbers, [0, 1, 0, 2, 2, 1]);
    }

    #[test]
    fn points_that_differ_in_the_last_bit_stay_apart() {
        let near = Vec3::new(1.0_f64.next_up(), 0.0, 0.0);
        assert_eq!(weld(&[Vec3::X, near]).0.len(), 2);
    }
}
