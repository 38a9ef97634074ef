//! `fuzzion calc`: formulas over fuzzy numbers.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{Place, text};
use serde_json::json;

#[test]
fn a_formula_of_numbers_is_a_table_of_cuts() {
    let place = Place::new();
    // By hand: 1·2/2 and 3·5/0.5 at the support, 2·3/2 and 2·4/0.5 at the core.
    assert_eq!(
        place.said("calc tri(1,2,3)*trap(2,3,4,5)/[0.5,2] --cuts 2"),
        "alpha  lower  upper\n    0      1     30\n    1      3     16\n\ncentroid 12.881\n"
    );
    let told = place.json("calc tri(1,2,3)*trap(2,3,4,5)/[0.5,2] --cuts 2");
    let cuts = json!([
        { "alpha": 0.0, "lower": 1.0, "upper": 30.0 },
        { "alpha": 1.0, "lower": 3.0, "upper": 16.0 },
    ]);
    assert_eq!((&told["cuts"], &told["encoding"]), (&cuts, &json!("lu")));
    // Of the trapezoid through (1, 0), (3, 1), (16, 1), (30, 0): moment over area.
    let (mut moment, mut area) = (0.0, 0.0);
    for (height, middle) in [(1.0, 1.0 + 4.0 / 3.0), (13.0, 9.5), (7.0, 16.0 + 14.0 / 3.0)] {
        (moment, area) = (moment + height * middle, area + height);
    }
    // Ten roundings of numbers near 13.
    assert!((told["centroid"].as_f64().unwrap() - moment / area).abs() < 1e-13, "{told}");
    assert_eq!(place.json("calc 1e-3*0.1")["cuts"].as_array().unwrap().len(), 4); // the default
    assert_eq!(place.said("calc tri(1,2,3)-1 --cuts 2 --quiet"), "cuts([0, 2], [1, 1])\n");
    assert_eq!(place.said("calc -2^2 --quiet"), "-4\n"); // a formula may begin with a sign
}

#[test]
fn bounds_have_all_their_digits_in_json_and_are_rounded_outwards_for_people() {
    let place = Place::new();
    let told = place.json("calc 1/3 --cuts 1");
    let (lower, upper) =
        (told["cuts"][0]["lower"].as_f64().unwrap(), told["cuts"][0]["upper"].as_f64().unwrap());
    assert!(lower == 1.0 / 3.0 && upper == (1.0f64 / 3.0).next_up(), "{told}"); // 1/3 to nearest is below it
    let said = place.said("calc 1/3 --cuts 1");
    assert!(said.contains("0.3333333  0.3333334\n"), "{said}");
    let told = place.json("calc 1/3 --cuts 1 --precision f32");
    let cut = (told["cuts"][0]["lower"].as_f64().unwrap(), told["cuts"][0]["upper"].as_f64().unwrap());
    assert_eq!(cut, (f64::from((1.0f32 / 3.0).next_down()), f64::from(1.0f32 / 3.0)));
}

#[test]
fn what_has_no_bound_says_so() {
    let place = Place::new();
    let told = place.json("calc [1,2]/[-1,4] --cuts 2");
    assert_eq!(told["cuts"][1], json!({ "alpha": 1.0, "lower": "-inf", "upper": "inf" }));
    assert_eq!(told["centroid"], json!(null));
    let said = place.said("calc gauss(5,0.5) --cuts 2");
    assert!(
        said.starts_with("alpha  lower  upper\n    0   -inf    inf\n    1      5      5\n\ncentroid 5\n"),
        "{said}"
    );
    assert!(said.contains("inf: no bound is known there"), "{said}");
    assert!(place.said("calc 1/0").contains("centroid none: even the core is unbounded"));
}

#[test]
fn a_midpoint_and_radii_report_how_much_wider_they_are() {
    let place = Place::new();
    let told = place.json("calc tri(1,2,3)*tri(1,2,3) --cuts 2 --encoding mr");
    assert_eq!(told["text"], "mid(4, 5, 0)"); // [−1, 9] where the truth is [1, 9]
    assert_eq!(told["width_over_lu"], json!([1.25, 1.0]));
    let said = place.said("calc tri(1,2,3)*tri(1,2,3) --cuts 2 --encoding mr --precision mixed");
    assert!(
        said.starts_with("alpha  lower  upper  width over lu\n    0     -1      9           1.25\n"),
        "{said}"
    );
}

