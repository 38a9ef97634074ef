//! Iterations, sums, formulas over arrays, and rejected arrays.

use super::arrays::{Number, cpus, random_numbers};
use super::oracle::Random;
use crate::arithmetic::array::{ArrayShape, FuzzyArray};
use crate::arithmetic::cpu;
use crate::arithmetic::expr::{Binary, PostfixOp, Unary};
use crate::arithmetic::{Distance, FuzzyLu, FuzzyMr, LuArray, MrArray, ReferenceFunction, Relation};
use crate::device::{Cpu, Device};
use crate::progress::Progress;

/// Checks c ← a·c + b against the scalar iteration.
fn iterations_are_identical<F: Number>(seed: u64, steps: usize) {
    let random = &mut Random(seed);
    let len = 16 * 21 + 5;
    let [a, b, c] = [(); 3].map(|()| random_numbers::<F>(random, len));
    let [column_a, column_b] = [&a, &b].map(|numbers| F::array(numbers));
    for cpu in cpus() {
        let mut out = F::array(&c);
        cpu::axpy(&mut out, &column_a, &column_b, steps, &cpu, &Progress::none()).unwrap();
        for i in 0..len {
            let expected = F::iterate(&c[i], &a[i], &b[i], steps);
            let found = F::element(&out, i);
            assert_eq!(
                found.bits(),
                expected.bits(),
                "{cpu:?}: {:?} from {:?}",
                (found, expected),
                (a[i], b[i], c[i])
            );
        }
    }
}

#[test]
fn iterated_arrays_are_bit_identical_to_iterated_numbers() {
    for steps in [0, 1, 2, 30] {
        iterations_are_identical::<FuzzyLu<f64, 1>>(steps as u64, steps);
        iterations_are_identical::<FuzzyLu<f64, 3>>(steps as u64, steps);
        iterations_are_identical::<FuzzyLu<f32, 2>>(steps as u64, steps);
        iterations_are_identical::<FuzzyMr<f64, 1>>(steps as u64, steps);
        iterations_are_identical::<FuzzyMr<f64, 6>>(steps as u64, steps);
        iterations_are_identical::<FuzzyMr<f32, 5>>(steps as u64, steps);
        iterations_are_identical::<FuzzyMr<f64, 5, f32>>(steps as u64, steps);
    }
}

/// Sum in the order documented in `cpu/sum.rs`, with scalar operations.
fn reference_sum<F: Number>(len: usize, add: impl Fn(F, usize) -> F) -> F {
    let mut total = F::zero();
    for chunk in (0..len.max(1)).step_by(4096) {
        let mut lanes = [F::zero(); 16];
        for i in chunk..(chunk + 4096).min(len) {
            lanes[i % 16] = add(lanes[i % 16], i);
        }
        for by in [8, 4, 2, 1] {
            for j in 0..by {
                lanes[j] = lanes[j].binary(Binary::Add, &lanes[j + by]);
            }
        }
        total = total.binary(Binary::Add, &lanes[0]);
    }
    total
}

fn sums_are_identical<F: Number>(seed: u64) {
    for len in [0, 1, 15, 16, 17, 4096, 4097, 9000] {
        let random = &mut Random(seed + len as u64);
        let moderate = |random: &mut Random| (0..len).map(|_| F::random(random, 1)).collect::<Vec<F>>();
        let (a, b) = (moderate(random), moderate(random));
        let (column_a, column_b) = (F::array(&a), F::array(&b));
        let sum = reference_sum::<F>(len, |s, i| s.binary(Binary::Add, &a[i]));
        let dot = reference_sum::<F>(len, |s, i| a[i].fused(&b[i], &s));
        for cpu in cpus() {
            let found = cpu::sum(&column_a, &cpu, &Progress::none()).unwrap();
            assert_eq!(
                (found.number_count(), F::element(&found, 0).bits()),
                (1, sum.bits()),
                "{cpu:?} {len}"
            );
            let found = cpu::dot(&column_a, &column_b, &cpu, &Progress::none()).unwrap();
            assert_eq!(
                (found.number_count(), F::element(&found, 0).bits()),
                (1, dot.bits()),
                "{cpu:?} {len}"
            );
        }
    }
}

