//! Tables: reading, plots, outputs, errors, clusters and saved files.

use super::{Answer, Running, TIPPER};
use fuzzion::clustering::{FuzzyCMeans, Metric};
use fuzzion::data::{ReadTable, Summary};
use fuzzion::inference::{Dialect, System};
use fuzzion::{Device, Table};
use serde_json::{Value, json};
use std::fs;

const FLOWERS: &str =
    "kind,length,width\nrose,1.5,2\ntulip,2.5,?\nrose,3.5,inf\n,4.5,-1\nlily,5.5,0\nrose,6.5,1\n";

fn upload(server: &Running, name: &str, bytes: &[u8]) -> Answer {
    let (token, host, length) = (&server.token, server.host(), bytes.len());
    let head = format!(
        "POST /{token}/api/data/upload?name={name} HTTP/1.1\r\n{host}Content-Length: {length}\r\n\r\n"
    );
    server.raw(&[head.as_bytes(), bytes].concat())
}

/// Uploads a table and returns its number.
fn open(server: &Running, text: &str) -> Value {
    let answer = upload(server, "table.csv", text.as_bytes());
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()["table"].clone()
}

/// The result of a job, or its error.
fn job(server: &Running, call: &str, body: &Value) -> Result<Value, String> {
    let started = server.post(call, body);
    if started.status != 200 {
        return Err(started.error());
    }
    let job = started.json()["job"].as_u64().unwrap();
    let text = String::from_utf8(server.get(&format!("api/jobs/{job}/events")).body).unwrap();
    let last = text.lines().rev().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let last: Value = serde_json::from_str(last).unwrap();
    match last["error"].as_str() {
        Some(error) => Err(error.to_owned()),
        None => Ok(last),
    }
}

fn column(index: usize) -> Value {
    json!({ "of": "column", "index": index })
}

