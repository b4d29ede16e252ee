//! Polynomials with integer coefficients, their roots in [0, 1], and exact signs at these roots.
//!
//! | Root | isolated by Descartes' rule on Bernstein coefficients over dyadic intervals, from left to right |
//! | Sign of `g` at a root of `f` | by bisection while the coefficients of `g` disagree; zero is decided by gcd(f, g) |
//! | Degenerate case | multiple roots: the square-free part is taken when a few halvings do not separate them |
//!
//! Nothing is rounded. Degrees are at most three, coefficients as long as they need be.
//!
//! **Never here:** floating point, geometry.

use dashu_int::IBig;

/// A polynomial, lowest degree first, without trailing zeros; the zero polynomial is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Poly(Vec<IBig>);

/// The sign of an integer: −1, 0 or 1.
pub(super) fn sign(x: &IBig) -> i8 {
    if x.is_zero() {
        return 0;
    }
    match x.sign() {
        dashu_int::Sign::Positive => 1,
        dashu_int::Sign::Negative => -1,
    }
}

impl Poly {
    pub fn new(mut coefficients: Vec<IBig>) -> Self {
        while coefficients.last().is_some_and(IBig::is_zero) {
            coefficients.pop();
        }
        Self(coefficients)
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub fn plus(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a + b)
    }

    pub fn minus(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a - b)
    }

    fn combined(&self, other: &Self, f: impl Fn(&IBig, &IBig) -> IBig) -> Self {
        let zero = IBig::ZERO;
        let n = self.0.len().max(other.0.len());
        let at = |i| f(self.0.get(i).unwrap_or(&zero), other.0.get(i).unwrap_or(&zero));
        Self::new((0..n).map(at).collect())
    }

    pub fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self(Vec::new());
        }
        let mut out = vec![IBig::ZERO; self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            for (j, b) in other.0.iter().enumerate() {
                out[i + j] += a * b;
            }
        }
        Self::new(out)
    }

    fn derivative(&self) -> Self {
        Self::new(self.0.iter().enumerate().skip(1).map(|(i, c)| c * IBig::from(i)).collect())
    }

    /// Quotient and remainder by `divisor`, both times the same non-zero factor.
    fn divided(&self, divisor: &Self) -> (Self, Self) {
        let lead = divisor.0.last().expect("the divisor is not zero");
        let mut rest = self.0.clone();
        let mut quotient = vec![IBig::ZERO; (rest.len() + 1).saturating_sub(divisor.0.len())];
        while rest.len() >= divisor.0.len() {
            let shift = rest.len() - divisor.0.len();
            let top = rest.pop().expect("not shorter than the divisor");
            for c in rest.iter_mut().chain(quotient.iter_mut()) {
                *c *= lead;
            }
            for (i, c) in divisor.0[..divisor.0.len() - 1].iter().enumerate() {
                rest[i + shift] -= &top * c;
            }
            quotient[shift] = top;
        }
        (Self::new(quotient), Self::new(rest))
    }

    fn gcd(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.is_zero() {
            let rest = a.divided(&b).1;
            (a, b) = (b, rest);
        }
        a
    }

    fn square_free(&self) -> Self {
        let common = self.gcd(&self.derivative());
        if common.degree() == 0 { self.clone() } else { self.divided(&common).0 }
    }

    /// The sign at `m/2^depth`.
    fn sign_at(&self, m: &IBig, depth: usize) -> i8 {
        let mut value = IBig::ZERO;
        for (i, c) in self.0.iter().rev().enumerate() {
            value = value * m + (c << (depth * i));
        }
        sign(&value)
    }

    /// Bernstein coefficients over [m, m+1]/2^depth, times one positive factor.
    fn bernstein(&self, m: &IBig, depth: usize) -> Vec<IBig> {
        // lcm of the binomials over each binomial: keeps the coefficients whole.
        const SCALE: [&[u8]; 4] = [&[1], &[1, 1], &[2, 1, 2], &[3, 1, 1, 3]];
        let n = self.degree();
        let mut c: Vec<IBig> = self.0.iter().enumerate().map(|(i, c)| c << (depth * (n - i))).collect();
        if !m.is_zero() {
            for j in 0..n {
                for i in (j..n).rev() {
                    let step = &c[i + 1] * m;
                    c[i] += step;
                }
            }
        }
        for (c, scale) in c.iter_mut().zip(SCALE[n]) {
            *c *= *scale;
        }
        // bᵢ = Σ C(i, k) cₖ: sums of Pascal's triangle.
        for j in 0..n {
            for i in ((j + 1)..=n).rev() {
                let (left, right) = c.split_at_mut(i);
                right[0] += &left[i - 1];
            }
        }
        c
    }
}

/// Sign changes in a sequence, zeros skipped: as many as roots in the open interval, or more by an even number.
fn variations(bernstein: &[IBig]) -> usize {
    let mut last = 0;
    let mut count = 0;
    for s in bernstein.iter().map(sign).filter(|s| *s != 0) {
        count += usize::from(last != 0 && s != last);
        last = s;
    }
    count
}