#[test]
fn sums_are_computed_in_the_documented_order() {
    sums_are_identical::<FuzzyLu<f64, 2>>(1);
    sums_are_identical::<FuzzyLu<f32, 1>>(2);
    sums_are_identical::<FuzzyMr<f64, 2>>(3);
    sums_are_identical::<FuzzyMr<f64, 1, f32>>(4);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let random = &mut Random(5);
    let numbers: Vec<FuzzyLu<f64, 3>> = (0..40_000).map(|_| Number::random(random, 3)).collect();
    let array = LuArray::from_numbers(&numbers);
    let run_program = |threads: usize| {
        let device = Device::from(Cpu::with_threads(threads).unwrap());
        let product = array.mul(&array.exp(&device).unwrap(), &device).unwrap();
        let iterate = array.axpy(&product, &array, 3, &device).unwrap();
        let sum = iterate.sum(&device).unwrap();
        (iterate.bounds().iter().map(|x| x.to_bits()).collect::<Vec<u64>>(), sum.cut(0, 0))
    };
    let one = run_program(1);
    assert!([2, 3, 7].into_iter().all(|threads| run_program(threads) == one));
}

#[test]
fn single_numbers_are_broadcast_and_padding_stays_zero() {
    let device = Device::cpu().unwrap();
    for len in [1, 2, 16, 37, 3000] {
        let random = &mut Random(len as u64);
        let numbers: Vec<FuzzyLu<f64, 2>> = (0..len).map(|_| Number::random(random, 1)).collect();
        let (many, one) = (LuArray::from_numbers(&numbers), LuArray::from_numbers(&numbers[..1]));
        for (array, expected) in [
            (many.mul(&one, &device), numbers.iter().map(|x| *x * numbers[0]).collect::<Vec<_>>()),
            (one.sub(&many, &device), numbers.iter().map(|x| numbers[0] - *x).collect()),
            (one.axpy(&many, &one, 2, &device), {
                let step = |c: &FuzzyLu<f64, 2>, a: &FuzzyLu<f64, 2>| a.mul_add(c, &numbers[0]);
                numbers.iter().map(|a| step(&step(&numbers[0], a), a)).collect()
            }),
        ] {
            let array = array.unwrap();
            let found: Vec<FuzzyLu<f64, 2>> = (0..len).map(|i| array.number(i).unwrap()).collect();
            assert_eq!(found, expected);
            let used = |plane: &[f64]| plane[len % 16..].iter().all(|x| *x == 0.0);
            let last = &array.bounds()[array.bounds().len() - 16 * 4..];
            assert!(len % 16 == 0 || last.chunks(16).all(used), "the padding after {len} numbers is not 0");
        }
    }
}

#[test]
fn a_long_formula_equals_its_operations_one_by_one() {
    let random = &mut Random(9);
    let [x, y] = [(); 2].map(|()| random_numbers::<FuzzyLu<f64, 3>>(random, 2000));
    let three = FuzzyLu::<f64, 3>::crisp(3.0);
    // (x·y + 3) / (√|x| + y) · x
    let steps = [
        PostfixOp::Variable(0),
        PostfixOp::Variable(1),
        PostfixOp::Literal(0),
        PostfixOp::MulAdd,
        PostfixOp::Variable(0),
        PostfixOp::Unary(Unary::Abs),
        PostfixOp::Unary(Unary::Sqrt),
        PostfixOp::Variable(1),
        PostfixOp::Binary(Binary::Add),
        PostfixOp::Binary(Binary::Div),
        PostfixOp::Variable(0),
        PostfixOp::Binary(Binary::Mul),
    ];
    let (column_x, column_y) = (LuArray::from_numbers(&x), LuArray::from_numbers(&y));
    for cpu in cpus() {
        let mut out = LuArray::zeros(3, x.len()).unwrap();
        let literals = [LuArray::from_numbers(&[three])];
        cpu::run(&steps, &[&column_x, &column_y], &literals, &mut out, &cpu, &Progress::none()).unwrap();
        for i in 0..x.len() {
            let expected = x[i].mul_add(&y[i], &three) / (x[i].abs().sqrt() + y[i]) * x[i];
            assert_eq!(out.number::<3>(i).unwrap().bits(), expected.bits(), "{:?}", (x[i], y[i]));
        }
        cpu::run(&[PostfixOp::Variable(1)], &[&column_x, &column_y], &[], &mut out, &cpu, &Progress::none())
            .unwrap();
        assert_eq!(out.bounds(), column_y.bounds());
    }
}

