//! What `fuzzion cluster` refuses: in one sentence, with nothing written.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{IRIS, Place, groups, text};
use std::time::Duration;

/// Outputs of every kind, none of which may appear.
const OUTPUTS: &str = "--centers c.csv --memberships u.csv --labels l.csv --plot p.svg --model m.json";

/// A place with tables that are fine and tables that are not.
fn place() -> Place {
    let place = Place::with("iris.csv", IRIS);
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
        place.put(name, content);
    }
    place
}

/// Asserts that `words` fail with `code` and one sentence that holds `part`, and that no file appears.
fn refused(place: &Place, words: &str, code: i32, part: &str) {
    let before = place.files();
    let output = place.run(words);
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{words}: {complaint}");
    assert!(complaint.contains(part), "{words}: {complaint}");
    assert!(code == 2 || complaint.starts_with("fuzzion: ") && complaint.lines().count() == 1, "{complaint}");
    assert!(output.stdout.is_empty(), "{words}: {}", text(&output.stdout));
    assert_eq!(place.files(), before, "{words}");
}

#[test]
fn bad_input_is_one_sentence_and_nothing_is_written() {
    let place = place();
    for (words, part) in [
        ("one.csv --clusters 2", "2 clusters need at least 2 rows, but there are 1; ask for fewer clusters"),
        ("iris.csv --clusters 151", "151 clusters need at least 151 rows, but there are 150"),
        ("iris.csv --clusters 0", "`clusters` is 0, but it must be at least 1"),
        ("iris.csv --clusters 2 --fuzzifier 1", "`fuzzifier` is 1, but it must be greater than 1"),
        ("iris.csv --clusters 2 --fuzzifier -3", "`fuzzifier` is -3, but it must be greater than 1"),
        ("gap.csv --clusters 2", "row 2, column 2 (`y`) is NaN, but every value must be finite"),
        ("gap.csv --clusters 2 --memory 0", "row 2, column 2 (`y`) is NaN, but every value must be finite"),
        ("infinite.csv --clusters 2", "row 3, column 2 (`y`) is inf"),
        ("infinite.csv --clusters 2 --missing partial", "row 3, column 2 (`y`) is inf"),
        ("flat.csv --clusters 2 --standardize", "column 2 (`y`) is constant"),
        ("flat.csv --clusters 2 --metric gk", "column 2 (`y`) is constant"),
        ("empty.csv --clusters 2", "empty.csv holds no"),
        ("header.csv --clusters 2", "header.csv holds no rows; it needs at least one"),
        ("words.csv --clusters 2", "words.csv holds no columns of numbers"),
        ("no-such.csv --clusters 2", "cannot read no-such.csv"),
        ("iris.csv --clusters 2 --columns petal", "no column is called `petal`; there is `sepal_length`, "),
        (
            "iris.csv --clusters 2 --columns species",
            "column `species` holds text, and clusters are made of numbers",
        ),
        ("iris.csv --clusters 2 --weights species", "column `species` holds text"),
        ("iris.csv --clusters 2 --weights w", "no column is called `w`"),
        ("negative.csv --clusters 2 --weights w", "sample weight 2 is -1"),
        ("negative.csv --clusters 2 --weights w --memory 0", "sample weight 2 is -1"),
        (
            "g.csv --clusters 2 --columns x,y --init wide.csv",
            "the starting centers are 2 × 3 (rows × columns), but they must be 2 × 2",
        ),
        (
            "g.csv --clusters 2 --columns x,y --init three.csv",
            "the starting centers are 3 × 2 (rows × columns), but they must be 2 × 2",
        ),
        ("g.csv --clusters 2 --init no-such.csv", "cannot read no-such.csv"),
        ("g.csv --clusters 2 --metric gk --volumes 1,2,3", "volumes"),
        ("g.csv --clusters 2 --metric gk --regularize 2", "`regularize` is 2, but it must be from 0 to 1"),
        ("g.csv --clusters 2 --n-init 0", "`n_init` is 0"),
        ("g.csv --clusters 2 --tol -1", "`tolerance` is -1"),
    ] {
        refused(&place, &format!("cluster {words} {OUTPUTS}"), 1, part);
    }
}