#[test]
fn an_uploaded_table_is_described_column_by_column() {
    let server = Running::new();
    let answer = upload(&server, "flowers%20%26%20more.csv", FLOWERS.as_bytes()).json();
    assert_eq!((&answer["name"], &answer["rows"]), (&json!("flowers & more.csv"), &json!(6)));
    let columns = &answer["columns"];
    assert_eq!((&columns[0]["kind"], &columns[0]["different"]), (&json!("text"), &json!(3)));
    assert_eq!(columns[0]["texts"][0], json!({ "text": "rose", "count": 3 }));
    assert_eq!(columns[0]["missing"], json!(1));
    let summary = Summary::of([1.5, 2.5, 3.5, 4.5, 5.5, 6.5]);
    assert_eq!(columns[1]["mean"], json!(summary.mean));
    assert_eq!((&columns[1]["min"], &columns[1]["max"]), (&json!(1.5), &json!(6.5)));
    assert_eq!((&columns[2]["missing"], &columns[2]["max"]), (&json!(1), &json!("inf")));
    assert_eq!(columns[2]["range"], json!([-1.0, 2.0]));
    let bars: u64 = columns[2]["histogram"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(bars, 4);
    // The temporary file was deleted.
    assert_eq!(fs::read_dir(server.path()).unwrap().count(), 0);
}

#[test]
fn tables_of_the_folder_are_listed_and_opened() {
    let server = Running::new();
    fs::write(server.path().join("a.csv"), FLOWERS).unwrap();
    fs::write(server.path().join("system.fll"), TIPPER).unwrap();
    let table = Table::new(["x", "y"], vec![1.0f32, 2.0, 3.0, 4.0]).unwrap();
    for name in ["b.npy", "c.csv.gz", "d.tsv"] {
        table.write(server.path().join(name)).unwrap();
    }
    let files = server.get("api/data/files").json();
    assert_eq!(files["files"], json!(["a.csv", "b.npy", "c.csv.gz", "d.tsv"]));
    for name in ["b.npy", "c.csv.gz", "d.tsv"] {
        let opened = server.post("data/open", &json!({ "path": name })).json();
        assert_eq!(opened["columns"][1]["mean"], json!(3.0), "{name}: {opened}");
        let bytes = fs::read(server.path().join(name)).unwrap();
        let uploaded = upload(&server, name, &bytes).json();
        assert_eq!(uploaded["columns"], opened["columns"], "{name}: {uploaded}");
    }
    for path in ["../a.csv", "missing.csv", "/etc/passwd", ""] {
        let status = server.post("data/open", &json!({ "path": path })).status;
        assert!(matches!(status, 403 | 422), "{path}");
    }
}

#[test]
fn errors_of_files_name_the_file_of_the_user() {
    let server = Running::new();
    for (name, text, expected) in [
        ("t.csv", "x,y\n1,2\n3\n", "t.csv, line 3: expected 2 fields, found 1"),
        ("t.csv", "x,y\n", "t.csv contains no rows"),
        ("t.npy", "no array", "t.npy"),
        ("t.docx", "x\n1\n", "t.docx: unsupported format; supported formats: `.csv`"),
        ("t.csv.gz", "\u{1f}", "t.csv.gz"),
    ] {
        let answer = upload(&server, name, text.as_bytes());
        assert_eq!(answer.status, 422, "{name}");
        assert!(answer.error().starts_with(expected), "{}", answer.error());
        assert!(!answer.error().contains("fuzzion-upload"), "{}", answer.error());
    }
    fs::write(server.path().join("bad.csv"), "x,y\n1,2\n3\n").unwrap();
    let error = server.post("data/open", &json!({ "path": "bad.csv" })).error();
    assert!(error.starts_with("bad.csv, line 3"), "{error}");
    assert_eq!(fs::read_dir(server.path()).unwrap().count(), 1);
    let wide = vec!["1"; 501].join(",");
    let error = upload(&server, "wide.csv", format!("{wide}\n{wide}\n").as_bytes()).error();
    assert!(error.contains("501 columns"), "{error}");
}

#[test]
fn large_and_invalid_uploads_are_refused() {
    let server = Running::new();
    let head = |path: &str, length: &str| {
        let (token, host) = (&server.token, server.host());
        server.raw(
            format!("POST /{token}/api/{path} HTTP/1.1\r\n{host}Content-Length: {length}\r\n\r\n").as_bytes(),
        )
    };
    let large = head("data/upload?name=t.csv", "10000000000");
    assert_eq!(large.status, 413);
    assert!(large.error().starts_with("the upload is larger than 1024 MiB"), "{}", large.error());
    assert_eq!(head("data/open", "20000").status, 413);
    assert_eq!(head("data/upload", "0").status, 400);
    assert_eq!(server.get("api/data/upload?name=t.csv").status, 405);
    // An upload that ends early leaves no file.
    let mut stream = server.connect();
    let (token, host) = (&server.token, server.host());
    let start =
        format!("POST /{token}/api/data/upload?name=t.csv HTTP/1.1\r\n{host}Content-Length: 99\r\n\r\nx");
    std::io::Write::write_all(&mut stream, start.as_bytes()).unwrap();
    drop(stream);
    assert_eq!(upload(&server, "t.csv", b"x\n1\n").status, 200);
    for _ in 0..100 {
        if fs::read_dir(server.path()).unwrap().count() == 0 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("a temporary file is left");
}

#[test]
fn only_the_last_used_tables_are_kept() {
    let server = Running::new();
    let ids: Vec<Value> = (0..4).map(|i| open(&server, &format!("x\n{i}\n"))).collect();
    let plot = |id: &Value| {
        server.post("data/scatter", &json!({ "table": id, "x": column(0), "y": column(0) })).status
    };
    assert_eq!(plot(&ids[0]), 200);
    open(&server, "x\n9\n");
    assert_eq!((plot(&ids[0]), plot(&ids[1]), plot(&ids[2])), (200, 404, 200));
}

#[test]
fn few_rows_are_points() {
    let server = Running::new();
    let table = open(&server, FLOWERS);
    let request = json!({ "table": table, "x": column(1), "y": column(2), "color": column(0) });
    let numbers = server.post("data/scatter", &request).numbers();
    let (header, points) = numbers.split_at(10);
    // Four rows have finite values; texts are numbered by frequency.
    assert_eq!(header, [0.0, 4.0, 2.0, 1.5, 6.5, -1.0, 2.0, -0.5, 2.5, 1.0]);
    assert_eq!(points[..8], [1.5, 4.5, 5.5, 6.5, 2.0, -1.0, 0.0, 1.0]);
    assert!(points[9].is_nan());
    assert_eq!((points[8], points[10], points[11]), (0.0, 2.0, 0.0));
    assert_eq!(points[12..], [1.0; 4]);
    for wrong in [
        json!({ "table": table, "x": column(7), "y": column(0) }),
        json!({ "table": table, "x": column(1), "y": { "of": "output", "index": 0 } }),
        json!({ "table": table, "x": column(1), "y": { "of": "cluster" } }),
        json!({ "table": table, "x": column(1), "y": { "of": "axis", "index": 0 } }),
        json!({ "table": table, "x": column(1), "y": column(1), "cells": 100_000 }),
    ] {
        assert_eq!(server.post("data/scatter", &wrong).status, 422, "{wrong}");
    }
    assert_eq!(server.post("data/scatter", &json!({ "table": table, "x": 1 })).status, 400);
}

#[test]
fn many_rows_are_counted_in_cells() {
    let server = Running::new();
    let mut text = String::from("x,y,kind\n");
    for i in 0..30_000 {
        let (x, kind) = (i % 100, if i % 3 == 0 { "a" } else { "b" });
        text.push_str(&format!("{x},{},{kind}\n", i / 10_000));
    }
    let table = open(&server, &text);
    let request = json!({ "table": table, "x": column(0), "y": column(1), "cells": 2 });
    let numbers = server.post("data/scatter", &request).numbers();
    assert_eq!(numbers[..7], [2.0, 30_000.0, 0.0, 0.0, 99.0, 0.0, 2.0]);
    // A third of the rows has y = 0, half of the rows x < 50.
    assert_eq!(numbers[10..14], [5_000.0, 5_000.0, 10_000.0, 10_000.0]);
    let request = json!({ "table": table, "x": column(0), "y": column(1), "cells": 2, "color": column(0) });
    let numbers = server.post("data/scatter", &request).numbers();
    assert_eq!(numbers[18..22], [24.5, 74.5, 24.5, 74.5]);
    let request = json!({ "table": table, "x": column(0), "y": column(1), "cells": 2, "color": column(2) });
    let numbers = server.post("data/scatter", &request).numbers();
    // The most frequent text has the number 0.
    assert_eq!((numbers[9], &numbers[18..22]), (1.0, &[0.0; 4][..]));
}

#[test]
fn the_outputs_of_all_rows_are_those_of_the_library() {
    let server = Running::new();
    let mut text = String::from("Food,tip,SERVICE\n");
    for i in 0..20_000 {
        text.push_str(&format!("{},{},{}\n", i % 101, 7.5, (i / 101) as f64 / 20.0));
    }
    text = text.replace("100,", "10,");
    let table = open(&server, &text);
    let system = server.parse(TIPPER);
    let request = json!({ "table": table, "system": system, "columns": [2, 0] });
    let result = job(&server, "data/run", &request).unwrap();
    assert_eq!((&result["rows"], &result["outputs"][0]["name"]), (&json!(20_000), &json!("tip")));
    let saved =
        server.post("data/save", &json!({ "table": table, "path": "out.csv", "what": "outputs" })).json();
    assert_eq!(saved, json!({ "saved": "out.csv" }));
    let outputs = Table::read(server.path().join("out.csv")).unwrap().column("tip").unwrap();
    let system = System::from_fll(TIPPER).unwrap();
    for (row, line) in text.lines().skip(1).enumerate().step_by(777) {
        let values: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        let expected = system.infer_row(&[values[2], values[0]], Dialect::Fuzzylite8).unwrap().outputs[0];
        assert!((outputs[row] - expected).abs() < 1e-9, "{line}: {} {expected}", outputs[row]);
    }
    let summary = Summary::of(outputs.iter().copied());
    assert_eq!(result["outputs"][0]["mean"], json!(summary.mean));
    // Errors against a column, by arithmetic.
    let request = json!({ "table": table, "output": 0, "target": 1 });
    let residuals = server.post("data/residuals", &request).json();
    let errors: Vec<f64> = outputs.iter().map(|y| y - 7.5).filter(|e| e.is_finite()).collect();
    let rmse = (errors.iter().map(|e| e * e).sum::<f64>() / errors.len() as f64).sqrt();
    assert!((residuals["rmse"].as_f64().unwrap() - rmse).abs() < 1e-9);
    let largest = residuals["largest"]["row"].as_u64().unwrap() as usize - 1;
    assert!(errors.iter().all(|e| e.abs() <= (outputs[largest] - 7.5).abs()));
    let source = json!({ "of": "error", "index": 0, "target": 1 });
    let request = json!({ "table": table, "x": column(1), "y": source });
    assert_eq!(server.post("data/scatter", &request).numbers()[10 + 20_000], outputs[0] - 7.5);
    // An existing file is replaced only if requested.
    let again = json!({ "table": table, "path": "out.csv", "what": "outputs" });
    assert_eq!(server.post("data/save", &again).json(), json!({ "exists": true }));
    for path in ["../out.csv", "out.exe", ""] {
        let request = json!({ "table": table, "path": path, "what": "outputs" });
        assert!(matches!(server.post("data/save", &request).status, 403 | 422), "{path}");
    }
}

#[test]
fn interval_systems_are_run_and_wrong_columns_are_reported() {
    let server = Running::new();
    let system = server.parse(include_str!("../../page/examples/heating.fll"));
    let table = open(&server, "a,b,c\n17,0,x\n21,1,y\n");
    let request = json!({ "table": table, "system": system, "columns": [0, 1] });
    let result = job(&server, "data/run", &request).unwrap();
    let single = server.post("infer", &json!({ "system": system, "rows": [[17, 0], [21, 1]] })).json();
    let mean = (0..2).map(|i| single["outputs"][i][0].as_f64().unwrap() / 2.0).sum::<f64>();
    assert!((result["outputs"][0]["mean"].as_f64().unwrap() - mean).abs() < 1e-12);
    for (columns, expected) in [
        (json!([0]), "choose a column for each input"),
        (json!([0, 2]), "has texts"),
        (json!([0, 9]), "no column 10"),
    ] {
        let request = json!({ "table": table, "system": system, "columns": columns });
        let error = job(&server, "data/run", &request).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    let request = json!({ "table": table, "output": 0, "target": 2 });
    assert!(server.post("data/residuals", &request).error().contains("The target needs numbers"));
}

/// Three groups of points in two columns.
fn groups() -> String {
    let mut text = String::from("x,name,y\n");
    for (group, (x, y)) in [(0.0, 0.0), (10.0, 0.0), (5.0, 9.0)].into_iter().enumerate() {
        for i in 0..30 {
            let (dx, dy) = (f64::from(i % 6) / 5.0, f64::from(i / 6) / 5.0);
            text.push_str(&format!("{},g{group},{}\n", x + dx, y + dy));
        }
    }
    text
}

#[test]
fn clusters_are_those_of_the_library_and_their_number_is_recommended() {
    let server = Running::new();
    let text = groups();
    let table = open(&server, &text);
    let request = |clusters: [usize; 2], metric: &str| {
        json!({ "table": table, "columns": [0, 2], "clusters": clusters, "fuzzifier": 2.0, "metric": metric,
                "standardize": true })
    };
    let result = job(&server, "data/cluster", &request([2, 6], "euclidean")).unwrap();
    assert_eq!((&result["recommended"], &result["shown"]), (&json!(3), &json!(3)));
    assert!(result["recommendation"].as_str().unwrap().starts_with("Recommended: 3 clusters"), "{result}");
    let path = server.path().join("groups.csv");
    fs::write(&path, &text).unwrap();
    let rows = ReadTable::new().labels(["name"]).read(&path).unwrap();
    let (settings, device) =
        (FuzzyCMeans::new(3).metric(Metric::Diagonal { variances: None }), Device::cpu().unwrap());
    let expected = settings.fit(&rows, &device).unwrap();
    let centers: Vec<f64> = result["fits"][1]["centers"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|center| center.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()))
        .collect();
    assert_eq!(centers, *expected.centers.to_f64());
    // The saved memberships are those of the library, and the label is the largest one.
    let save = json!({ "table": table, "path": "clusters.csv", "what": "clusters" });
    assert_eq!(server.post("data/save", &save).json(), json!({ "saved": "clusters.csv" }));
    let saved = Table::read(server.path().join("clusters.csv")).unwrap();
    assert_eq!(saved.names(), ["cluster", "cluster1", "cluster2", "cluster3"]);
    let memberships = expected.memberships(&rows, &device).unwrap();
    assert_eq!(saved.column("cluster2").unwrap(), memberships.column("cluster2").unwrap());
    let labels = expected.labels(&rows, &device).unwrap();
    assert!(saved.column("cluster").unwrap().iter().zip(&labels).all(|(a, b)| *a == f64::from(*b + 1)));
    // The plot over the principal axes is colored by the cluster.
    let axis = |index: usize| json!({ "of": "axis", "index": index });
    let plot = json!({ "table": table, "x": axis(0), "y": axis(1), "color": { "of": "cluster" } });
    let numbers = server.post("data/scatter", &plot).numbers();
    assert_eq!((numbers[1], numbers.len()), (90.0, 10 + 4 * 90));
    assert!(numbers[10 + 180..10 + 270].iter().zip(&labels).all(|(a, b)| *a == f64::from(*b)));
    assert!(numbers[10 + 270..].iter().all(|m| (1.0 / 3.0..=1.0).contains(m)));
    // Another number of clusters of the sweep.
    assert_eq!(server.post("data/clusters", &json!({ "table": table, "clusters": 5 })).status, 200);
    let numbers = server.post("data/scatter", &plot).numbers();
    assert!(numbers[10 + 180..10 + 270].contains(&4.0));
    assert_eq!(server.post("data/clusters", &json!({ "table": table, "clusters": 9 })).status, 422);
    for metric in ["gk", "gg"] {
        let result = job(&server, "data/cluster", &request([3, 3], metric)).unwrap();
        assert_eq!((&result["recommended"], &result["shown"]), (&Value::Null, &json!(3)), "{metric}");
    }
}

#[test]
fn invalid_clusterings_are_refused() {
    let server = Running::new();
    let table = open(&server, "x,name,y\n1,a,2\n3,b,?\n4,b,5\n");
    let base = json!({ "table": table, "columns": [0], "clusters": [2, 2], "fuzzifier": 2.0, "metric": "euclidean" });
    for (key, value, expected) in [
        ("columns", json!([]), "choose from 1 to 100 columns"),
        ("columns", json!([0, 0]), "chosen twice"),
        ("columns", json!([1]), "Clustering needs numbers"),
        ("columns", json!([0, 2]), "row 2, column `y` is missing"),
        ("clusters", json!([0, 2]), "from 1 to 50"),
        ("clusters", json!([2, 51]), "from 1 to 50"),
        ("clusters", json!([2, 10]), "cannot form"),
        ("fuzzifier", json!(0.5), "fuzzifier"),
        ("metric", json!("cosine"), "cosine"),
    ] {
        let mut request = base.clone();
        request[key] = value;
        let error = job(&server, "data/cluster", &request).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    let mut partial = base.clone();
    (partial["columns"], partial["missing"]) = (json!([0, 2]), json!("partial"));
    assert!(job(&server, "data/cluster", &partial).is_ok());
}
