use super::*;

#[test]
fn without_its_number_every_law_is_ideal() {
    for law in LAWS {
        let name = law.parameter.name;
        assert_eq!(law.parameter.absent, Absent::Means(law.of(Law::IDEAL)), "{name}");
        assert!(law.is_ideal_in(Law::IDEAL), "{name}");
        let mut other = Law::IDEAL;
        *(law.number)(&mut other) = 0.5;
        assert!(!law.is_ideal_in(other) && !other.is_ideal(), "{name}");
    }
}

#[test]
fn no_two_laws_have_the_same_number_or_name() {
    let mut law = Law::IDEAL;
    for (i, descriptor) in LAWS.iter().enumerate() {
        *(descriptor.number)(&mut law) = i as f64;
    }
    for (i, descriptor) in LAWS.iter().enumerate() {
        assert_eq!(descriptor.of(law), i as f64, "{}", descriptor.parameter.name);
        let same = LAWS.iter().filter(|other| other.parameter.name == descriptor.parameter.name);
        assert_eq!(same.count(), 1, "{}", descriptor.parameter.name);
    }
}

/// The table of the contract, written out.
fn contract(
    e: f64,
    mu: f64,
    (n, u): (Vec3, Vec3),
    [m, m_across]: [f64; 2],
    [j_n, unspent]: [f64; 2],
) -> ContactImpulse {
    let u_n = u.dot(n);
    let given_back = (1.0 - e * e) * j_n.min(m * u_n).max(0.0);
    let u_t = u - n * u_n;
    let most = unspent + mu * (j_n - given_back);
    let taken = most.min(m_across * u_t.length());
    let direction = if u_t.length() > 0.0 { u_t * (1.0 / u_t.length()) } else { Vec3::ZERO };
    ContactImpulse { restitution: n * -given_back, friction: direction * -taken, unspent: most - taken }
}

fn bits(answer: &ContactImpulse) -> [u64; 7] {
    let [a, b, c] = answer.restitution.to_array();
    let [d, e, f] = answer.friction.to_array();
    [a, b, c, d, e, f, answer.unspent].map(f64::to_bits)
}

#[test]
fn restitution_and_friction_answer_as_the_contract_says_to_the_last_bit() {
    let n = Vec3::new(0.6, 0.0, 0.8);
    let special = [Vec3::ZERO, n, n * -0.7, Vec3::Y];
    // Angles of an irrational rotation: no two directions are alike.
    let any = (1..1_000)
        .map(|i| Vec3::new(f64::from(i).sin(), (1.7 * f64::from(i)).cos(), (0.3 * f64::from(i)).sin()));
    for u in special.into_iter().chain(any) {
        for (e, mu) in [(1.0, 0.0), (0.5, 0.0), (1.0, 0.3), (0.25, 0.7), (0.0, 2.0)] {
            for impulses in [[0.4, 0.0], [0.01, 0.02], [3.0, 0.5]] {
                let answer = Touch::new(n, u, [0.3, 0.2], impulses).answer(Law::new(e, mu));
                let expected = contract(e, mu, (n, u), [0.3, 0.2], impulses);
                assert_eq!(bits(&answer), bits(&expected), "{u:?} {e} {mu}");
            }
        }
    }
}

#[test]
fn no_law_takes_more_than_stops_a_pair_whatever_the_numbers() {
    let n = Vec3::Z;
    for u in [Vec3::new(0.3, -0.2, 0.9), Vec3::new(-1.1, 0.4, -0.1), Vec3::new(0.0, 2.0, 0.5)] {
        for number in [0.0, 0.3, 1.0] {
            let mut law = Law::IDEAL;
            for descriptor in LAWS {
                *(descriptor.number)(&mut law) = number;
            }
            let ContactImpulse { restitution, friction, .. } =
                Touch::new(n, u, [0.3, 0.2], [5.0, 0.1]).answer(law);
            let (along, across) = (-restitution.dot(n), -friction.dot(u));
            let sliding = (u - n * u.dot(n)).length();
            assert!(along >= 0.0 && along <= 0.3 * u.dot(n).max(0.0) * (1.0 + 1e-12), "{along}");
            assert!(across >= 0.0 && friction.length() <= 0.2 * sliding * (1.0 + 1e-12), "{across}");
        }
    }
}
