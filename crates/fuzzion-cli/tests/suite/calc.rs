//! `fuzzion calc`: formulas over fuzzy numbers.

use crate::common::{TestDir, text};
use serde_json::json;

#[test]
fn a_formula_prints_a_table_of_cuts() {
    let dir = TestDir::new();
    // By hand: 1·2/2 and 3·5/0.5 at the support, 2·3/2 and 2·4/0.5 at the core.
    assert_eq!(
        dir.output_of("calc tri(1,2,3)*trap(2,3,4,5)/[0.5,2] --cuts 2"),
        "alpha  lower  upper\n    0      1     30\n    1      3     16\n\ncentroid 12.881\n"
    );
    let summary = dir.json("calc tri(1,2,3)*trap(2,3,4,5)/[0.5,2] --cuts 2");
    let cuts = json!([
        { "alpha": 0.0, "lower": 1.0, "upper": 30.0 },
        { "alpha": 1.0, "lower": 3.0, "upper": 16.0 },
    ]);
    assert_eq!((&summary["cuts"], &summary["encoding"]), (&cuts, &json!("lu")));
    // Of the trapezoid through (1, 0), (3, 1), (16, 1), (30, 0): moment over area.
    let (mut moment, mut area) = (0.0, 0.0);
    for (height, middle) in [(1.0, 1.0 + 4.0 / 3.0), (13.0, 9.5), (7.0, 16.0 + 14.0 / 3.0)] {
        (moment, area) = (moment + height * middle, area + height);
    }
    // Ten roundings of numbers near 13.
    assert!((summary["centroid"].as_f64().unwrap() - moment / area).abs() < 1e-13, "{summary}");
    assert_eq!(dir.json("calc 1e-3*0.1")["cuts"].as_array().unwrap().len(), 4); // the default
    assert_eq!(dir.output_of("calc tri(1,2,3)-1 --cuts 2 --quiet"), "cuts([0, 2], [1, 1])\n");
    assert_eq!(dir.output_of("calc -2^2 --quiet"), "-4\n"); // a formula may begin with a sign
}

#[test]
fn bounds_are_exact_in_json_and_rounded_outward_in_text() {
    let dir = TestDir::new();
    let summary = dir.json("calc 1/3 --cuts 1");
    let (lower, upper) =
        (summary["cuts"][0]["lower"].as_f64().unwrap(), summary["cuts"][0]["upper"].as_f64().unwrap());
    assert!(lower == 1.0 / 3.0 && upper == (1.0f64 / 3.0).next_up(), "{summary}"); // 1/3 to nearest is below it
    let printed = dir.output_of("calc 1/3 --cuts 1");
    assert!(printed.contains("0.3333333  0.3333334\n"), "{printed}");
    let summary = dir.json("calc 1/3 --cuts 1 --precision f32");
    let cut = (summary["cuts"][0]["lower"].as_f64().unwrap(), summary["cuts"][0]["upper"].as_f64().unwrap());
    assert_eq!(cut, (f64::from((1.0f32 / 3.0).next_down()), f64::from(1.0f32 / 3.0)));
}

#[test]
fn unbounded_results_are_reported() {
    let dir = TestDir::new();
    let summary = dir.json("calc [1,2]/[-1,4] --cuts 2");
    assert_eq!(summary["cuts"][1], json!({ "alpha": 1.0, "lower": "-inf", "upper": "inf" }));
    assert_eq!(summary["centroid"], json!(null));
    let printed = dir.output_of("calc gauss(5,0.5) --cuts 2");
    assert!(
        printed.starts_with("alpha  lower  upper\n    0   -inf    inf\n    1      5      5\n\ncentroid 5\n"),
        "{printed}"
    );
    assert!(printed.contains("inf: unbounded because of"), "{printed}");
    assert!(dir.output_of("calc 1/0").contains("centroid undefined: a cut is unbounded"));
}

