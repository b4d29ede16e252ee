//! Places for spheres in a box, none nearer to another than a gap.
//!
//! | lattice | cells as near to cubes as whole numbers of them allow; sites that are too many are left out evenly |
//! | jitter | a lattice, each sphere moved by less than half of what is free between two of the largest |
//! | random | one after the other where there is room (random sequential addition), with a grid of cells that names the spheres around |
//!
//! Along a periodic axis centres lie anywhere in the box and distances count to the nearest image; along others the spheres lie inside.

use carom_math::Vec3;

use crate::random::Random;

/// A place is tried so often before the box is taken for full.
const MOST_TRIES: u32 = 10_000;

/// The box: centred at the origin.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Size along each axis, in m.
    pub size: [f64; 3],
    /// Whether each axis is periodic.
    pub periodic: [bool; 3],
    /// Least distance between two surfaces, in m.
    pub gap: f64,
}

/// Why spheres do not fit.
#[derive(Clone, Debug, PartialEq)]
pub enum Full {
    /// Neighbours on the lattice are this far apart, and need this much, in m.
    Lattice { apart: f64, needed: f64 },
    /// No place was found for the sphere of this number.
    Random { placed: usize },
    /// A sphere of this radius, in m, is larger than the box.
    Large { radius: f64 },
}

/// Sites of a cell, as parts of it.
const CUBIC: &[[f64; 3]] = &[[0.5, 0.5, 0.5]];
const FCC: &[[f64; 3]] = &[[0.25, 0.25, 0.25], [0.75, 0.75, 0.25], [0.75, 0.25, 0.75], [0.25, 0.75, 0.75]];

/// A lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lattice {
    Cubic,
    Fcc,
}

/// Places of spheres of these radii on a lattice, each moved at random by at most `jitter` of what there is room for.
pub fn on_lattice(
    room: &Room,
    radii: &[f64],
    lattice: Lattice,
    jitter: f64,
    random: &mut Random,
) -> Result<Vec<Vec3>, Full> {
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let sites = match lattice {
        Lattice::Cubic => CUBIC,
        Lattice::Fcc => FCC,
    };
    let open = room.open_to(largest)?;
    let cells = cells_for(room.size, sites.len(), radii.len());
    // The outermost sites keep away from the walls.
    let extent: [f64; 3] = core::array::from_fn(|k| {
        let inner = 1.0 - 2.0 * sites[0][k] / cells[k] as f64;
        if room.periodic[k] || inner <= 0.0 { room.size[k] } else { room.size[k].min(open[k] / inner) }
    });
    let cell = core::array::from_fn(|k| extent[k] / cells[k] as f64);
    let apart = nearest_sites(cell, lattice);
    let needed = 2.0 * largest + room.gap;
    if radii.len() > 1 && apart < needed {
        return Err(Full::Lattice { apart, needed });
    }
    // Each of two may go half of what is free, along any direction; what lies at a wall stays there.
    let play = 0.5 * jitter * (apart - needed).max(0.0) / 3f64.sqrt();
    let inside = |x: f64, k: usize| if room.periodic[k] { x } else { x.clamp(-0.5 * open[k], 0.5 * open[k]) };
    let all = sites.len() * cells[0] * cells[1] * cells[2];
    let place = |i: usize| {
        let number = (i as u128 * all as u128 / radii.len() as u128) as usize;
        let (site, c) = (sites[number % sites.len()], number / sites.len());
        let at = [c % cells[0], c / cells[0] % cells[1], c / cells[0] / cells[1]];
        let x: [f64; 3] = core::array::from_fn(|k| (at[k] as f64 + site[k]) * cell[k] - 0.5 * extent[k]);
        let moved = x.map(|x| x + play * (2.0 * random.part() - 1.0));
        Vec3::new(inside(moved[0], 0), inside(moved[1], 1), inside(moved[2], 2))
    };
    Ok((0..radii.len()).map(place).collect())
}

