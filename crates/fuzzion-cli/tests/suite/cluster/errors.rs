//! Errors of `fuzzion cluster`.

use crate::common::{IRIS, TestDir, groups, interrupt, text};

/// Output options, whose files must not be created.
const OUTPUTS: &str = "--centers c.csv --memberships u.csv --labels l.csv --plot p.svg --model m.json";

/// A folder with valid and invalid tables.
fn dir() -> TestDir {
    let dir = TestDir::with("iris.csv", IRIS);
    for (name, content) in [
        ("g.csv", groups(60).as_str()),
        ("gap.csv", "x,y\n1,2\n3,\n5,6\n"),
        ("infinite.csv", "x,y\n1,2\n3,4\n5,inf\n"),
        ("flat.csv", "x,y\n1,5\n2,5\n4,5\n9,5\n"),
        ("one.csv", "x,y\n1,5\n"),
        ("empty.csv", ""),
        ("header.csv", "x,y\n"),
        ("words.csv", "name,kind\nann,a\nbob,b\n"),
        ("wide.csv", "1,2,3\n4,5,6\n"),
        ("three.csv", "1,2\n4,5\n7,8\n"),
        ("broken.json", "{\"format\": \"fuzzion part"),
        ("other.json", "{\"format\": \"something else\"}"),
        ("negative.csv", "x,w\n1,1\n2,-1\n3,1\n"),
    ] {
        dir.write(name, content);
    }
    dir
}

/// Asserts that `args` fail with `code` and a message that contains `part`, and that no file is created.
fn assert_error(dir: &TestDir, args: &str, code: i32, part: &str) {
    let before = dir.files();
    let output = dir.run(args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args}: {message}");
    assert!(message.contains(part), "{args}: {message}");
    assert!(code == 2 || message.starts_with("fuzzion: ") && message.lines().count() == 1, "{message}");
    assert!(output.stdout.is_empty(), "{args}: {}", text(&output.stdout));
    assert_eq!(dir.files(), before, "{args}");
}

#[test]
fn invalid_input_is_reported_and_nothing_is_written() {
    let dir = dir();
    for (args, part) in [
        ("one.csv --clusters 2", "cannot form 2 clusters from 1 row; use at most as many clusters as rows"),
        ("iris.csv --clusters 151", "cannot form 151 clusters from 150 rows"),
        ("iris.csv --clusters 0", "`--clusters` is 0, but it must be at least 1"),
        ("iris.csv --clusters 2 --fuzzifier 1", "`--fuzzifier` is 1, but it must be above 1 and at most 100"),
        (
            "iris.csv --clusters 2 --fuzzifier 101",
            "`--fuzzifier` is 101, but it must be above 1 and at most 100",
        ),
        (
            "iris.csv --clusters 2 --fuzzifier -3",
            "`--fuzzifier` is -3, but it must be above 1 and at most 100",
        ),
        ("gap.csv --clusters 2", "row 2, column `y` is missing (NaN), but every value must be finite"),
        (
            "gap.csv --clusters 2 --memory 0",
            "row 2, column `y` is missing (NaN), but every value must be finite",
        ),
        ("infinite.csv --clusters 2", "row 3, column `y` is inf"),
        ("infinite.csv --clusters 2 --missing partial", "row 3, column `y` is inf"),
        ("flat.csv --clusters 2 --standardize", "column 2 (`y`) is constant"),
        ("flat.csv --clusters 2 --metric gk", "column 2 (`y`) is constant"),
        ("empty.csv --clusters 2", "empty.csv contains no"),
        ("header.csv --clusters 2", "header.csv contains no rows; at least one is required"),
        ("words.csv --clusters 2", "words.csv contains no numeric columns"),
        ("no-such.csv --clusters 2", "cannot read no-such.csv: the file does not exist; check its path\n"),
        (
            "iris.csv --clusters 2 --columns petal",
            "missing column `petal`; available columns: `sepal_length`, ",
        ),
        (
            "iris.csv --clusters 2 --columns species",
            "column `species` contains text, but clustering needs numbers",
        ),
        ("iris.csv --clusters 2 --weights species", "column `species` contains text"),
        ("iris.csv --clusters 2 --weights w", "missing column `w`"),
        ("negative.csv --clusters 2 --weights w", "the sample weight of row 2 is -1"),
        ("negative.csv --clusters 2 --weights w --memory 0", "the sample weight of row 2 is -1"),
        (
            "g.csv --clusters 2 --columns x,y --init wide.csv",
            "the initial centers are 2 × 3 (rows × columns), but they must be 2 × 2",
        ),
        (
            "g.csv --clusters 2 --columns x,y --init three.csv",
            "the initial centers are 3 × 2 (rows × columns), but they must be 2 × 2",
        ),
        ("g.csv --clusters 2 --init no-such.csv", "cannot read no-such.csv"),
        ("g.csv --clusters 2 --metric gk --volumes 1,2,3", "`--volumes` has 3 values, but it must have 2"),
        ("g.csv --clusters 2 --metric gk --regularize 2", "`--regularize` is 2, but it must be from 0 to 1"),
        ("g.csv --clusters 2 --n-init 0", "fuzzion: `--n-init` is 0, but it must be from 1 to 1000\n"),
        ("g.csv --clusters 2 --tol -1", "`--tol` is -1, but it must be finite and at least 0"),
        ("g.csv --clusters 2 --tol inf", "`--tol` is inf, but it must be finite and at least 0"),
        ("g.csv --clusters 2 --variant noise --noise-distance 0", "`--noise-distance` is 0"),
        ("g.csv --clusters 2 --columns x,y,x", "the column `x` is listed twice; list it once"),
    ] {
        assert_error(&dir, &format!("cluster {args} {OUTPUTS}"), 1, part);
    }
}