#[test]
fn the_midpoint_radius_encoding_reports_relative_widths() {
    let dir = TestDir::new();
    let summary = dir.json("calc tri(1,2,3)*tri(1,2,3) --cuts 2 --encoding mr");
    assert_eq!(summary["text"], "mid(4, 5, 0)"); // [−1, 9] where the truth is [1, 9]
    assert_eq!(summary["width_over_lu"], json!([1.25, 1.0]));
    let printed = dir.output_of("calc tri(1,2,3)*tri(1,2,3) --cuts 2 --encoding mr --precision mixed");
    assert!(
        printed.starts_with("alpha  lower  upper  relative width\n    0     -1      9            1.25\n"),
        "{printed}"
    );
}

#[test]
fn repeated_variables_are_one_number_with_the_vertex_and_affine_methods() {
    let dir = TestDir::new();
    let support = |method: &str| {
        let summary = dir.json(&format!("calc x*(1-x) --let x=tri(0,0.5,1) --method {method}"));
        (summary["cuts"][0]["lower"].as_f64().unwrap(), summary["cuts"][0]["upper"].as_f64().unwrap())
    };
    assert_eq!((support("direct"), support("vertex")), ((0.0, 1.0), (0.0, 0.25)));
    let (lower, upper) = support("affine");
    assert!((0.0..=0.25).contains(&(lower + 0.25)) && (0.25..1.0).contains(&upper), "{lower} {upper}");
}

#[test]
fn the_text_of_the_table_is_copied() {
    let table = "a,note\n1.50,  two  \n,\"\"\n007,NA\n";
    let dir = TestDir::with("x.csv", table);
    let expected = "a,note,b_lower,b_upper,b_centroid,b\n1.50,  two  ,3,3,3,3\n,\"\",-inf,inf,NaN,\"[-inf, inf]\"\n007,NA,14,14,14,14\n";
    assert_eq!(dir.output_of("calc 2*a --data x.csv --name b --cuts 1"), expected);
    dir.output_of("calc 2*a --data x.csv --name b --cuts 1 --out y.tsv");
    let tabs = expected.replace("\"[-inf, inf]\"", "[-inf# inf]").replace(',', "\t").replace('#', ",");
    assert_eq!(text(&dir.read("y.tsv")), tabs);
}

#[test]
fn a_variable_of_let_that_is_a_column_is_a_usage_error() {
    let dir = TestDir::with("plan.csv", PLAN);
    for args in ["--out out.csv", "--aggregate sum"] {
        let output = dir.run(&format!("calc price*demand --let price=3 --data plan.csv {args}"));
        assert_eq!(output.status.code(), Some(2));
        let message = "fuzzion: `--let price` sets a column of plan.csv; remove it, or give the variable another name\n";
        assert_eq!(text(&output.stderr), message);
        assert_eq!(dir.files(), ["plan.csv"]);
    }
}

const PLAN: &str = "\
item,demand,price,note
pump,\"tri(90,100,120)\",2.50,\"a, b\"
valve,\"[50, 60]\",\"gauss(3, 0.1)\",
pipe,70,,x
";

#[test]
fn results_are_added_to_the_table_and_can_be_read_back() {
    let dir = TestDir::with("plan.csv", PLAN);
    let expected = "\
item,demand,price,note,profit_lower,profit_upper,profit_centroid,profit
pump,\"tri(90,100,120)\",2.50,\"a, b\",205,280,238.33333333333334,\"cuts([205, 280], [230, 230])\"
valve,\"[50, 60]\",\"gauss(3, 0.1)\",,-inf,inf,145,\"cuts([-inf, inf], [130, 160])\"
pipe,70,,x,-inf,inf,NaN,\"[-inf, inf]\"
";
    let args = "calc demand*price-cost --let cost=20 --data plan.csv --name profit --cuts 2";
    assert_eq!(dir.output_of(args), expected);
    let printed = dir.output_of(&format!("{args} --out out.csv"));
    assert!(printed.starts_with("plan.csv: 3 rows; wrote out.csv"), "{printed}");
    assert!(printed.contains("missing values in 1 row were treated as [-inf, inf]"), "{printed}");
    assert_eq!(text(&dir.read("out.csv")), expected);
    let summary = dir.json("calc profit+20 --data out.csv --cuts 2 --encoding mr --out back.csv");
    assert_eq!((&summary["rows"], &summary["with_missing_values"]), (&3.into(), &0.into()));
    let back = text(&dir.read("back.csv"));
    // [205, 280] around 230 is [180, 280].
    assert!(back.lines().nth(1).unwrap().ends_with("200,300,250,\"mid(250, 50, 0)\""), "{back}");
    // A constant formula gives the same result for every row.
    assert_eq!(
        dir.output_of("calc 2*x --let x=3 --data plan.csv")
            .lines()
            .filter(|line| line.ends_with(",6,6,6,6"))
            .count(),
        3
    );
}