#[test]
fn words_that_do_not_go_together_exit_with_2() {
    let place = place();
    for (words, part) in [
        ("iris.csv", "--clusters"),
        ("iris.csv --clusters 2 --sweep 2..4", "cannot be used with"),
        ("iris.csv --clusters 2 --top 3", "--memberships"),
        ("iris.csv --clusters 2 --memberships u.csv --top 0", "--top"),
        ("iris.csv --clusters two", "two"),
        ("iris.csv --clusters 2 --metric manhattan", "manhattan"),
        ("iris.csv --sweep 4..2", "must not be greater"),
        ("iris.csv --sweep 4", "write it like 2..12"),
        ("iris.csv --sweep 2..4 --labels l.csv", "--labels"),
        ("iris.csv --sweep 2..4 --init wide.csv", "`--sweep` cannot start from a file of centers"),
        ("iris.csv --clusters 2 --regularize 0.1", "`--regularize` is for `--metric gk`"),
        ("iris.csv --clusters 2 --volumes 1,1 --metric gg", "`--volumes` is for `--metric gk`"),
        ("iris.csv --clusters 2 --noise-distance 3", "`--noise-distance` is for `--variant noise`"),
        (
            "iris.csv --clusters 2 --variant pfcm --pfcm 1,1",
            "`--pfcm` takes three numbers as in `1,1,2`, but 2 were given",
        ),
        ("iris.csv --clusters 2 --labels x.csv --centers x.csv", "`x.csv` is named for two results"),
        ("iris.csv --clusters 2 --labels iris.csv", "`iris.csv` holds the data; name another file"),
        ("iris.csv --clusters 2 --labels - --json", "cannot share standard output"),
        (
            "iris.csv --clusters 2 --typicalities t.csv",
            "`--typicalities` is for `--variant pcm` and `--variant pfcm`",
        ),
        ("--apply m.json iris.csv --fuzzifier 2", "--fuzzifier"),
        ("--apply m.json iris.csv --centers c.csv", "--centers"),
    ] {
        refused(&place, &format!("cluster {words}"), 2, part);
    }
}

#[test]
fn a_place_that_cannot_be_written_is_said_before_the_work() {
    let place = place();
    for (output, part) in [
        ("--labels nowhere/l.csv", "cannot write nowhere/l.csv"),
        ("--labels l.xyz", "l.xyz is of no known kind"),
        ("--plot p.png", "p.png is of no known kind; known are `.svg` for the clusters of a table"),
        ("--centers c.npy.gz", "c.npy.gz is of no known kind"),
        ("--model nowhere/m.json", "cannot write nowhere/m.json"),
    ] {
        // The work would take for ever.
        let words = format!("cluster iris.csv --clusters 3 --tol 0 --max-iter 1000000000 --plain {output}");
        refused(&place, &words, 1, part);
    }
}

#[test]
fn a_model_that_does_not_fit_is_refused() {
    let place = place();
    place.said("cluster iris.csv --clusters 3 --model iris.json");
    let fitted = "the model was fitted to `sepal_length`, `sepal_width`, `petal_length`, `petal_width`";
    for (words, part) in [
        (
            "--apply iris.json g.csv",
            format!("{fitted}, but the data have `x`, `y`, `w`; give it data with these columns"),
        ),
        ("--apply iris.json wide.csv", format!("{fitted}, but the data have `c1`, `c2`, `c3`")),
        ("--apply broken.json g.csv", "broken.json cannot be read as a partition".into()),
        ("--apply other.json g.csv", "other.json cannot be read as a partition".into()),
        ("--apply no-such.json g.csv", "cannot read no-such.json".into()),
        ("--apply iris.json no-such.csv", "cannot read no-such.csv".into()),
        ("--apply iris.json iris.csv --typicalities t.csv", "have typicalities; ask for memberships".into()),
    ] {
        refused(&place, &format!("cluster {words} --labels l.csv --memberships u.csv"), 1, &part);
    }
    let many: String = IRIS.lines().skip(1).cycle().take(70_000).map(|line| format!("{line}\n")).collect();
    let header = "sepal_length,sepal_width,petal_length,petal_width,species\n";
    place.put("holed.csv", format!("{header}{many}5,NaN,1,1,setosa\n"));
    refused(
        &place,
        "cluster --apply iris.json holed.csv --labels l.csv",
        1,
        "row 70001, column 2 (`sepal_width`) is NaN",
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_fit_leaves_nothing_behind() {
    let place = Place::with("g.csv", groups(20_000));
    for extra in ["", "--memory 0"] {
        let words =
            format!("cluster g.csv --clusters 64 --tol 0 --max-iter 1000000000 --plain {extra} {OUTPUTS}");
        let child = place.command(&words).stderr(std::process::Stdio::piped()).spawn().unwrap();
        std::thread::sleep(Duration::from_secs(1)); // until it is at work
        let id = child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), text(&output.stderr).as_str()),
            (Some(130), "fuzzion: interrupted\n")
        );
        assert_eq!(place.files(), ["g.csv"], "{extra}");
    }
}
