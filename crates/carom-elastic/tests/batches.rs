//! Elements side by side.

use carom_elastic::Spring;
use carom_math::{Quad, Tally, Vec3};
use carom_model::{Bank, Family, Owner, Part};

#[test]
fn a_look_has_the_bits_of_one_element_after_the_other() {
    let x: Vec<Vec3> = (0..22).map(f64::from).map(|i| Vec3::new(i.sin(), i.cos(), 0.1 * i)).collect();
    let mut bank = Bank::new();
    // Two full blocks of eight, and one that is not.
    for e in 0..21_u32 {
        let spring = Spring { stiffness: 40.0 + f64::from(e), rest_length: 0.8 };
        bank.push(spring, [e, (5 * e + 1) % 22], Owner { body: 0, part: Part::Face(e) }, 1.0);
    }
    let order: Vec<u32> = (0..21).rev().collect();
    let rows: Vec<Quad> = x.iter().map(|&x| x.into()).collect();
    let mut looked = vec![Tally::default(); 22];
    let batch = bank.batch(&order, &(0..22).collect::<Vec<_>>());
    let energy = batch.look(&rows, &mut looked);

    let (mut forces, mut energies) = (vec![Vec3::ZERO; 22], Vec::new());
    for e in order {
        let stencil = bank.stencil(e as usize);
        let at: Vec<Vec3> = stencil.iter().map(|&v| x[v as usize]).collect();
        let mut gradient = [Vec3::ZERO; 2];
        bank.gradient(e as usize, &at, &mut gradient);
        energies.push(bank.energy(e as usize, &at));
        for (&v, g) in stencil.iter().zip(gradient) {
            forces[v as usize] -= g;
        }
    }
    assert_eq!(looked.iter().map(Tally::sum).collect::<Vec<_>>(), forces);
    assert_eq!((energy, batch.energies(&rows)), (energies.iter().sum(), energies));
}