#[test]
fn conflicting_options_exit_with_2() {
    let dir = dir();
    for (args, part) in [
        ("iris.csv", "--clusters"),
        ("iris.csv --clusters 2 --sweep 2..4", "cannot be used with"),
        ("iris.csv --clusters 2 --top 3", "--memberships"),
        ("iris.csv --clusters 2 --memberships u.csv --top 0", "expected an integer of at least 1"),
        ("iris.csv --clusters two", "invalid value `two` for `--clusters`; expected a nonnegative integer"),
        ("iris.csv --clusters -2", "invalid value `-2` for `--clusters`; expected a nonnegative integer"),
        ("iris.csv --clusters 2 --memory nan", "expected a number of at least 0"),
        ("iris.csv --clusters 2 --memory -1", "expected a number of at least 0"),
        (
            "iris.csv --clusters 2 --init kmeans++",
            "expected `k-means++`, `random` or `sample`, or the path of a table",
        ),
        ("iris.csv --clusters 2 --metric manhattan", "manhattan"),
        ("iris.csv --sweep 4..2", "must not be greater"),
        ("iris.csv --sweep 0..2", "the number of clusters must be at least 1"),
        ("iris.csv --sweep 4", "expected a range such as 2..12"),
        ("iris.csv --sweep 2..4 --labels l.csv", "--labels"),
        ("iris.csv --sweep 2..4 --init wide.csv", "`--sweep` cannot use initial centers from a file"),
        ("iris.csv --clusters 2 --regularize 0.1", "`--regularize` requires `--metric gk`"),
        ("iris.csv --clusters 2 --volumes 1,1 --metric gg", "`--volumes` requires `--metric gk`"),
        ("iris.csv --clusters 2 --noise-distance 3", "`--noise-distance` requires `--variant noise`"),
        (
            "iris.csv --clusters 2 --variant pfcm --pfcm 1,1",
            "`--pfcm` takes 3 values such as `1,1,2`, found 2",
        ),
        (
            "iris.csv --clusters 2 --labels x.csv --centers x.csv",
            "`--centers` and `--labels` both write `x.csv`; choose a different path",
        ),
        (
            "iris.csv --clusters 2 --labels iris.csv",
            "`iris.csv` is an input file; choose a different path for `--labels`",
        ),
        ("iris.csv --clusters 2 --labels - --json", "cannot both use standard output"),
        (
            "iris.csv --clusters 2 --typicalities t.csv",
            "`--typicalities` requires `--variant pcm` or `--variant pfcm`",
        ),
        ("--apply m.json iris.csv --fuzzifier 2", "--fuzzifier"),
        ("--apply m.json iris.csv --centers c.csv", "--centers"),
    ] {
        assert_error(&dir, &format!("cluster {args}"), 2, part);
    }
}

