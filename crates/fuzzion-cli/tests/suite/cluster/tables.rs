//! `fuzzion cluster` on tables.

use crate::common::{IRIS, TestDir, centers, floats, groups, text};
use serde_json::Value;

/// Centers of three clusters of scikit-learn's iris data with fuzzifier 2, which any correct fuzzy c-means finds.
const REFERENCE: [[f64; 4]; 3] = [
    [5.00396596, 3.41408886, 1.48281553, 0.25354632],
    [5.88893236, 2.76106936, 4.36395164, 1.39731504],
    [6.77501122, 3.05238227, 5.64678178, 2.05354666],
];

/// A fit without its times.
fn without_times(mut fit: Value) -> Value {
    let fields = fit.as_object_mut().unwrap();
    ["seconds", "ms_per_iteration"].iter().for_each(|name| assert!(fields.remove(*name).is_some()));
    // A sweep reports these once for all fits.
    ["read_seconds", "compute_seconds", "write_seconds"].iter().for_each(|name| drop(fields.remove(*name)));
    fit
}

#[test]
fn the_iris_data_gives_the_reference_centers() {
    let dir = TestDir::with("iris.csv", IRIS);
    let fit = dir.json("cluster iris.csv --clusters 3 --tol 1e-12");
    assert!((fit["objective"].as_f64().unwrap() - 60.505710629489).abs() < 1e-8);
    for (found, reference) in centers(&fit).iter().zip(REFERENCE) {
        // The reference centers have eight decimals.
        assert!(found.iter().zip(reference).all(|(a, b)| (a - b).abs() < 1e-7), "{found:?}");
    }
    let index = |name: &str| fit["indices"][name].as_f64().unwrap();
    assert!((index("pc") - 0.78339749).abs() < 1e-7 && (index("pe") - 0.39549158).abs() < 1e-7);
    assert!((index("mpc") - (1.0 - 1.5 * (1.0 - index("pc")))).abs() < 1e-12);
    assert!((index("xb") - 0.1369).abs() < 5e-5, "{}", index("xb"));
    let mut sizes = floats(&fit["sizes"]);
    sizes.sort_by(f64::total_cmp);
    assert_eq!(sizes, [40.0, 50.0, 60.0]);
    assert_eq!((&fit["stop"], &fit["device"]), (&Value::from("converged"), &Value::from("cpu")));
    assert!(fit["iterations"].as_u64().unwrap() >= fit["history"].as_array().unwrap().len() as u64);
    assert!(fit["seconds"].as_f64().unwrap() > 0.0 && fit["ms_per_iteration"].as_f64().unwrap() > 0.0);
    assert!(index("fs") < 0.0 && index("fhv") > 0.0);
}

