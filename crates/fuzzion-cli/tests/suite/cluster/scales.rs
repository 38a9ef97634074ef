//! Extreme numbers, columns of different scales, and the recommendation of a sweep.

use crate::common::{TestDir, floats, groups, text};

#[test]
fn numbers_beyond_the_range_are_errors_or_can_be_saved() {
    let dir = TestDir::with("subnormal.csv", "x\n1e-310\n2e-310\n3e-310\n4e-310\n");
    dir.write("heavy.csv", "x,y,w\n1,1,1e308\n2,2,1e308\n3,3,1e308\n4,9,1e308\n");
    dir.write("huge.csv", "x,y\n1e154,1e154\n2e154,2e154\n3e154,3e154\n4e154,9e154\n");
    for (args, message) in [
        ("subnormal.csv --clusters 2 --standardize", "column 1 (`x`) has a standard deviation of only 1.118"),
        (
            "heavy.csv --clusters 2 --weights w",
            "the sample weights add up to more than 1.8e308, which is too large; ",
        ),
    ] {
        let output = dir.run(&format!("cluster {args} --centers c.csv"));
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args}: {printed}");
        assert!(printed.contains(message) && printed.lines().count() == 1, "{args}: {printed}");
        assert!(!dir.join("c.csv").exists());
    }
    let fit = dir.json("cluster huge.csv --clusters 2 --labels a.csv --model m.json");
    let centers: Vec<f64> = fit["centers"].as_array().unwrap().iter().flat_map(floats).collect();
    assert!(centers.iter().all(|x| (1e154..9.1e154).contains(x)), "{fit}");
    assert!(fit["indices"]["fhv"].is_number() && fit["indices"]["xb"].is_number(), "{fit}");
    dir.output_of("cluster --apply m.json huge.csv --labels b.csv");
    assert_eq!(dir.read("a.csv"), dir.read("b.csv"));
}

#[test]
fn columns_of_different_scales_cause_a_warning() {
    let rooms: String = (0..60).map(|i| format!("{},{},7\n", i % 5, (i * 37 % 60) * 50)).collect();
    let dir = TestDir::with("houses.csv", format!("rooms,area,constant\n{rooms}"));
    dir.write("g.csv", groups(60));
    let expected = "the range of `area` is 740 times that of `rooms`, so that `area` dominates the distances; use `--standardize` \
                    unless both have the same unit";
    let fit = "cluster houses.csv --clusters 2";
    for args in [fit, "cluster houses.csv --sweep 2..4", "cluster houses.csv --clusters 2 --memory 0.0000001"]
    {
        assert!(dir.output_of(args).contains(&format!("\nwarning: {expected}\n")), "{args}");
        let warnings = dir.json(args)["warnings"].clone();
        assert!(warnings.as_array().unwrap().iter().any(|warning| warning == expected), "{args}: {warnings}");
    }
    for args in [
        "cluster houses.csv --clusters 2 --columns rooms,area --standardize",
        "cluster houses.csv --clusters 2 --columns rooms,area --metric mahalanobis",
        "cluster houses.csv --clusters 2 --columns area,constant",
        "cluster g.csv --clusters 2 --columns x,y",
    ] {
        assert!(!dir.output_of(args).contains("dominates"), "{args}");
    }
}

#[test]
fn a_sweep_recommends_a_number_of_clusters() {
    let dir = TestDir::with("g.csv", groups(300));
    let printed = dir.output_of("cluster g.csv --columns x,y --sweep 2..6");
    assert!(printed.contains("\nrecommended: 3 clusters, the best number by mpc, xb, fs"), "{printed}");
    assert_eq!(dir.json("cluster g.csv --columns x,y --sweep 2..6")["recommended_clusters"], 3);
    // Three groups: the largest number of the sweep may be too small.
    let printed = dir.output_of("cluster g.csv --columns x,y --sweep 2..3");
    assert!(printed.contains("recommended: 3 clusters, the best number by mpc, xb"), "{printed}");
    assert!(
        printed.contains("; also compare more clusters, because this is the largest number of the sweep")
    );
    assert!(!dir.output_of("cluster g.csv --columns x,y --sweep 3..3").contains("recommended"));
}