#[test]
fn decimal_numbers_of_text_are_enclosed_and_binary_numbers_are_exact() {
    let dir = TestDir::with("x.csv", "x\n0.1\n0.5\n");
    let printed = dir.output_of("calc x --data x.csv --cuts 1");
    assert!(printed.contains("0.1,0.09999999999999999,0.1,"), "{printed}");
    assert!(printed.ends_with("0.5,0.5,0.5,0.5,0.5\n"), "{printed}");
    dir.write("comma.csv", "x;y\n1,5;[1,2]\n-0,5;2,25\n");
    for option in ["", "--decimal-comma"] {
        let printed = dir.output_of(&format!("calc x*y --data comma.csv --cuts 1 {option}"));
        assert!(printed.ends_with("\n-0,5;2,25;-1,125;-1,125;-1,125;-1,125\n"), "{printed}");
    }
    let sum = dir.json("calc x --data comma.csv --cuts 1 --aggregate sum");
    assert_eq!(sum["cuts"][0]["lower"], 1.0);
    // The results are read back with the same decimal mark.
    dir.output_of("calc x*y --data comma.csv --cuts 2 --out out.csv");
    let back = dir.json("calc result-x*y --data out.csv --aggregate max --cuts 1");
    assert_eq!(back["cuts"][0]["upper"], 1.5); // of [1.5, 3] − [1.5, 3]
    dir.write("mixed.csv", "x;y\n1,5;2.5\n");
    let message = text(&dir.run("calc x*y --data mixed.csv").stderr);
    assert!(message.contains("such as 1.5, or use `--decimal-comma`\n  1,5\n"), "{message}");
    // NPY: a header, then one double.
    let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }";
    let mut npy = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    npy.extend(format!("{header:<117}\n").bytes());
    npy.extend(0.1f64.to_le_bytes());
    dir.write("x.npy", npy);
    let printed = dir.output_of("calc c1 --data x.npy --cuts 1");
    assert!(printed.ends_with("0.1,0.1,0.1,0.1,\"cuts([0.1, 0.1])\"\n"), "{printed}");
}