/// Places of spheres of these radii, each at random.
pub fn at_random(room: &Room, radii: &[f64], random: &mut Random) -> Result<Vec<Vec3>, Full> {
    let largest = radii.iter().copied().fold(0.0, f64::max);
    room.open_to(largest)?;
    let mut grid = Grid::new(room, 2.0 * largest + room.gap, radii.len());
    let mut places: Vec<Vec3> = Vec::with_capacity(radii.len());
    for (i, &radius) in radii.iter().enumerate() {
        let open = room.open_to(radius)?;
        let is_free = |x: Vec3, places: &[Vec3], grid: &Grid| {
            grid.around(x, |other| {
                (room.difference(x, places[other])).length() >= radius + radii[other] + room.gap
            })
        };
        let mut draw = || Vec3::from(open.map(|length| length * (random.part() - 0.5)));
        let found = (0..MOST_TRIES).map(|_| draw()).find(|x| is_free(*x, &places, &grid));
        let x = found.ok_or(Full::Random { placed: i })?;
        grid.add(x, i);
        places.push(x);
    }
    Ok(places)
}

impl Room {
    /// The box open to the centre of a sphere, in m.
    fn open_to(&self, radius: f64) -> Result<[f64; 3], Full> {
        let border = 2.0 * (radius + self.gap);
        let open: [f64; 3] =
            core::array::from_fn(|k| self.size[k] - if self.periodic[k] { 0.0 } else { border });
        if open.iter().any(|length| *length < 0.0) { Err(Full::Large { radius }) } else { Ok(open) }
    }

    /// Vector from one position to the nearest image of another.
    fn difference(&self, x: Vec3, y: Vec3) -> Vec3 {
        let along = |k: usize| {
            let d = x[k] - y[k];
            if self.periodic[k] { d - self.size[k] * (d / self.size[k]).round() } else { d }
        };
        Vec3::new(along(0), along(1), along(2))
    }
}

/// Cells along each axis that hold so many spheres, as near to cubes as can be.
fn cells_for(size: [f64; 3], sites: usize, count: usize) -> [usize; 3] {
    let volume = size[0] * size[1] * size[2];
    let edge = (volume * sites as f64 / count as f64).cbrt();
    let mut cells = size.map(|length| ((length / edge) as usize).max(1));
    while cells[0] * cells[1] * cells[2] * sites < count {
        let longest = |a: &usize, b: &usize| {
            let edge = |k: usize| size[k] / cells[k] as f64;
            edge(*a).total_cmp(&edge(*b)).then(b.cmp(a))
        };
        let axis = (0..3).max_by(longest).expect("there are three axes");
        cells[axis] += 1;
    }
    cells
}

/// Distance of the nearest sites of a lattice with such cells, in m.
fn nearest_sites(cell: [f64; 3], lattice: Lattice) -> f64 {
    let [a, b, c] = cell;
    let edges = a.min(b).min(c);
    match lattice {
        Lattice::Cubic => edges,
        Lattice::Fcc => edges.min(0.5 * a.hypot(b).min(b.hypot(c)).min(c.hypot(a))),
    }
}

/// Spheres by the cell that their centre is in: as wide as two spheres need, so that those around are in 27 cells.
struct Grid {
    room: Room,
    cells: [usize; 3],
    /// The sphere put last into each cell.
    last: Vec<Option<u32>>,
    /// The one before each.
    before: Vec<Option<u32>>,
}

impl Grid {
    fn new(room: &Room, reach: f64, spheres: usize) -> Self {
        let mut cells = room.size.map(|length| ((length / reach) as usize).max(1));
        // In a wide box few cells hold anything: no more of them than spheres, about.
        while cells.iter().product::<usize>() > 8 * spheres.max(8) {
            cells = cells.map(|n| n.div_ceil(2));
        }
        Self {
            room: *room,
            cells,
            last: vec![None; cells.iter().product()],
            before: Vec::with_capacity(spheres),
        }
    }

