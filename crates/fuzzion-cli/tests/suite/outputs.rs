//! Output files: links, permissions, conflicts, and control characters from files.

use crate::common::{IRIS, TIPPER, TestDir, groups, text};
#[cfg(unix)]
use std::fs;

#[cfg(unix)]
#[test]
fn two_outputs_of_one_command_must_be_different_files() {
    let dir = TestDir::with("g.csv", groups(60));
    dir.write("tipper.fll", TIPPER);
    dir.write("meals.csv", "service,food\n3,7.5\n");
    dir.write("old.csv", "old");
    fs::create_dir(dir.join("sub")).unwrap();
    fs::hard_link(dir.join("old.csv"), dir.join("hard.csv")).unwrap();
    std::os::unix::fs::symlink("new.csv", dir.join("link.csv")).unwrap();
    let pairs = [
        ("new.csv", "new.csv"),
        ("new.csv", "./new.csv"),
        ("sub/../new.csv", "new.csv"),
        ("new.csv", "link.csv"),
        ("old.csv", "hard.csv"),
    ];
    for (a, b) in pairs {
        for (args, options) in [
            (format!("cluster g.csv --clusters 2 --centers {a} --labels {b}"), ["--centers", "--labels"]),
            (format!("infer tipper.fll --data meals.csv --out {a} --firing {b}"), ["--out", "--firing"]),
        ] {
            let output = dir.run(&args);
            let [first, second] = options;
            let expected = format!(
                "fuzzion: `{first}` and `{second}` both write `{b}`; choose a different path for one of them\n"
            );
            assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), expected), "{args}");
        }
    }
    let output = dir.run("cluster g.csv --clusters 2 --centers - --labels -");
    assert!(text(&output.stderr).contains("`--centers` and `--labels` both write standard output; "));
    let output = dir.run("sonfin fit g.csv --target x --model - --plot -");
    assert!(text(&output.stderr).contains("`--model` and `--plot` both write standard output; "));
    let output = dir.run("cluster g.csv --clusters 2 --labels ./g.csv");
    assert!(
        text(&output.stderr).contains("`./g.csv` is an input file; choose a different path for `--labels`")
    );
    assert_eq!(dir.read("old.csv"), b"old");
    assert!(!dir.join("new.csv").exists());
}

#[cfg(unix)]
#[test]
fn an_output_keeps_links_and_permissions_and_does_not_replace_a_read_only_file() {
    use std::os::unix::fs::PermissionsExt;
    let dir = TestDir::new();
    let mode = |name: &str| fs::metadata(dir.join(name)).unwrap().permissions().mode() & 0o777;
    std::os::unix::fs::symlink("target.csv", dir.join("link.csv")).unwrap();
    dir.output_of("data truck --points 3 --out link.csv"); // the target does not exist
    assert!(fs::symlink_metadata(dir.join("link.csv")).unwrap().is_symlink());
    assert!(text(&dir.read("target.csv")).starts_with("x,phi,theta\n"));
    fs::set_permissions(dir.join("target.csv"), fs::Permissions::from_mode(0o604)).unwrap();
    dir.output_of("data truck --points 4 --out target.csv");
    assert_eq!((mode("target.csv"), dir.read_values("target.csv").len()), (0o604, 16));
    fs::set_permissions(dir.join("target.csv"), fs::Permissions::from_mode(0o444)).unwrap();
    for name in ["target.csv", "link.csv"] {
        let output = dir.run(&format!("data truck --points 5 --out {name}"));
        let expected = format!(
            "fuzzion: cannot write {name}: it is read-only; change its permissions or specify another file\n"
        );
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(1), expected));
    }
    assert_eq!(dir.read_values("target.csv").len(), 16);
    assert_eq!(dir.files(), ["link.csv", "target.csv"]);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_that_is_named_as_a_file_ends_a_command_silently() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;
    let dir = TestDir::new();
    std::os::unix::fs::symlink("/dev/stdout", dir.join("out.csv")).unwrap();
    for args in ["data truck --points 300 --out out.csv", "data spirals --points 50000 --out -", "man"] {
        let mut command = dir.command(args);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap(); // then closes the pipe
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""), "{args}");
    }
}

#[test]
fn control_characters_from_files_are_escaped() {
    let dir =
        TestDir::with("x.csv", "a\u{1b}[31m,b\u{7},kind\n1,2,p\u{1b}[2J\n3,4,q\n5,6,p\u{1b}[2J\n8,1,q\n");
    let is_clean = |printed: &str| !printed.contains(|c: char| c.is_control() && c != '\n');
    for args in [
        "cluster x.csv --columns c --clusters 2",
        "head x.csv",
        "cluster x.csv --clusters 2",
        "cluster x.csv --clusters 2 --weights kind",
        "tune x.csv --target kind",
        "sonfin fit x.csv --target kind --classify --rules 2",
        "calc c+1 --data x.csv",
        "infer tipper.fll --data x.csv",
    ] {
        let output = dir.run(args);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(is_clean(&out) && is_clean(&err), "{args}: {out:?} {err:?}");
    }
    let output = dir.run("cluster x.csv --columns c --clusters 2");
    assert!(text(&output.stderr).contains("available columns: `a\\u{1b}[31m`, `b\\u{7}`, `kind`"));
    // A label with a control character on an HTML page.
    let species = IRIS.replace("setosa", "set\u{1b}osa");
    dir.write("iris.csv", species);
    dir.output_of("sonfin fit iris.csv --target species --classify --rules 3 --plot page.html");
    let page = text(&dir.read("page.html"));
    assert!(page.contains("set\\u{1b}osa") && is_clean(&page.replace('\t', "")));
}