#[test]
fn errors_report_their_place_and_write_nothing() {
    let dir = TestDir::with("plan.csv", PLAN);
    dir.write("wrong.csv", "a,b\n1,2\n\n\"[1,2]\",\"tri(1,\n3,2)\"\n3,\"cuts([1,3],[0,2])\"\n");
    dir.write("taken.csv", "a,result_upper\n1,2\n");
    dir.write("one.csv", "a\n1\n\nx\n");
    for (args, message) in [
        (
            "calc demand*prize --data plan.csv --out out.csv",
            "plan.csv: missing column `prize` (did you mean `price`?); available columns: `item`, `demand`, `price`, `note`\n  demand*prize\n         ^",
        ),
        (
            "calc a+b --data wrong.csv --out out.csv",
            "wrong.csv, line 4, column `b`: tri: `right` is 2, but it must be at least `top`; write the corners in ascending order\n  tri(1, 3,2)\n           ^",
        ),
        (
            "calc item*2 --data plan.csv --out out.csv",
            "plan.csv, line 2, column `item`: `pump` is not a fuzzy number; available shapes: `tri`, `trap`, `gauss`, \
             `bell`, `cuts`, `mid`\n  pump\n  ^",
        ),
        (
            "calc a --data one.csv --out out.csv",
            "one.csv, line 4, column `a`: `x` is not a fuzzy number; available shapes: `tri`, `trap`, `gauss`, `bell`, \
             `cuts`, `mid`\n  x\n  ^",
        ),
        (
            "calc a --data taken.csv --out out.csv",
            "taken.csv already has a column `result_upper`; choose a different name for the result with `--name`",
        ),
        (
            "calc a --data absent.csv --out out.csv",
            "cannot read absent.csv: the file does not exist; check its path",
        ),
        (
            "calc x+y --let x=1",
            "the variable `y` has no value; set it with `--let y=…` or use a table with `--data`\n  x+y\n    ^",
        ),
        (
            "calc x --let x=tri(1,nan,3)",
            "`--let x`: `nan` is not a number; write a number such as `2` or `-1.5e3`\n  tri(1,nan,3)\n        ^",
        ),
        ("calc x --let x", "`--let x` needs a name and a value, such as `--let x=tri(1,2,3)`"),
        ("calc x --let x=1 --let x=2", "`--let x=2` sets `x` twice; remove one of the values"),
        (
            "calc x+y --let z=2",
            "`--let z=2` sets a variable that is not in the formula; available variables: `x`, `y`",
        ),
        (
            "calc 2+cuts([1,3],[0,2])",
            "alpha-cut 1 is [0, 2], but it must be within the previous alpha-cut\n  2+cuts([1,3],[0,2])\n               ^",
        ),
        ("calc tri(1,2,3 --plot out.svg", "expected `,` or `)`\n  tri(1,2,3\n           ^"),
    ] {
        let before = dir.files();
        let output = dir.run(args);
        assert_eq!(output.status.code(), Some(1), "{args}");
        assert_eq!(text(&output.stderr), format!("fuzzion: {message}\n"), "{args}");
        assert!(output.stdout.is_empty() && dir.files() == before, "{args}");
    }
    let output = dir.run("calc demand --data plan.csv --out plan.csv");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        text(&output.stderr),
        "fuzzion: `plan.csv` is an input file; choose a different path for `--out`\n"
    );
    assert_eq!(text(&dir.read("plan.csv")), PLAN);
}

#[test]
fn the_plot_shows_the_result_and_its_operands() {
    let dir = TestDir::new();
    dir.output_of("calc x*[1,2] --let x=gauss(5,0.5) --plot out.svg");
    let svg = text(&dir.read("out.svg"));
    for part in ["x*[1,2]", ">x<", ">[1,2]<", ">result<"] {
        assert!(svg.contains(part), "{part}");
    }
    // Too narrow for a common axis: one chart per number.
    dir.output_of("calc tri(100,110,120)*tri(2,3,4) --plot out.svg --cuts 1");
    let svg = text(&dir.read("out.svg"));
    assert!(svg.matches("<g transform").count() >= 3, "{svg}");
}

