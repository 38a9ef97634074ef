//! `fuzzion cluster` on tables.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{IRIS, Place, centers, floats, groups, text};
use serde_json::Value;

/// scikit-learn's irises, three clusters, fuzzifier 2: what any correct fuzzy c-means comes to.
const GOLDEN: [[f64; 4]; 3] = [
    [5.00396596, 3.41408886, 1.48281553, 0.25354632],
    [5.88893236, 2.76106936, 4.36395164, 1.39731504],
    [6.77501122, 3.05238227, 5.64678178, 2.05354666],
];

/// A fit without what differs from run to run.
fn timeless(mut fit: Value) -> Value {
    let fields = fit.as_object_mut().unwrap();
    ["seconds", "ms_per_iteration"].iter().for_each(|name| assert!(fields.remove(*name).is_some()));
    fit
}

#[test]
fn irises_come_to_their_golden_numbers() {
    let place = Place::with("iris.csv", IRIS);
    let fit = place.json("cluster iris.csv --clusters 3 --tol 1e-12");
    assert!((fit["objective"].as_f64().unwrap() - 60.505710629489).abs() < 1e-8);
    for (found, golden) in centers(&fit).iter().zip(GOLDEN) {
        // The golden centers have eight decimals.
        assert!(found.iter().zip(golden).all(|(a, b)| (a - b).abs() < 1e-7), "{found:?}");
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
fn the_summary_tells_clusters_course_indices_and_files() {
    let place = Place::with("iris.csv", IRIS);
    let said = place.said("cluster iris.csv --clusters 3 --tol 1e-12 --centers c.csv --plot p.svg");
    for part in [
        "iris.csv: 150 rows and 4 columns (f64) in 3 clusters\n",
        "cluster  size  sepal_length  sepal_width  petal_length  petal_width\n",
        "50       5.00397      3.41409       1.48282     0.253546\n",
        "converged after ",
        "partition coefficient            0.783397  large is good\n",
        "left out: `species`, which holds text\n",
        "written: c.csv, p.svg\n",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let few = place.said("cluster iris.csv --clusters 3 --max-iter 1");
    assert!(few.contains("stopped, not yet converged, after 1 iteration ("), "{few}");
}

#[test]
fn files_of_centers_memberships_and_labels_agree_with_each_other() {
    let place = Place::with("iris.csv", IRIS);
    let words = "cluster iris.csv --clusters 4 --fuzzifier 1.7";
    let fit =
        place.json(&format!("{words} --centers c.csv --memberships u.csv --labels l.csv --model m.json"));
    place.json(&format!("{words} --memberships top.csv --top 2"));
    let own: Vec<Vec<f64>> = fit["centers"].as_array().unwrap().iter().map(floats).collect();
    assert_eq!(place.numbers("c.csv"), own);
    assert!(text(&place.bytes("u.csv")).starts_with("cluster1,cluster2,cluster3,cluster4\n"));
    assert!(text(&place.bytes("top.csv")).starts_with("top1,membership1,top2,membership2\n"));
    let (memberships, labels, top) =
        (place.numbers("u.csv"), place.numbers("l.csv"), place.numbers("top.csv"));
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
fn a_table_read_again_for_every_iteration_comes_to_the_same_bit() {
    let place = Place::with("g.csv", groups(400));
    for extra in ["", "--weights w", "--columns y,x --metric gk", "--n-init 3 --init random --standardize"] {
        let words = format!("cluster g.csv --clusters 3 {extra}");
        let outputs =
            |n: u8| format!("--labels l{n}.csv --memberships u{n}.npy --centers c{n}.csv --plot p{n}.svg");
        let held = timeless(place.json(&format!("{words} {}", outputs(1))));
        let read = timeless(place.json(&format!("{words} {} --memory 0", outputs(2))));
        assert_eq!(held, read, "{extra}");
        for [a, b] in [["l1.csv", "l2.csv"], ["u1.npy", "u2.npy"], ["c1.csv", "c2.csv"], ["p1.svg", "p2.svg"]]
        {
            assert_eq!(place.bytes(a), place.bytes(b), "{extra}: {a}");
        }
    }
    let said = place.said("cluster g.csv --clusters 3 --memory 0");
    assert!(said.starts_with("g.csv: 400 rows and 3 columns (f64) in 3 clusters\n"), "{said}");
    assert!(said.contains("larger than 0 GB: read again for every iteration (`--memory`)\n"), "{said}");
    let sweep = |memory: &str| {
        let fits = place.json(&format!("cluster g.csv --weights w --sweep 2..4 --memory {memory}"));
        fits["fits"].as_array().unwrap().iter().cloned().map(timeless).collect::<Vec<_>>()
    };
    assert_eq!(sweep("0"), sweep("1"));
}

#[test]
fn weights_count_as_often_as_repeated_rows() {
    let table = groups(90);
    let repeated: String = table
        .lines()
        .flat_map(|line| {
            let times = line.split(',').nth(2).unwrap().parse().unwrap_or(1); // the header once
            std::iter::repeat_n(format!("{line}\n"), times)
        })
        .collect();
    let place = Place::with("g.csv", &table);
    place.put("r.csv", repeated);
    let weighted = place.json("cluster g.csv --clusters 3 --weights w --tol 1e-12");
    let plain = place.json("cluster r.csv --clusters 3 --columns x,y --tol 1e-12");
    assert_eq!(weighted["columns"], serde_json::json!(["x", "y"]));
    // Both end within 1e-12 of the spread, some 5, of the same fixed point.
    for (a, b) in centers(&weighted).iter().flatten().zip(centers(&plain).iter().flatten()) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
}

#[test]
fn standardizing_is_the_diagonal_metric_and_keeps_the_users_units() {
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
    let place = Place::with("g.csv", groups(120));
    place.put("s.csv", stretched);
    let words = "--clusters 3 --columns x,y --tol 1e-12";
    let plain = place.json(&format!("cluster g.csv {words} --standardize"));
    let diagonal = place.json(&format!("cluster g.csv {words} --metric diagonal"));
    assert_eq!(timeless(plain.clone()), timeless(diagonal));
    let stretched = place.json(&format!("cluster s.csv {words} --standardize"));
    for (a, b) in centers(&plain).iter().zip(centers(&stretched)) {
        assert!((a[0] * 1024.0 - b[0]).abs() < 1e-6 && (a[1] - b[1]).abs() < 1e-9, "{a:?} {b:?}");
    }
    let said = place.said("cluster g.csv --clusters 2 --standardize --metric gk");
    assert!(said.contains("`--standardize` changes nothing here"), "{said}");
}

#[test]
fn starting_centers_come_from_a_table_by_name_or_in_order() {
    let place = Place::with("g.csv", groups(90));
    place.put("named.csv", "y,x\n0,0\n2,10\n9,4\n");
    place.put("plain.csv", "0,0\n10,2\n4,9\n");
    let fit =
        |file: &str| {
            timeless(place.json(&format!(
                "cluster g.csv --clusters 3 --columns x,y --init {file} --max-iter 1 --plain"
            )))
        };
    let named = fit("named.csv");
    assert_eq!(named, fit("plain.csv"));
    // The order of the clusters is that of the file.
    let x: Vec<f64> =
        named["centers"].as_array().unwrap().iter().map(|c| c[0].as_f64().unwrap().round()).collect();
    assert_eq!(x, [0.0, 10.0, 4.0]);
}

#[test]
fn a_sweep_compares_all_numbers_of_clusters() {
    let place = Place::with("g.csv", groups(300));
    let fits = place.json("cluster g.csv --columns x,y --sweep 2..5 --n-init 3")["fits"].clone();
    let clusters: Vec<u64> =
        fits.as_array().unwrap().iter().map(|fit| fit["clusters"].as_u64().unwrap()).collect();
    assert_eq!(clusters, [2, 3, 4, 5]);
    let three = timeless(place.json("cluster g.csv --columns x,y --clusters 3 --n-init 3"));
    assert_eq!(timeless(fits[1].clone()), three);
    // Three round groups far apart: the indices that do not favour few clusters see them.
    let said = place.said("cluster g.csv --columns x,y --sweep 2..5 --n-init 3 --plot s.svg");
    assert!(said.contains("mpc says 3, xb says 3, fs says 3"), "{said}");
    assert_eq!(said.matches('*').count(), 7, "one for each index and one in the legend: {said}");
    let svg = text(&place.bytes("s.svg"));
    assert!(svg.contains("How many clusters in g.csv?") && svg.contains("prefers 3"));
}

#[test]
fn a_saved_fit_assigns_rows_as_the_fit_did_whatever_the_order_of_columns() {
    let place = Place::with("iris.csv", IRIS);
    for metric in ["euclidean", "diagonal", "mahalanobis", "gk", "gg"] {
        let fit = format!("cluster iris.csv --clusters 3 --metric {metric}");
        let first = place.json(&format!("{fit} --labels l.csv --memberships u.csv --model m.json"));
        let swapped: String = IRIS
            .lines()
            .map(|line| {
                let cells: Vec<&str> = line.split(',').collect();
                format!("{},7,{},{},{},{}\n", cells[3], cells[4], cells[1], cells[0], cells[2])
                    .replace("petal_width,7", "petal_width,more")
            })
            .collect();
        place.put("new.csv", swapped);
        for memory in ["0", "1"] {
            let words = "cluster --apply m.json new.csv --labels l2.csv --memberships u2.csv";
            let told = place.json(&format!("{words} --memory {memory}"));
            assert_eq!(place.bytes("l.csv"), place.bytes("l2.csv"), "{metric}");
            assert_eq!(place.bytes("u.csv"), place.bytes("u2.csv"), "{metric}");
            assert_eq!(told["rows"], 150);
            assert_eq!(floats(&told["sizes"]), floats(&first["sizes"]));
        }
    }
    let said = place.said("cluster --apply m.json iris.csv --plot p.svg");
    assert!(said.starts_with("iris.csv: 150 rows in the 3 clusters of m.json\n"), "{said}");
    assert!(text(&place.bytes("p.svg")).contains("3 clusters of m.json"));
    // Columns without names are taken in their order.
    let bare: String =
        IRIS.lines().skip(1).map(|line| line.rsplit_once(',').unwrap().0.to_owned() + "\n").collect();
    place.put("bare.csv", bare);
    place.said("cluster --apply m.json bare.csv --labels l3.csv");
    assert_eq!(place.bytes("l.csv"), place.bytes("l3.csv"));
}

#[test]
fn a_result_on_standard_output_comes_alone() {
    let place = Place::with("iris.csv", IRIS);
    let said = place.said("cluster iris.csv --clusters 3 --labels -");
    assert!(said.starts_with("cluster\n") && said.lines().count() == 151, "{said}");
}

#[test]
fn a_pipe_is_clustered_as_its_file_is() {
    use std::io::Write as _;
    let place = Place::with("g.csv", groups(60));
    let mut child = place
        .command("cluster - --clusters 3 --columns x,y --json --labels piped.csv")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(groups(60).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let piped = serde_json::from_slice(&output.stdout).unwrap();
    let file = place.json("cluster g.csv --clusters 3 --columns x,y --labels file.csv");
    assert_eq!(timeless(piped), timeless(file));
    assert_eq!(place.bytes("piped.csv"), place.bytes("file.csv"));
}

#[test]
fn pictures_show_every_cluster_its_center_and_its_ellipse() {
    let place = Place::with("iris.csv", IRIS);
    place.said("cluster iris.csv --clusters 3 --metric gk --plot p.svg");
    let svg = text(&place.bytes("p.svg"));
    // The two columns that tell irises apart most, and the legend with the sizes.
    for part in ["petal_length", "petal_width", "Gustafson-Kessel, fuzzifier 2", ">center<", " (50)<"] {
        assert!(svg.contains(part), "{part}");
    }
    assert!(!svg.contains("sepal"));
    assert_eq!(svg.matches("Z\"").count(), 3, "three closed curves");
    place.said("cluster iris.csv --clusters 2 --columns petal_width --plot h.svg");
    let svg = text(&place.bytes("h.svg"));
    assert!(svg.contains("how many") && svg.contains(">membership<") && svg.contains("petal_width"));
}

#[test]
fn missing_values_are_left_out_of_distances_on_request() {
    let place = Place::with("m.csv", "x,y\n0,0\n0.1,\n0,0.2\n9,9\n,9.1\n9.2,9\n");
    let fit = place.json("cluster m.csv --clusters 2 --missing partial --labels l.csv");
    assert_eq!(fit["stop"], "converged");
    let labels: Vec<f64> = place.numbers("l.csv").concat();
    assert!(labels[..3].iter().all(|l| *l == labels[0]) && labels[3..].iter().all(|l| *l == 3.0 - labels[0]));
}

#[test]
fn every_variant_is_had_by_its_word() {
    let place = Place::with("g.csv", groups(90));
    let fit = |words: &str| place.json(&format!("cluster g.csv --clusters 3 --columns x,y {words}"));
    let hard = fit("--variant hard --memberships u.csv");
    assert!(place.numbers("u.csv").concat().iter().all(|u| *u == 0.0 || *u == 1.0));
    assert_eq!(hard["indices"]["pc"], 1.0);
    fit("--variant noise --noise-distance 1 --memberships n.csv");
    let sums: Vec<f64> = place.numbers("n.csv").iter().map(|u| u.iter().sum()).collect();
    assert!(sums.iter().all(|sum| *sum < 1.0 + 1e-12) && sums.iter().any(|sum| *sum < 0.8), "{sums:?}");
    fit("--variant pcm --memberships t.csv");
    assert!(place.numbers("t.csv").iter().any(|t| (t.iter().sum::<f64>() - 1.0).abs() > 0.01));
    let (a, b) = (fit("--variant pfcm"), fit("--variant pfcm --pfcm 1,1,2"));
    assert_eq!(timeless(a), timeless(b));
    fit("--variant pcm --memberships t.csv --typicalities t2.csv --model t.json");
    assert_eq!(place.bytes("t.csv"), place.bytes("t2.csv"), "a possibilistic membership is a typicality");
    place.said("cluster --apply t.json g.csv --typicalities t3.csv");
    assert_eq!(place.bytes("t.csv"), place.bytes("t3.csv"));
    fit("--variant pfcm --memberships u.csv --typicalities t.csv");
    let sums = |name: &str| place.numbers(name).iter().map(|row| row.iter().sum::<f64>()).collect::<Vec<_>>();
    assert!(sums("u.csv").iter().all(|sum| (sum - 1.0).abs() < 1e-12));
    assert!(sums("t.csv").iter().any(|sum| (sum - 1.0).abs() > 0.01));
    let other = fit("--variant pfcm --pfcm 1,4,2");
    assert_ne!(other["objective"], fit("--variant pfcm")["objective"]);
    let volumes = fit("--metric gk --volumes 1,1,1 --regularize 0");
    assert_eq!(timeless(volumes), timeless(fit("--metric gk")));
}