#[test]
fn unwritable_outputs_are_reported_before_the_fit() {
    let dir = dir();
    for (output, part) in [
        (
            "--labels nowhere/l.csv",
            "cannot write nowhere/l.csv: its folder does not exist; create the folder first",
        ),
        ("--labels l.xyz", "l.xyz: unsupported format"),
        ("--labels .", "cannot write .: it is a folder; specify a file"),
        ("--model .", "cannot write .: it is a folder; specify a file"),
        ("--plot p.png", "p.png: unsupported format; supported formats: `.svg`, which `rsvg-convert "),
        ("--centers c.npy.gz", "c.npy.gz: unsupported format"),
        ("--model nowhere/m.json", "cannot write nowhere/m.json"),
    ] {
        // The fit would never end.
        let args = format!("cluster iris.csv --clusters 3 --tol 0 --max-iter 1000000000 --plain {output}");
        assert_error(&dir, &args, 1, part);
    }
}

#[test]
fn an_incompatible_model_is_rejected() {
    let dir = dir();
    dir.output_of("cluster iris.csv --clusters 3 --model iris.json");
    let fitted = "the model was fitted to `sepal_length`, `sepal_width`, `petal_length`, `petal_width`";
    for (args, part) in [
        (
            "--apply iris.json g.csv",
            format!("{fitted}, but the data has `x`, `y`, `w`; use data with the model's columns"),
        ),
        ("--apply iris.json wide.csv", format!("{fitted}, but the data has `c1`, `c2`, `c3`")),
        (
            "--apply broken.json g.csv",
            "broken.json cannot be read as a clustering model: unexpected end of file; use a file written by"
                .into(),
        ),
        (
            "--apply g.csv g.csv",
            "g.csv cannot be read as a clustering model: it is not JSON; use a file".into(),
        ),
        ("--apply . g.csv", "cannot read .: it is a folder; specify a file".into()),
        ("--apply other.json g.csv", "other.json cannot be read as a clustering model".into()),
        ("--apply no-such.json g.csv", "cannot read no-such.json".into()),
        ("--apply iris.json no-such.csv", "cannot read no-such.csv".into()),
        (
            "--apply iris.json iris.csv --typicalities t.csv",
            "have typicalities; use memberships instead".into(),
        ),
    ] {
        assert_error(&dir, &format!("cluster {args} --labels l.csv --memberships u.csv"), 1, &part);
    }
    let many: String = IRIS.lines().skip(1).cycle().take(70_000).map(|line| format!("{line}\n")).collect();
    let header = "sepal_length,sepal_width,petal_length,petal_width,species\n";
    dir.write("holed.csv", format!("{header}{many}5,NaN,1,1,setosa\n"));
    assert_error(
        &dir,
        "cluster --apply iris.json holed.csv --labels l.csv",
        1,
        "row 70001, column `sepal_width` is missing (NaN)",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_fit_leaves_no_files() {
    let dir = TestDir::with("g.csv", groups(20_000));
    for extra in ["", "--memory 0"] {
        let args =
            format!("cluster g.csv --clusters 64 --tol 0 --max-iter 1000000000 --plain {extra} {OUTPUTS}");
        let child = dir.command(&args).stderr(std::process::Stdio::piped()).spawn().unwrap();
        interrupt(&child, 0.3); // the fit has started
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), text(&output.stderr).as_str()),
            (Some(130), "fuzzion: interrupted\n")
        );
        assert_eq!(dir.files(), ["g.csv"], "{extra}");
    }
}