#[test]
fn exact_decimal_results_are_printed_exactly() {
    let dir = TestDir::new();
    let bounds = |args: &str| -> Vec<String> {
        let printed = dir.output_of(&format!("calc {args}"));
        let rows = printed.lines().skip(1).take_while(|line| !line.is_empty());
        rows.map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(bounds("2.6*125 --cuts 2"), ["325 325"; 2]);
    assert_eq!(bounds("0.1+0.2 --cuts 1"), ["0.3 0.3"]);
    assert_eq!(
        bounds("x*0.1-1e-1 --let x=tri(3249,3250,3252) --cuts 3"),
        ["324.80 325.10", "324.85 325.00", "324.90 324.90"]
    );
    assert_eq!(bounds("1.1^3 --cuts 1"), ["1.331 1.331"]);
    // Not exact in decimal, or not known to be: rounded outward.
    assert_eq!(bounds("2.6*125/3 --cuts 1"), ["108.3333 108.3334"]);
    assert_eq!(bounds("0.1*tri(0,1,2) --cuts 4")[1], "0.0333333 0.1666667");
    assert_eq!(bounds("2.6*125 --cuts 1 --encoding mr"), ["324.9999 325.0001 2"]);
}

#[test]
fn aggregates_combine_the_formula_over_all_rows() {
    let dir = TestDir::with("plan.csv", "a,b\n\"tri(1,2,3)\",2\n4,0.5\n\"[0,1]\",10\n");
    let cuts = |args: &str| -> Vec<[f64; 2]> {
        let result = dir.json(&format!("calc {args} --cuts 3"));
        assert_eq!(result["rows"], 3);
        let cut = |cut: &serde_json::Value| ["lower", "upper"].map(|end| cut[end].as_f64().unwrap());
        result["cuts"].as_array().unwrap().iter().map(cut).collect()
    };
    // The products are tri(2,4,6), 2 and [0,10].
    assert_eq!(cuts("a*b --data plan.csv --aggregate sum"), [[4.0, 18.0], [5.0, 17.0], [6.0, 16.0]]);
    assert_eq!(cuts("a*b --data plan.csv --aggregate min"), [[0.0, 2.0]; 3]);
    assert_eq!(cuts("a*b --data plan.csv --aggregate max"), [[2.0, 10.0], [3.0, 10.0], [4.0, 10.0]]);
    for encoding in ["lu", "mr"] {
        for precision in ["f32", "f64"] {
            let args =
                format!("a*b --data plan.csv --aggregate mean --encoding {encoding} --precision {precision}");
            for ([lower, upper], [low, high]) in
                cuts(&args).into_iter().zip([[4.0, 18.0], [5.0, 17.0], [6.0, 16.0]])
            {
                // The bounds enclose the exact mean, with the rounding errors of single precision.
                assert!(lower <= low / 3.0 && lower > low / 3.0 - 1e-5, "{args}: {lower}");
                assert!(upper >= high / 3.0 && upper < high / 3.0 + 1e-5, "{args}: {upper}");
            }
        }
    }
    let printed = dir.output_of("calc a*b --data plan.csv --aggregate sum --cuts 2");
    assert_eq!(
        printed,
        "plan.csv: 3 rows\n\nalpha  lower  upper\n    0      4     18\n    1      6     16\n\ncentroid 11\n"
    );
    assert_eq!(dir.output_of("calc b --data plan.csv --aggregate sum --cuts 1 -q"), "12.5\n");
}

#[test]
fn aggregates_of_many_chunks_have_certified_bounds() {
    let rows = 150_000; // more than two chunks
    let table: String = (0..rows).map(|i| format!("{}\n", (i * 7919 % rows) as f64 * 0.1)).collect();
    let dir = TestDir::with("x.csv", format!("x\n{table}NaN\n"));
    let report = dir.json("calc x --data x.csv --aggregate sum --cuts 1");
    assert_eq!((report["rows"].as_u64(), report["with_missing_values"].as_u64()), (Some(rows + 1), Some(1)));
    assert_eq!((&report["cuts"][0]["lower"], &report["cuts"][0]["upper"]), (&"-inf".into(), &"inf".into()));
    dir.write("x.csv", format!("x\n{table}"));
    let bounds = |aggregate: &str| {
        let report = dir.json(&format!("calc x --data x.csv --aggregate {aggregate} --cuts 1"));
        ["lower", "upper"].map(|end| report["cuts"][0][end].as_f64().unwrap())
    };
    // The sum of 0, 0.1, …, 14999.9.
    let sum = rows as f64 * (rows - 1) as f64 / 2.0 / 10.0;
    let [lower, upper] = bounds("sum");
    assert!(lower <= sum && sum <= upper && upper - lower < 1e-9 * sum, "{lower} {upper}");
    assert_eq!(bounds("min"), [0.0, 0.0]);
    let [lower, upper] = bounds("max");
    assert!(lower <= 14999.9 && 14999.9 <= upper && upper - lower < 1e-10, "{lower} {upper}");
}

#[test]
fn invalid_aggregates_are_errors() {
    let dir = TestDir::with("plan.csv", PLAN);
    for (args, code, message) in [
        (
            "1+1 --data plan.csv --aggregate sum",
            1,
            "`1+1` has no column of the table, whose rows `--aggregate` combines",
        ),
        ("demand --aggregate sum", 2, "missing `--data`"),
        ("demand --data plan.csv --aggregate median", 2, "expected `sum`, `mean`, `min`, `max`"),
        ("demand --data plan.csv --aggregate sum --out x.csv", 2, "cannot be used with"),
    ] {
        let output = dir.run(&format!("calc {args}"));
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{args}: {printed}");
        assert!(printed.contains(message) && printed.lines().count() == 1, "{args}: {printed}");
    }
}