#[test]
fn one_variable_twice_is_one_number_where_that_is_asked_for() {
    let place = Place::new();
    let support = |method: &str| {
        let told = place.json(&format!("calc x*(1-x) --let x=tri(0,0.5,1) --method {method}"));
        (told["cuts"][0]["lower"].as_f64().unwrap(), told["cuts"][0]["upper"].as_f64().unwrap())
    };
    assert_eq!((support("direct"), support("vertex")), ((0.0, 1.0), (0.0, 0.25)));
    let (lower, upper) = support("affine");
    assert!((0.0..=0.25).contains(&(lower + 0.25)) && (0.25..1.0).contains(&upper), "{lower} {upper}");
}

const PLAN: &str = "\
item,demand,price,note
pump,\"tri(90,100,120)\",2.50,\"a, b\"
valve,\"[50, 60]\",\"gauss(3, 0.1)\",
pipe,70,,x
";

#[test]
fn the_results_of_rows_come_to_their_table_and_read_back() {
    let place = Place::with("plan.csv", PLAN);
    let expected = "\
item,demand,price,note,profit_lower,profit_upper,profit_centroid,profit
pump,\"tri(90,100,120)\",2.50,\"a, b\",205,280,238.33333333333334,\"cuts([205, 280], [230, 230])\"
valve,\"[50, 60]\",\"gauss(3, 0.1)\",NA,-inf,inf,145,\"cuts([-inf, inf], [130, 160])\"
pipe,70,NA,x,-inf,inf,NaN,\"[-inf, inf]\"
";
    let words = "calc demand*price-cost --let cost=20 --data plan.csv --name profit --cuts 2";
    assert_eq!(place.said(words), expected);
    let said = place.said(&format!("{words} --out out.csv"));
    assert!(said.starts_with("plan.csv: 3 rows, written to out.csv"), "{said}");
    assert!(said.contains("a value is missing in 1 row"), "{said}");
    assert_eq!(text(&place.bytes("out.csv")), expected);
    let told = place.json("calc profit+20 --data out.csv --cuts 2 --encoding mr --out back.csv");
    assert_eq!((&told["rows"], &told["with_missing_values"]), (&3.into(), &0.into()));
    let back = text(&place.bytes("back.csv"));
    // [205, 280] around 230 is [180, 280].
    assert!(back.lines().nth(1).unwrap().ends_with("200,300,250,\"mid(250, 50, 0)\""), "{back}");
    // A formula of constants alone is the same for every row.
    assert_eq!(
        place
            .said("calc 2*x --let x=3 --data plan.csv")
            .lines()
            .filter(|line| line.ends_with(",6,6,6,6"))
            .count(),
        3
    );
}

#[test]
fn decimal_numbers_of_a_table_are_enclosed_and_those_of_an_array_are_exact() {
    let place = Place::with("x.csv", "x\n0.1\n0.5\n");
    let said = place.said("calc x --data x.csv --cuts 1");
    assert!(said.contains("0.1,0.09999999999999999,0.1,"), "{said}");
    assert!(said.ends_with("0.5,0.5,0.5,0.5,0.5\n"), "{said}");
    place.put("comma.csv", "x;y\n1,5;[1,2]\n-0,5;2,25\n");
    let said = place.said("calc x*y --data comma.csv --cuts 1 --decimal-comma");
    assert!(said.ends_with("\"-0,5\",\"2,25\",-1.125,-1.125,-1.125,-1.125\n"), "{said}");
    // NPY: a header, then one double.
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }";
    let mut npy = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    npy.extend(format!("{header:<117}\n").bytes());
    npy.extend(0.1f64.to_le_bytes());
    place.put("x.npy", npy);
    let said = place.said("calc c1 --data x.npy --cuts 1");
    assert!(said.ends_with("0.1,0.1,0.1,0.1,\"cuts([0.1, 0.1])\"\n"), "{said}");
}