#[test]
fn incompatible_arrays_are_rejected_with_one_sentence() {
    let device = Device::cpu().unwrap();
    let array = |cuts, len| LuArray::<f32>::zeros(cuts, len).unwrap();
    assert_eq!(
        array(2, 3).add(&array(2, 4), &device).unwrap_err().to_string(),
        "cannot combine arrays of lengths 3 and 4; lengths must match, or one of them must be 1"
    );
    assert_eq!(
        array(2, 3).mul_add(&array(2, 1), &array(3, 3), &device).unwrap_err().to_string(),
        "cannot combine fuzzy numbers with 2 and 3 alpha-cuts; the numbers of alpha-cuts must match"
    );
    assert!(array(2, 3).dot(&array(2, 1), &device).is_err());
    assert!(array(2, 3).add_into(&array(2, 1), &mut array(2, 1), &device).is_err());
    let mut out = array(2, 3);
    array(2, 1).add_into(&array(2, 1), &mut out, &device).unwrap();
    assert!(array(2, 0).mul(&array(2, 1), &device).unwrap().is_empty());
}

#[test]
fn array_operations_can_be_interrupted() {
    let stop = |_, _| std::ops::ControlFlow::Break(());
    let (array, cpu) = (LuArray::<f64>::zeros(1, 100_000).unwrap(), Cpu::with_threads(2).unwrap());
    let mut out = array.clone();
    let steps = [PostfixOp::Variable(0), PostfixOp::Unary(Unary::Neg)];
    assert!(cpu::run(&steps, &[&array], &[], &mut out, &cpu, &Progress::new(stop)).is_err());
    assert!(cpu::axpy(&mut out, &array, &array, 2, &cpu, &Progress::new(stop)).is_err());
    assert!(cpu::sum(&array, &cpu, &Progress::new(stop)).is_err());
}

#[test]
fn converted_arrays_equal_converted_numbers() {
    let random = &mut Random(11);
    let bounds = random_numbers::<FuzzyLu<f64, 3>>(random, 200);
    let array = LuArray::from_numbers(&bounds);
    let (double, single) = (MrArray::<f64>::from_lu(&array), MrArray::<f64, f32>::from_lu(&array));
    let (back, single_back) = (LuArray::from_mr(&double), LuArray::from_mr(&single));
    for (i, bounds) in bounds.into_iter().enumerate() {
        let (number, narrow) = (FuzzyMr::<f64, 3>::from(bounds), FuzzyMr::<f64, 3, f32>::from(bounds));
        assert_eq!(double.number::<3>(i).unwrap().bits(), number.bits(), "{bounds:?}");
        assert_eq!(single.number::<3>(i).unwrap().bits(), narrow.bits(), "{bounds:?}");
        assert_eq!(back.number::<3>(i).unwrap().bits(), FuzzyLu::from(number).bits());
        assert_eq!(single_back.number::<3>(i).unwrap().bits(), FuzzyLu::from(narrow).bits());
    }
}

