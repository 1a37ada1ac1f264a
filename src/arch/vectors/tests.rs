//! Every operation of every instruction set beside the portable ones.

use super::*;

/// Numbers of both signs and many sizes, zeros and ties among them.
fn numbers(seed: u32) -> Floats {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    Floats(std::array::from_fn(|lane| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        let number = (state as f32 / u32::MAX as f32 - 0.5) * [0.5, 4.0, 100.0, 1e-3][lane % 4];
        match lane {
            5 => 0.0,
            6 => f32::from_bits(0x3f80_8000),
            7 => f32::from_bits(0x3f81_8000),
            8 => -1e-40,
            9 => number * 1e12,
            _ => number,
        }
    }))
}

/// What all operations give, one after the other.
#[derive(Clone, Debug, Default)]
struct Results {
    floats: Vec<[f32; WIDTH]>,
    exact: Vec<[u16; 2 * WIDTH]>,
}

struct All(u32);

impl Work for All {
    type Output = Results;

    #[inline(always)]
    fn run<V: Vectors>(self, v: V) -> Results {
        let mut results = Results::default();
        let [a, b, c, d] = [0, 1, 2, 3].map(|n| v.load(&numbers(4 * self.0 + n)));
        let (low, high) = (v.splat(-0.5), v.splat(0.75));
        let size = v.add(v.multiply(b, b), v.splat(0.1));
        let integers = v.narrow([v.multiply(a, v.splat(999.0)), v.multiply(b, v.splat(700.0))]);
        let bfloats = [v.round([a, b]), v.round([c, d])];
        let [one, other] = v.add_bfloats([a, c], bfloats[0], bfloats[1]);
        let wide = v.widen(integers);
        for floats in [
            v.add(a, b),
            v.subtract(a, b),
            v.multiply(a, b),
            v.divide(a, size),
            v.multiply_add(a, b, c),
            v.root(size),
            v.clamp(a, low, high),
            v.within(a, low, high, b),
            v.splat(v.total(v.clamp(a, low, high))),
            v.clamp(v.splat(f32::NAN), low, high),
            one,
            other,
            wide[0],
            wide[1],
        ] {
            let mut stored = Floats::ZERO;
            v.store(floats, &mut stored);
            results.floats.push(stored.0);
        }
        for bfloats in bfloats {
            let mut stored = Bfloats::ZERO;
            v.store_bfloats(bfloats, &mut stored);
            v.store_bfloats(v.load_bfloats(&stored), &mut stored);
            results.exact.push(stored.0);
        }
        let twice = v.add_integers(v.add_integers(integers, integers), integers);
        for integers in [integers, twice] {
            let mut stored = CacheLine::ZERO;
            v.store_integers(integers, &mut stored);
            v.store_integers(v.load_integers(&stored), &mut stored);
            results.exact.push(stored.0.map(|integer| integer as u16));
        }
        results
    }
}

#[test]
fn every_instruction_set_gives_the_portable_results() {
    for seed in 0..50 {
        let wanted = VectorUnit::PORTABLE.run(All(seed));
        for unit in VectorUnit::available() {
            let found = unit.run(All(seed));
            assert_eq!(found.exact, wanted.exact, "{unit:?}");
            for (number, (found, wanted)) in found.floats.iter().zip(&wanted.floats).enumerate() {
                for (found, wanted) in found.iter().zip(wanted) {
                    let near = (found - wanted).abs() <= 2e-6 * wanted.abs().max(4.0)
                        || found.is_nan() && wanted.is_nan();
                    assert!(near, "{unit:?}, operation {number}: {found} {wanted}");
                }
            }
        }
    }
}

/// The portable operations by hand: the others are compared with them.
#[test]
fn rounding_and_weaving_by_hand() {
    struct Sums;
    impl Work for Sums {
        type Output = [f32; 2 * WIDTH];
        #[inline(always)]
        fn run<V: Vectors>(self, v: V) -> Self::Output {
            let ascending: [Floats; 2] =
                std::array::from_fn(|half| Floats(std::array::from_fn(|lane| (16 * half + lane) as f32)));
            let bfloats = v.round(ascending.map(|floats| v.load(&floats)));
            let zeros = v.round([v.splat(0.0); 2]);
            let sums = v.add_bfloats([v.splat(0.5); 2], bfloats, zeros);
            let mut stored = [Floats::ZERO; 2];
            for (sums, stored) in sums.into_iter().zip(&mut stored) {
                v.store(sums, stored);
            }
            std::array::from_fn(|place| stored[place / WIDTH].0[place % WIDTH])
        }
    }
    let sums = VectorUnit::PORTABLE.run(Sums);
    for lane in 0..2 * WIDTH {
        assert_eq!(sums[crate::arch::Sums::place(lane)], lane as f32 + 0.5);
    }
    let All(_) = All(0);
    let found = VectorUnit::PORTABLE.run(All(0)).exact[0];
    // the ties between neighbours go to the even one, and what is too small for a normal number to zero
    assert_eq!(found[5..9], [0, 0x3f80, 0x3f82, 0x8000]);
}

#[test]
fn the_scalar_set_means_portable_code() {
    assert_eq!(VectorUnit::available()[0], VectorUnit::PORTABLE);
    assert!(VectorUnit::available().contains(&VectorUnit::chosen()));
}