/// Both halves of a Bernstein polynomial, times one positive factor.
fn halves(b: &[IBig]) -> (Vec<IBig>, Vec<IBig>) {
    let n = b.len() - 1;
    let (mut left, mut right) = (Vec::with_capacity(b.len()), b.to_vec());
    for round in 0..=n {
        left.push(&right[0] << (n - round));
        for i in 0..(n - round) {
            let next = right[i + 1].clone();
            right[i] += next;
        }
    }
    for (i, c) in right.iter_mut().enumerate() {
        *c <<= i;
    }
    (left, right)
}

/// About where in [0, 1] a Bernstein polynomial with one sign change vanishes. Only a guess.
fn guess(bernstein: &[IBig]) -> f64 {
    let words = bernstein.iter().map(|c| c.as_sign_words().1.len()).max().unwrap_or(0);
    let leading = |c: &IBig| {
        let (_, digits) = c.as_sign_words();
        let word = |back: usize| {
            let place = words.checked_sub(back);
            place.and_then(|i| digits.get(i)).map_or(0.0, |w| *w as f64)
        };
        f64::from(sign(c)) * (word(1) + word(2) * 2.0_f64.powi(-64))
    };
    let mut b = [0.0; 4];
    for (b, c) in b.iter_mut().zip(bernstein) {
        *b = leading(c);
    }
    let n = bernstein.len() - 1;
    let at = |t: f64| {
        let mut c = b;
        for round in 0..n {
            for i in 0..n - round {
                c[i] += (c[i + 1] - c[i]) * t;
            }
        }
        c[0]
    };
    let rises = b[..=n].iter().find(|b| **b != 0.0).is_some_and(|b| *b < 0.0);
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = 0.5 * (low + high);
        if (at(middle) < 0.0) == rises { low = middle } else { high = middle }
    }
    low
}

/// The interval [m, m+1]/2^depth, with the polynomial over it.
struct Piece {
    m: IBig,
    depth: usize,
    bernstein: Vec<IBig>,
}

impl Piece {
    fn split(&self) -> (Self, Self) {
        let (left, right) = halves(&self.bernstein);
        let (m, depth) = (&self.m << 1, self.depth + 1);
        let next = &m + IBig::ONE;
        (Self { m, depth, bernstein: left }, Self { m: next, depth, bernstein: right })
    }
}

/// A real root of a polynomial in [0, 1]: a dyadic number, or the only root inside an open dyadic interval.
pub(super) struct Root {
    f: Poly,
    place: Piece,
    exact: bool,
}

impl Root {
    /// The dyadic number `m/2^depth`; as a root it needs no polynomial.
    fn dyadic(m: IBig, depth: usize) -> Self {
        Self { f: Poly(Vec::new()), place: Piece { m, depth, bernstein: Vec::new() }, exact: true }
    }

    /// The time 0.
    pub fn zero() -> Self {
        Self::dyadic(IBig::ZERO, 0)
    }

    /// The exact sign of `g` here.
    pub fn sign(&mut self, g: &Poly) -> i8 {
        if g.degree() == 0 {
            return g.0.first().map_or(0, sign);
        }
        let mut rounds = 0;
        loop {
            if self.exact {
                return g.sign_at(&self.place.m, self.place.depth);
            }
            let over = g.bernstein(&self.place.m, self.place.depth);
            if variations(&over) == 0 {
                return over.iter().map(sign).find(|s| *s != 0).unwrap_or(0);
            }
            // One round decides what is not zero, as a rule; the gcd decides what is.
            if rounds == 1 && self.is_shared_with(g) {
                return 0;
            }
            rounds += 1;
            self.sharpen(20);
        }
    }

    /// Whether `g` is zero here: whether gcd(f, g), which has at most this root inside, has it.
    fn is_shared_with(&self, g: &Poly) -> bool {
        let common = self.f.gcd(g);
        common.degree() > 0 && variations(&common.bernstein(&self.place.m, self.place.depth)) % 2 == 1
    }

    fn halve(&mut self) {
        let (left, right) = self.place.split();
        if right.bernstein[0].is_zero() {
            *self = Self::dyadic(right.m, right.depth);
        } else {
            self.place = if variations(&left.bernstein) % 2 == 1 { left } else { right };
        }
    }

    /// Narrows the interval by `bits` halvings: a guess in floating point, kept if exact signs confirm it,
    /// or else one halving.
    fn sharpen(&mut self, bits: usize) {
        let Piece { m, depth, bernstein } = &self.place;
        let before = bernstein.iter().map(sign).find(|s| *s != 0);
        let steps = (guess(bernstein) * (1_u64 << bits) as f64) as u64;
        let (low, depth) = ((m << bits) + IBig::from(steps.min((1 << bits) - 1)), depth + bits);
        let high = &low + IBig::ONE;
        match (self.f.sign_at(&low, depth), self.f.sign_at(&high, depth)) {
            // The left end of the interval may be another root, already counted.
            (0, _) if steps > 0 => *self = Self::dyadic(low, depth),
            (_, 0) if steps + 1 < 1 << bits => *self = Self::dyadic(high, depth),
            (left, right) if Some(left) == before && right == -left => {
                let bernstein = self.f.bernstein(&low, depth);
                self.place = Piece { m: low, depth, bernstein };
            }
            _ => self.halve(),
        }
    }