#[test]
fn compared_arrays_equal_compared_numbers() {
    let random = &mut Random(5);
    let (a, b) =
        (random_numbers::<FuzzyLu<f64, 4>>(random, 100), random_numbers::<FuzzyLu<f64, 4>>(random, 100));
    let (x, y) = (LuArray::from_numbers(&a), LuArray::from_numbers(&b));
    let device = Device::cpu().unwrap();
    for relation in [Relation::Less, Relation::LessOrEqual, Relation::Equal] {
        let possibility = x.possibility(relation, &y, &device).unwrap();
        let necessity = x.necessity(relation, &y, &device).unwrap();
        for i in 0..100 {
            assert_eq!(possibility[i], a[i].possibility(relation, &b[i]));
            assert_eq!(necessity[i], a[i].necessity(relation, &b[i]));
        }
    }
    for distance in Distance::ALL {
        let expected: Vec<f64> = a.iter().map(|a| a.distance(&b[3], distance)).collect();
        let one = LuArray::from_numbers(&b[3..4]);
        assert_eq!(x.distance(&one, distance, &device).unwrap(), expected);
    }
    let values: Vec<f64> = b.iter().map(|b| b.core().midpoint()).collect();
    let expected: Vec<f64> = a.iter().zip(&values).map(|(a, value)| a.membership(*value)).collect();
    assert_eq!(x.membership(&values).unwrap(), expected);
    assert!(x.membership(&[1.0, 2.0]).is_err());
    assert!(x.possibility(Relation::Less, &LuArray::from_numbers(&b[..2]), &device).is_err());
}

#[test]
fn arrays_of_shapes_equal_single_shapes() {
    let corners = [[1.0, 2.0, 4.0], [-0.0, 0.1, 0.3]];
    let triangles = LuArray::<f64>::triangular(4, &corners).unwrap();
    let trapezoid = LuArray::<f64>::trapezoidal(4, &[[1.0, 2.0, 4.0, 9.0]]).unwrap();
    let gaussian = LuArray::<f32>::gaussian(4, &[[1.0, 0.5]]).unwrap();
    let bell = LuArray::<f64>::bell(4, &[[5.0, 1.0, 2.0]]).unwrap();
    for (i, [left, top, right]) in corners.into_iter().enumerate() {
        assert_eq!(triangles.number::<4>(i).unwrap(), FuzzyLu::triangular(left, top, right).unwrap());
    }
    assert_eq!(trapezoid.number::<4>(0).unwrap(), FuzzyLu::trapezoidal(1.0, 2.0, 4.0, 9.0).unwrap());
    assert_eq!(gaussian.number::<4>(0).unwrap(), FuzzyLu::gaussian(1.0, 0.5).unwrap());
    assert_eq!(bell.number::<4>(0).unwrap(), FuzzyLu::bell(5.0, 1.0, 2.0).unwrap());
    let sides = [ReferenceFunction::Quadratic, ReferenceFunction::Gaussian];
    let left_right = LuArray::<f64>::left_right(4, [2.0, 3.0], [1.0, 4.0], sides).unwrap();
    assert_eq!(
        left_right.number::<4>(0).unwrap(),
        FuzzyLu::left_right([2.0, 3.0], [1.0, 4.0], sides).unwrap()
    );
    // 0.1 is enclosed in single precision.
    let tenth = LuArray::<f32>::triangular(1, &[[0.1, 0.1, 0.1]]).unwrap().cut(0, 0);
    assert!(f64::from(tenth.lower) < 0.1 && 0.1 < f64::from(tenth.upper));
    let error =
        LuArray::<f64>::triangular(2, &[[1.0, 2.0, 3.0], [1.0, f64::NAN, 2.0]]).unwrap_err().to_string();
    assert!(error.starts_with("number 2: tri: `top` is NaN"), "{error}");
    assert!(LuArray::<f64>::triangular(0, &corners).is_err());
}

#[test]
fn bounds_round_trip_and_are_checked() {
    let random = &mut Random(6);
    let numbers = random_numbers::<FuzzyLu<f32, 3>>(random, 40);
    let array = LuArray::from_numbers(&numbers);
    let again = LuArray::from_cuts(3, &array.to_cuts()).unwrap();
    assert_eq!((0..40).map(|i| again.number::<3>(i).unwrap()).collect::<Vec<_>>(), numbers);
    let error = LuArray::from_cuts(2, &[[1.0, 2.0], [1.0, 2.0], [1.0, 2.0], [0.0, 2.0]]).unwrap_err();
    assert!(error.to_string().starts_with("number 2: alpha-cut 1 is [0, 2]"), "{error}");
    assert!(LuArray::from_cuts(2, &[[1.0, 2.0]]).is_err() && LuArray::from_cuts(0, &[[1.0, 2.0]]).is_err());
}