#[test]
fn what_cannot_be_calculated_is_one_sentence_with_the_place_and_writes_nothing() {
    let place = Place::with("plan.csv", PLAN);
    place.put("wrong.csv", "a,b\n1,2\n\n\"[1,2]\",\"tri(1,\n3,2)\"\n3,\"cuts([1,3],[0,2])\"\n");
    place.put("taken.csv", "a,result_upper\n1,2\n");
    place.put("one.csv", "a\n1\n\nx\n");
    for (words, sentence) in [
        (
            "calc demand*prize --data plan.csv --out out.csv",
            "plan.csv has no column `prize`; those there are: `item`, `demand`, `price`, `note`\n  demand*prize\n         ^",
        ),
        (
            "calc a+b --data wrong.csv --out out.csv",
            "wrong.csv, line 4, column `b`: tri: `right` is 2, but it must be at least `top`\n  tri(1, 3,2)\n           ^",
        ),
        (
            "calc item*2 --data plan.csv --out out.csv",
            "plan.csv, line 2, column `item`: no fuzzy number is called `pump`; those there are: `tri`, `trap`, `gauss`, \
             `bell`, `cuts`, `mid`\n  pump\n  ^",
        ),
        (
            "calc a --data one.csv --out out.csv",
            "one.csv, line 4, column `a`: no fuzzy number is called `x`; those there are: `tri`, `trap`, `gauss`, `bell`, \
             `cuts`, `mid`\n  x\n  ^",
        ),
        (
            "calc a --data taken.csv --out out.csv",
            "taken.csv cannot be read as the formula's columns: it has a column `result_upper` already; name the results \
             otherwise with `--name`",
        ),
        (
            "calc a --data none.csv --out out.csv",
            "cannot read none.csv: No such file or directory (os error 2)",
        ),
        (
            "calc x+y --let x=1",
            "the variable `y` has no value; give one with `--let y=…`, or a table with `--data`\n  x+y\n    ^",
        ),
        (
            "calc x --let x=tri(1,nan,3)",
            "`--let x`: `nan` is no number; write one such as `2` or `-1.5e3`\n  tri(1,nan,3)\n        ^",
        ),
        ("calc x --let x", "`--let x` names no variable and its value; write it like `x=tri(1,2,3)`"),
        ("calc x --let x=1 --let x=2", "`--let x=2` gives `x` a second value; leave one of them out"),
        (
            "calc x+y --let z=2",
            "`--let z=2` gives a value to a variable that the formula has not; those there are: `x`, `y`",
        ),
        (
            "calc 2+cuts([1,3],[0,2])",
            "cut 1 is [0, 2], but it must lie within the cut before it\n  2+cuts([1,3],[0,2])\n               ^",
        ),
        ("calc tri(1,2,3 --plot out.svg", "expected `,` or `)` here\n  tri(1,2,3\n           ^"),
    ] {
        let before = place.files();
        let output = place.run(words);
        assert_eq!(output.status.code(), Some(1), "{words}");
        assert_eq!(text(&output.stderr), format!("fuzzion: {sentence}\n"), "{words}");
        assert!(output.stdout.is_empty() && place.files() == before, "{words}");
    }
    let output = place.run("calc demand --data plan.csv --out plan.csv");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "fuzzion: `plan.csv` is a file to read; name another one for `--out`\n");
    assert_eq!(text(&place.bytes("plan.csv")), PLAN);
}

#[test]
fn a_picture_shows_the_result_beside_what_it_was_made_of() {
    let place = Place::new();
    place.said("calc x*[1,2] --let x=gauss(5,0.5) --plot out.svg");
    let svg = text(&place.bytes("out.svg"));
    for part in ["x*[1,2]", ">x<", ">[1,2]<", ">result<"] {
        assert!(svg.contains(part), "{part}");
    }
    // Too narrow beside the result: pictures of their own.
    place.said("calc tri(100,110,120)*tri(2,3,4) --plot out.svg --cuts 1");
    let svg = text(&place.bytes("out.svg"));
    assert!(svg.matches("<g transform").count() >= 3, "{svg}");
}

#[test]
fn the_readmes_example_gives_what_it_shows() {
    let readme = include_str!("../../../README.md");
    let (_, example) = readme.split_once("$ fuzzion calc ").unwrap();
    let (words, shown) = example.split_once('\n').unwrap();
    let (shown, _) = shown.split_once("$ fuzzion").unwrap();
    // As a shell reads them: what stands in quotes is one word.
    let parts = words.split('\'').enumerate();
    let words =
        parts.flat_map(|(i, part)| if i % 2 == 1 { vec![part] } else { part.split_whitespace().collect() });
    let output = Place::new().command("calc").args(words).output().unwrap();
    assert_eq!(text(&output.stdout), shown, "{}", text(&output.stderr));
}
