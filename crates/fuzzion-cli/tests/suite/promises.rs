//! The promises of the README that concern all commands.

use crate::common::{IRIS, TIPPER, TestDir, groups};

/// Rows for the tipping system, with a target.
fn meals(rows: usize) -> String {
    let meal = |i: usize| {
        let (service, food) = ((i * 37 % 1001) as f64 / 100.0, (i * 53 % 997) as f64 / 100.0);
        format!("{service},{food},{}\n", (service * food).sin())
    };
    std::iter::once("service,food,y\n".to_owned()).chain((0..rows).map(meal)).collect()
}

#[test]
fn all_commands_write_the_same_bits_for_any_number_of_threads() {
    const OUTPUTS: [&str; 15] = [
        "centers.csv",
        "memberships.csv",
        "labels.csv",
        "gk.csv",
        "tips.csv",
        "firing.csv",
        "grid.fld",
        "tuned.fll",
        "sparse.fll",
        "predicted.csv",
        "sonfin.fll",
        "auto.fll",
        "labels-sonfin.csv",
        "product.csv",
        "edges.pgm",
    ];
    let image: Vec<u8> =
        b"P5 300 200 255\n".iter().copied().chain((0..60_000).map(|i| (i * i % 251) as u8)).collect();
    let results = |threads: usize| {
        let dir = TestDir::with("meals.csv", meals(30_000));
        dir.write("few.csv", meals(400));
        dir.write("iris.csv", IRIS);
        dir.write("groups.csv", groups(30_000));
        dir.write("tipper.fll", TIPPER);
        dir.write("image.pgm", &image);
        for args in [
            "cluster groups.csv --clusters 3 --centers centers.csv --memberships memberships.csv --labels labels.csv",
            "cluster groups.csv --clusters 3 --metric gk --weights w --centers gk.csv",
            "infer tipper.fll --data meals.csv --firing firing.csv --out tips.csv",
            "grid tipper.fll --points 150 --out grid.fld",
            "tune meals.csv --target y --sets 3,4 --iterations 5 --model tuned.fll",
            "tune few.csv --target y --max-rules 4 --model sparse.json",
            "convert sparse.json sparse.fll",
            "tune predict sparse.json meals.csv --out predicted.csv",
            "sonfin fit meals.csv --target y --rules 30 --epochs 2 --model sonfin.json",
            "sonfin export sonfin.json sonfin.fll",
            "sonfin fit iris.csv --target species --classify --model auto.json",
            "sonfin export auto.json auto.fll",
            "sonfin predict auto.json iris.csv --out labels-sonfin.csv",
            "calc service*food-[1,2] --data meals.csv --out product.csv",
            "edges image.pgm edges.pgm",
        ] {
            dir.output_of(&format!("{args} --threads {threads}"));
        }
        OUTPUTS.map(|name| dir.read(name))
    };
    let expected = results(1);
    for threads in [2, 3, 8] {
        for ((name, found), expected) in OUTPUTS.iter().zip(results(threads)).zip(&expected) {
            assert!(found == *expected, "{name} differs with {threads} threads");
        }
    }
}

/// Largest memory use in bytes of `fuzzion` with these arguments while it has read `rows` rows and waits for more.
#[cfg(target_os = "linux")]
fn memory_of_stream(dir: &TestDir, args: &str, rows: usize) -> u64 {
    use std::io::Write as _;
    use std::process::Stdio;
    let mut command = dir.command(&format!("{args} --threads 2"));
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::inherit());
    let mut child = command.spawn().unwrap();
    let mut pipe = std::io::BufWriter::new(child.stdin.take().unwrap());
    let chunk = meals(10_000);
    let (header, lines) = chunk.split_once('\n').unwrap();
    writeln!(pipe, "{header}").unwrap();
    for _ in 0..rows / 10_000 {
        pipe.write_all(lines.as_bytes()).unwrap();
    }
    pipe.flush().unwrap();
    crate::common::wait_until_blocked(child.id());
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    drop(pipe);
    assert!(child.wait().unwrap().success(), "{args}");
    1024 * kilobytes
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_of_a_stream_does_not_depend_on_its_length() {
    let dir = TestDir::with("few.csv", meals(400));
    dir.write("tipper.fll", TIPPER);
    dir.output_of("tune few.csv --target y --max-rules 2 --model tuned.json");
    dir.output_of("sonfin fit few.csv --target y --rules 5 --epochs 1 --model sonfin.json");
    // Storing the additional rows would take 24 bytes each.
    const ROWS: [usize; 2] = [300_000, 3_300_000];
    for args in [
        "infer tipper.fll --data - --out tips.csv",
        "tune predict tuned.json - --out predicted.csv",
        "sonfin predict sonfin.json - --out predicted.csv",
        "sonfin fit - --target y --rules 5 --stream --model stream.json",
        "calc service*food --data - --cuts 2 --out product.csv",
        "head -",
    ] {
        let [short, long] = ROWS.map(|rows| memory_of_stream(&dir, args, rows));
        let stored = 24 * (ROWS[1] - ROWS[0]) as u64;
        assert!(
            long < short + stored / 4,
            "{args}: {short} bytes for the short stream, {long} for the long one"
        );
    }
}