    /// Bounds on the root: the same number twice if it is dyadic, else less than 2^-bits apart.
    pub fn bracket(&mut self, bits: usize) -> [Dyadic; 2] {
        while !self.exact && self.place.depth < bits {
            self.sharpen(20.min(bits - self.place.depth));
        }
        let Piece { m, depth, .. } = &self.place;
        let high = if self.exact { m.clone() } else { m + IBig::ONE };
        [Dyadic { m: m.clone(), depth: *depth }, Dyadic { m: high, depth: *depth }]
    }
}

/// The number `m/2^depth`.
pub(super) struct Dyadic {
    pub m: IBig,
    pub depth: usize,
}

/// The smallest root of `f` in [0, 1] that passes `test`; `f` is not zero.
pub(super) fn first_root(f: &Poly, mut test: impl FnMut(&mut Root) -> bool) -> Option<Root> {
    // Roots closer than this are rare; past it, a multiple root is the likely reason.
    const PATIENCE: usize = 6;
    if f.degree() == 0 {
        return None;
    }
    let mut f = f.clone();
    let mut square_free = false;
    let mut ahead = vec![Piece { m: IBig::ZERO, depth: 0, bernstein: f.bernstein(&IBig::ZERO, 0) }];
    while let Some(piece) = ahead.pop() {
        if piece.bernstein[0].is_zero() {
            let mut root = Root::dyadic(piece.m.clone(), piece.depth);
            if test(&mut root) {
                return Some(root);
            }
        }
        match variations(&piece.bernstein) {
            0 => {}
            1 => {
                let mut root = Root { f: f.clone(), place: piece, exact: false };
                if test(&mut root) {
                    return Some(root);
                }
            }
            _ if piece.depth >= PATIENCE && !square_free => {
                f = f.square_free();
                square_free = true;
                ahead.push(piece);
                for p in &mut ahead {
                    p.bernstein = f.bernstein(&p.m, p.depth);
                }
            }
            _ => {
                let (left, right) = piece.split();
                ahead.extend([right, left]);
            }
        }
    }
    let mut end = Root::dyadic(IBig::ONE, 0);
    (end.sign(&f) == 0 && test(&mut end)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn poly(c: &[i64]) -> Poly {
        Poly::new(c.iter().map(|c| IBig::from(*c)).collect())
    }

    fn roots(f: &Poly) -> Vec<f64> {
        let mut out = Vec::new();
        first_root(f, |root| {
            let [low, _] = root.bracket(50);
            out.push(i64::try_from(low.m).unwrap() as f64 / (1_u64 << low.depth) as f64);
            false
        });
        out
    }

    #[test]
    fn roots_come_in_order_and_multiple_ones_once() {
        // (2t − 1)(3t − 1)(5t − 4)
        let f = poly(&[-1, 2]).times(&poly(&[-1, 3])).times(&poly(&[-4, 5]));
        let found = roots(&f);
        assert_eq!(found.len(), 3);
        for (got, want) in found.iter().zip([1.0 / 3.0, 0.5, 0.8]) {
            assert!(*got <= want && want - got < 1e-14);
        }
        let double = poly(&[-1, 3]).times(&poly(&[-1, 3])).times(&poly(&[-3, 4]));
        assert_eq!(roots(&double).len(), 2);
        let triple = poly(&[-1, 3]).times(&poly(&[-1, 3])).times(&poly(&[-1, 3]));
        assert_eq!(roots(&triple).len(), 1);
        assert!(roots(&poly(&[1, 0, 1])).is_empty());
        assert!(roots(&poly(&[-2, 1])).is_empty());
    }

    #[test]
    fn the_ends_of_the_interval_belong_to_it() {
        assert_eq!(roots(&poly(&[0, 1, -1])), [0.0, 1.0]);
        assert_eq!(roots(&poly(&[0, 0, 1])), [0.0]);
        assert_eq!(roots(&poly(&[1, -2, 1])), [1.0]);
    }

    #[test]
    fn signs_at_an_irrational_root_are_exact_zero_included() {
        // 2t² = 1; t(2t² − 1) shares the root; 10^18 t − 707106781186547524 is 0.4e-18 away.
        let f = poly(&[-1, 0, 2]);
        let g = poly(&[-707_106_781_186_547_524, 1_000_000_000_000_000_000]);
        let hit = first_root(&f, |root| {
            root.sign(&f.times(&poly(&[0, 1]))) == 0
                && root.sign(&g) == 1
                && root.sign(&poly(&[3, -4])) == 1
                && root.sign(&poly(&[-1, 1])) == -1
        });
        assert!(hit.is_some());
    }
}