#[test]
fn the_summary_contains_clusters_convergence_indices_and_files() {
    let dir = TestDir::with("iris.csv", IRIS);
    let printed = dir.output_of("cluster iris.csv --clusters 3 --tol 1e-12 --centers c.csv --plot p.svg");
    for part in [
        "iris.csv: 150 rows, 4 columns (f64), 3 clusters\n",
        "cluster  size  sepal_length  sepal_width  petal_length  petal_width\n",
        "50       5.00397      3.41409       1.48282     0.253546\n",
        "converged after ",
        "partition coefficient            0.783397  higher is better\n",
        "ignored text columns: `species`\n",
        "wrote c.csv, p.svg\n",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let few = dir.output_of("cluster iris.csv --clusters 3 --max-iter 1");
    assert!(few.contains("not converged after 1 iteration ("), "{few}");
}

#[test]
fn centers_memberships_and_labels_are_consistent() {
    let dir = TestDir::with("iris.csv", IRIS);
    let args = "cluster iris.csv --clusters 4 --fuzzifier 1.7";
    let fit = dir.json(&format!("{args} --centers c.csv --memberships u.csv --labels l.csv --model m.json"));
    dir.json(&format!("{args} --memberships top.csv --top 2"));
    let own: Vec<Vec<f64>> = fit["centers"].as_array().unwrap().iter().map(floats).collect();
    assert_eq!(dir.read_values("c.csv"), own);
    assert!(text(&dir.read("u.csv")).starts_with("cluster1,cluster2,cluster3,cluster4\n"));
    assert!(text(&dir.read("top.csv")).starts_with("top1,membership1,top2,membership2\n"));
    let (memberships, labels, top) =
        (dir.read_values("u.csv"), dir.read_values("l.csv"), dir.read_values("top.csv"));
    assert_eq!((memberships.len(), labels.len(), top.len()), (150, 150, 150));
    let mut sizes = vec![0.0; 4];
    for ((u, label), top) in memberships.iter().zip(&labels).zip(&top) {
        assert!((u.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let mut order: Vec<usize> = (0..4).collect();
        order.sort_by(|a, b| u[*b].total_cmp(&u[*a]));
        assert_eq!(label[0] as usize, order[0] + 1);
        assert_eq!((top[0] as usize, top[2] as usize), (order[0] + 1, order[1] + 1));
        assert_eq!((top[1], top[3]), (u[order[0]], u[order[1]]));
        sizes[order[0]] += 1.0;
    }
    assert_eq!(sizes, floats(&fit["sizes"]));
}

#[test]
fn a_table_that_is_read_again_in_every_iteration_gives_identical_results() {
    let dir = TestDir::with("g.csv", groups(400));
    for extra in ["", "--weights w", "--columns y,x --metric gk", "--n-init 3 --init random --standardize"] {
        let args = format!("cluster g.csv --clusters 3 {extra}");
        let outputs =
            |n: u8| format!("--labels l{n}.csv --memberships u{n}.npy --centers c{n}.csv --plot p{n}.svg");
        let in_memory = without_times(dir.json(&format!("{args} {}", outputs(1))));
        let streamed = without_times(dir.json(&format!("{args} {} --memory 0", outputs(2))));
        assert_eq!(in_memory, streamed, "{extra}");
        for [a, b] in [["l1.csv", "l2.csv"], ["u1.npy", "u2.npy"], ["c1.csv", "c2.csv"], ["p1.svg", "p2.svg"]]
        {
            assert_eq!(dir.read(a), dir.read(b), "{extra}: {a}");
        }
    }
    let printed = dir.output_of("cluster g.csv --clusters 3 --memory 0");
    assert!(printed.starts_with("g.csv: 400 rows, 3 columns (f64), 3 clusters\n"), "{printed}");
    let note = "the table is larger than 0 GB (`--memory`) and was read several times\n";
    assert!(printed.contains(note), "{printed}");
    let sweep = |memory: &str| {
        let fits = dir.json(&format!("cluster g.csv --weights w --sweep 2..4 --memory {memory}"));
        fits["fits"].as_array().unwrap().iter().cloned().map(without_times).collect::<Vec<_>>()
    };
    assert_eq!(sweep("0"), sweep("1"));
}

#[test]
fn sample_weights_are_equivalent_to_repeated_rows() {
    let table = groups(90);
    let repeated: String = table
        .lines()
        .flat_map(|line| {
            let times = line.split(',').nth(2).unwrap().parse().unwrap_or(1); // the header once
            std::iter::repeat_n(format!("{line}\n"), times)
        })
        .collect();
    let dir = TestDir::with("g.csv", &table);
    dir.write("r.csv", repeated);
    let weighted = dir.json("cluster g.csv --clusters 3 --weights w --tol 1e-12");
    let plain = dir.json("cluster r.csv --clusters 3 --columns x,y --tol 1e-12");
    assert_eq!(weighted["columns"], serde_json::json!(["x", "y"]));
    // Both stop within 1e-12 of the spread, about 5, of the same fixed point.
    for (a, b) in centers(&weighted).iter().flatten().zip(centers(&plain).iter().flatten()) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn standardizing_is_the_diagonal_metric_and_keeps_the_original_units() {
    let stretched: String = groups(120)
        .lines()
        .enumerate()
        .map(|(i, line)| {
            let (x, rest) = line.split_once(',').unwrap();
            if i == 0 {
                format!("{line}\n")
            } else {
                format!("{},{rest}\n", x.parse::<f64>().unwrap() * 1024.0)
            }
        })
        .collect();
    let dir = TestDir::with("g.csv", groups(120));
    dir.write("s.csv", stretched);
    let args = "--clusters 3 --columns x,y --tol 1e-12";
    let plain = dir.json(&format!("cluster g.csv {args} --standardize"));
    let diagonal = dir.json(&format!("cluster g.csv {args} --metric diagonal"));
    assert_eq!(without_times(plain.clone()), without_times(diagonal));
    let stretched = dir.json(&format!("cluster s.csv {args} --standardize"));
    for (a, b) in centers(&plain).iter().zip(centers(&stretched)) {
        assert!((a[0] * 1024.0 - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-9, "{a:?} {b:?}");
    }
    let printed = dir.output_of("cluster g.csv --clusters 2 --standardize --metric gk");
    assert!(printed.contains("`--standardize` has no effect"), "{printed}");
}

#[test]
fn initial_centers_are_read_by_name_or_by_position() {
    let dir = TestDir::with("g.csv", groups(90));
    dir.write("named.csv", "y,x\n0,0\n2,10\n9,4\n");
    dir.write("plain.csv", "0,0\n10,2\n4,9\n");
    let fit = |file: &str| {
        without_times(
            dir.json(&format!("cluster g.csv --clusters 3 --columns x,y --init {file} --max-iter 1 --plain")),
        )
    };
    let named = fit("named.csv");
    assert_eq!(named, fit("plain.csv"));
    // The clusters have the order of the file.
    let x: Vec<f64> =
        named["centers"].as_array().unwrap().iter().map(|c| c[0].as_f64().unwrap().round()).collect();
    assert_eq!(x, [0.0, 10.0, 4.0]);
}

#[test]
fn a_sweep_compares_numbers_of_clusters() {
    let dir = TestDir::with("g.csv", groups(300));
    let fits = dir.json("cluster g.csv --columns x,y --sweep 2..5 --n-init 3")["fits"].clone();
    let clusters: Vec<u64> =
        fits.as_array().unwrap().iter().map(|fit| fit["clusters"].as_u64().unwrap()).collect();
    assert_eq!(clusters, [2, 3, 4, 5]);
    let three = without_times(dir.json("cluster g.csv --columns x,y --clusters 3 --n-init 3"));
    assert_eq!(without_times(fits[1].clone()), three);
    // Three separate round groups, which the indices that do not favor few clusters detect.
    let printed = dir.output_of("cluster g.csv --columns x,y --sweep 2..5 --n-init 3 --plot s.svg");
    assert!(printed.contains("mpc 3, xb 3, fs 3"), "{printed}");
    assert_eq!(printed.matches('*').count(), 7, "one for each index and one in the legend: {printed}");
    let svg = text(&dir.read("s.svg"));
    assert!(svg.contains("Number of clusters in g.csv") && svg.contains("best: 3"));
}

#[test]
fn a_saved_model_gives_the_labels_of_the_fit_for_any_column_order() {
    let dir = TestDir::with("iris.csv", IRIS);
    for metric in ["euclidean", "diagonal", "mahalanobis", "gk", "gg"] {
        let fit = format!("cluster iris.csv --clusters 3 --metric {metric}");
        let first = dir.json(&format!("{fit} --labels l.csv --memberships u.csv --model m.json"));
        let swapped: String = IRIS
            .lines()
            .map(|line| {
                let cells: Vec<&str> = line.split(',').collect();
                format!("{},7,{},{},{},{}\n", cells[3], cells[4], cells[1], cells[0], cells[2])
                    .replace("petal_width,7", "petal_width,more")
            })
            .collect();
        dir.write("new.csv", swapped);
        for memory in ["0", "1"] {
            let args = "cluster --apply m.json new.csv --labels l2.csv --memberships u2.csv";
            let summary = dir.json(&format!("{args} --memory {memory}"));
            assert_eq!(dir.read("l.csv"), dir.read("l2.csv"), "{metric}");
            assert_eq!(dir.read("u.csv"), dir.read("u2.csv"), "{metric}");
            assert_eq!(summary["rows"], 150);
            assert_eq!(floats(&summary["sizes"]), floats(&first["sizes"]));
        }
    }
    let printed = dir.output_of("cluster --apply m.json iris.csv --plot p.svg");
    assert!(printed.starts_with("iris.csv: 150 rows assigned to the 3 clusters of m.json\n"), "{printed}");
    assert!(text(&dir.read("p.svg")).contains("3 clusters of m.json"));
    // Columns without names are matched by position.
    let bare: String =
        IRIS.lines().skip(1).map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect();
    dir.write("bare.csv", bare);
    dir.output_of("cluster --apply m.json bare.csv --labels l3.csv");
    assert_eq!(dir.read("l.csv"), dir.read("l3.csv"));
}

#[test]
fn an_output_table_replaces_the_summary_on_standard_output() {
    let dir = TestDir::with("iris.csv", IRIS);
    let printed = dir.output_of("cluster iris.csv --clusters 3 --labels -");
    assert!(printed.starts_with("cluster\n") && printed.lines().count() == 151, "{printed}");
}

#[test]
fn a_pipe_gives_the_same_result_as_a_file() {
    use std::io::Write as _;
    let dir = TestDir::with("g.csv", groups(60));
    let mut child = dir
        .command("cluster - --clusters 3 --columns x,y --json --labels piped.csv")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(groups(60).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let piped = serde_json::from_slice(&output.stdout).unwrap();
    let file = dir.json("cluster g.csv --clusters 3 --columns x,y --labels file.csv");
    assert_eq!(without_times(piped), without_times(file));
    assert_eq!(dir.read("piped.csv"), dir.read("file.csv"));
}

#[test]
fn plots_show_every_cluster_with_its_center_and_ellipse() {
    let dir = TestDir::with("iris.csv", IRIS);
    dir.output_of("cluster iris.csv --clusters 3 --metric gk --plot p.svg");
    let svg = text(&dir.read("p.svg"));
    // The two columns that separate the clusters best, and the legend with the sizes.
    for part in ["petal_length", "petal_width", "Gustafson-Kessel, fuzzifier 2", ">center<", " (50)<"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains("sepal"));
    assert_eq!(svg.matches("Z\"").count(), 3, "three closed curves");
    dir.output_of("cluster iris.csv --clusters 2 --columns petal_width --plot h.svg");
    let svg = text(&dir.read("h.svg"));
    assert!(svg.contains(">count<") && svg.contains(">membership<") && svg.contains("petal_width"));
}

#[test]
fn missing_values_can_be_excluded_from_distances() {
    let dir = TestDir::with("m.csv", "x,y\n0,0\n0.1,\n0,0.2\n9,9\n,9.1\n9.2,9\n");
    let fit = dir.json("cluster m.csv --clusters 2 --missing partial --labels l.csv");
    assert_eq!(fit["stop"], "converged");
    let labels: Vec<f64> = dir.read_values("l.csv").concat();
    assert!(labels[..3].iter().all(|l| *l == labels[0]) && labels[3..].iter().all(|l| *l == 3.0 - labels[0]));
}

#[test]
fn every_variant_can_be_selected() {
    let dir = TestDir::with("g.csv", groups(90));
    let fit = |args: &str| dir.json(&format!("cluster g.csv --clusters 3 --columns x,y {args}"));
    let hard = fit("--variant hard --memberships u.csv");
    assert!(dir.read_values("u.csv").concat().iter().all(|u| *u == 0.0 || *u == 1.0));
    assert_eq!(hard["indices"]["pc"], 1.0);
    fit("--variant noise --noise-distance 1 --memberships n.csv");
    let sums: Vec<f64> = dir.read_values("n.csv").iter().map(|u| u.iter().sum()).collect();
    assert!(sums.iter().all(|sum| *sum < 1.0 + 1e-12) && sums.iter().any(|sum| *sum < 0.8), "{sums:?}");
    fit("--variant pcm --memberships t.csv");
    assert!(dir.read_values("t.csv").iter().any(|t| (t.iter().sum::<f64>() - 1.0).abs() > 0.01));
    let (a, b) = (fit("--variant pfcm"), fit("--variant pfcm --pfcm 1,1,2"));
    assert_eq!(without_times(a), without_times(b));
    fit("--variant pcm --memberships t.csv --typicalities t2.csv --model t.json");
    assert_eq!(dir.read("t.csv"), dir.read("t2.csv"), "a possibilistic membership is a typicality");
    dir.output_of("cluster --apply t.json g.csv --typicalities t3.csv");
    assert_eq!(dir.read("t.csv"), dir.read("t3.csv"));
    fit("--variant pfcm --memberships u.csv --typicalities t.csv");
    let sums =
        |name: &str| dir.read_values(name).iter().map(|row| row.iter().sum::<f64>()).collect::<Vec<_>>();
    assert!(sums("u.csv").iter().all(|sum| (sum - 1.0).abs() < 1e-12));
    assert!(sums("t.csv").iter().any(|sum| (sum - 1.0).abs() > 0.01));
    let other = fit("--variant pfcm --pfcm 1,4,2");
    assert_ne!(other["objective"], fit("--variant pfcm")["objective"]);
    let volumes = fit("--metric gk --volumes 1,1,1 --regularize 0");
    assert_eq!(without_times(volumes), without_times(fit("--metric gk")));
}

#[test]
fn the_hypervolume_follows_standardize() {
    let dir = TestDir::with("iris.csv", IRIS);
    let scaled: String = IRIS
        .lines()
        .map(|line| match line.split_once(',').map(|(first, rest)| (first.parse::<f64>(), rest)) {
            Some((Ok(first), rest)) => format!("{},{rest}\n", 1000.0 * first),
            _ => format!("{line}\n"),
        })
        .collect();
    dir.write("scaled.csv", scaled);
    let volume = |args: &str| dir.json(args)["indices"]["fhv"].as_f64().unwrap();
    let original = volume("cluster iris.csv --clusters 3 --standardize");
    let scaled = volume("cluster scaled.csv --clusters 3 --standardize");
    assert!((scaled / original - 1.0).abs() < 1e-6, "{scaled} {original}");
    let plain = volume("cluster iris.csv --clusters 3");
    // The product of the standard deviations is 0.4716.
    assert!(original > 1.5 * plain, "{original} {plain}");
}

#[test]
fn centers_below_the_rounding_errors_of_their_column_are_zero() {
    // The mean of the middle cluster is 0 up to a rounding error of 1e-17.
    let rows = [-7.3, -6.7, -0.1, -0.2, 0.3, 6.7, 7.3].map(|x| format!("{x}\n")).concat();
    let dir = TestDir::with("symmetric.csv", format!("x\n{rows}"));
    let printed = dir.output_of("cluster symmetric.csv --clusters 3 --variant hard");
    let centers: Vec<&str> = printed
        .lines()
        .skip_while(|line| !line.starts_with("cluster"))
        .skip(1)
        .take(3)
        .filter_map(|line| line.split_whitespace().last())
        .collect();
    let mut sorted = centers.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, ["-7", "0", "7"], "{printed}");
}