    fn cell_of(&self, x: Vec3) -> [usize; 3] {
        core::array::from_fn(|k| {
            let part = x[k] / self.room.size[k] + 0.5;
            ((part * self.cells[k] as f64) as usize).min(self.cells[k] - 1)
        })
    }

    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (k * self.cells[1] + j) * self.cells[0] + i
    }

    fn add(&mut self, x: Vec3, number: usize) {
        let cell = self.index(self.cell_of(x));
        self.before.push(self.last[cell].replace(number as u32));
    }

    /// Whether all spheres in the cells around `x` satisfy a condition.
    fn around(&self, x: Vec3, agrees: impl Fn(usize) -> bool) -> bool {
        let here = self.cell_of(x);
        let near = |k: usize| {
            let n = self.cells[k];
            let mut list: Vec<usize> = if self.room.periodic[k] {
                vec![(here[k] + n - 1) % n, here[k], (here[k] + 1) % n]
            } else {
                (here[k].saturating_sub(1)..=(here[k] + 1).min(n - 1)).collect()
            };
            list.sort_unstable();
            list.dedup();
            list
        };
        let [xs, ys, zs] = [near(0), near(1), near(2)];
        zs.iter().all(|&k| {
            ys.iter().all(|&j| {
                xs.iter().all(|&i| {
                    let mut next = self.last[self.index([i, j, k])];
                    while let Some(sphere) = next {
                        if !agrees(sphere as usize) {
                            return false;
                        }
                        next = self.before[sphere as usize];
                    }
                    true
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn apart(room: &Room, radii: &[f64], x: &[Vec3]) -> Result<(), TestCaseError> {
        for i in 0..x.len() {
            for k in (0..3).filter(|k| !room.periodic[*k]) {
                let border = 0.5 * room.size[k] - x[i][k].abs();
                prop_assert!(border >= radii[i] + room.gap - 1e-12, "{i} is {border} from a wall");
            }
            for j in 0..i {
                let distance = room.difference(x[i], x[j]).length() - radii[i] - radii[j];
                prop_assert!(distance >= room.gap - 1e-12, "{i} and {j}: {distance}");
            }
        }
        Ok(())
    }

    fn room() -> impl Strategy<Value = Room> {
        (prop::array::uniform3(0.5..3.0f64), prop::array::uniform3(any::<bool>()), 0.0..0.02f64)
            .prop_map(|(size, periodic, gap)| Room { size, periodic, gap })
    }

    proptest! {
        #[test]
        fn whatever_fits_is_apart(room in room(), count in 1_usize..150, seed in 0_u64..1000, jitter in 0.0..=1.0f64) {
            let mut random = Random::new(seed);
            let radii: Vec<f64> = (0..count).map(|_| 0.02 + 0.03 * random.part()).collect();
            for lattice in [Lattice::Cubic, Lattice::Fcc] {
                if let Ok(x) = on_lattice(&room, &radii, lattice, jitter, &mut random) {
                    apart(&room, &radii, &x)?;
                }
            }
            if let Ok(x) = at_random(&room, &radii, &mut random) {
                apart(&room, &radii, &x)?;
            }
        }
    }

    #[test]
    fn a_lattice_holds_nearly_what_the_densest_packing_does_and_says_so_when_it_is_more() {
        let room = Room { size: [1.0; 3], periodic: [true; 3], gap: 0.0 };
        // 4 · 5³ spheres: neighbours are 0.2/√2 apart.
        let fits = on_lattice(&room, &[0.0707; 500], Lattice::Fcc, 0.0, &mut Random::new(0)).unwrap();
        assert_eq!(fits.len(), 500);
        let full = on_lattice(&room, &[0.0708; 500], Lattice::Fcc, 0.0, &mut Random::new(0)).unwrap_err();
        assert!(matches!(full, Full::Lattice { apart, .. } if (apart - 0.2 / 2f64.sqrt()).abs() < 1e-12));
    }

    #[test]
    fn random_places_run_out_and_say_at_which_sphere() {
        let room = Room { size: [1.0; 3], periodic: [false; 3], gap: 0.0 };
        let Err(Full::Random { placed }) = at_random(&room, &[0.1; 500], &mut Random::new(3)) else {
            panic!("500 spheres of a tenth do not fit")
        };
        assert!((30..120).contains(&placed), "{placed}");
        assert_eq!(at_random(&room, &[0.6], &mut Random::new(3)), Err(Full::Large { radius: 0.6 }));
    }
}
