//! `fuzzion edges` and `fuzzion image` on pictures and folders of pictures.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{Place, text};
use fuzzion::data::Pixels;
use fuzzion::inference::image::{Border, Operator, Path as Route, invert, thin};
use fuzzion::{Device, Images, Progress};

/// A picture with steps, a ramp and some grain.
fn picture(width: usize, height: usize, channels: usize, deep: bool) -> Images {
    let value = |i: usize| {
        let (x, y) = (i / channels % width, i / channels / width);
        let shape = if (x / 6 + y / 5) % 2 == 0 { 40 } else { 190 };
        shape + 3 * y.min(15) + (i * i) % 11 + 7 * (i % channels)
    };
    let values = (0..width * height * channels).map(value);
    let pixels = if deep {
        Pixels::U16(values.map(|v| (v * 250 + 17) as u16).collect())
    } else {
        Pixels::U8(values.map(|v| v as u8).collect())
    };
    Images::new(width, height, channels, pixels).unwrap()
}

fn apply(operator: Operator, image: &Images) -> Images {
    operator.apply(image, &Device::cpu().unwrap(), Progress::none()).unwrap()
}

fn edges_of(image: &Images) -> Images {
    apply(Operator::edges(64.0, 16.0).unwrap(), image)
}

/// The sentence with which a command fails.
fn refused(place: &Place, words: &str, code: i32) -> String {
    let output = place.run(words);
    assert_eq!(output.status.code(), Some(code), "{words}: {}", text(&output.stderr));
    assert!(output.stdout.is_empty(), "{words}");
    let said = text(&output.stderr);
    assert_eq!(said.lines().count(), 1, "{words}: {said}");
    said.trim_end().strip_prefix("fuzzion: ").unwrap().to_owned()
}

#[test]
fn every_format_and_depth_gives_what_the_library_gives() {
    let place = Place::new();
    for (name, out, channels, deep) in [
        ("a.png", "b.png", 1, false),
        ("a.pgm", "b.pgm", 1, true),
        ("a.ppm", "b.png", 3, false),
        ("a.png", "b.pgm", 4, true),
    ] {
        let image = picture(37, 23, channels, deep);
        image.write(place.at(name)).unwrap();
        place.said(&format!("edges {name} {out}"));
        assert_eq!(Images::read(place.at(out)).unwrap(), edges_of(&image), "{name} {out}");
    }
}

#[test]
fn a_uniform_picture_is_white_and_a_step_is_a_line() {
    let place = Place::new();
    Images::new(9, 5, 1, Pixels::U8(vec![77; 45])).unwrap().write(place.at("a.png")).unwrap();
    place.said("edges a.png b.png");
    assert_eq!(Images::read(place.at("b.png")).unwrap().pixels(), &Pixels::U8(vec![255; 45]));
    let step = (0..45).map(|i| if i % 9 < 4 { 20 } else { 220 }).collect();
    Images::new(9, 5, 1, Pixels::U8(step)).unwrap().write(place.at("a.png")).unwrap();
    place.said("edges a.png b.png --thin");
    let Pixels::U8(thinned) = Images::read(place.at("b.png")).unwrap().into_pixels() else {
        panic!("16 bits")
    };
    for row in thinned.chunks(9) {
        assert_eq!(row.iter().filter(|v| **v < 255).count(), 1, "{row:?}");
        assert!(row[3] < 255 || row[4] < 255, "{row:?}");
    }
}

#[test]
fn words_reach_the_operator() {
    let place = Place::new();
    let image = picture(30, 20, 3, false);
    image.write(place.at("a.png")).unwrap();
    let made = |words: &str| {
        place.said(&format!("edges a.png b.png {words}"));
        Images::read(place.at("b.png")).unwrap()
    };
    let plain = || Operator::edges(64.0, 16.0).unwrap();
    assert_eq!(made("--threshold 20 --spread 40"), apply(Operator::edges(20.0, 40.0).unwrap(), &image));
    assert_eq!(made("--border reflect"), apply(plain().border(Border::Reflect), &image));
    assert_eq!(made("--border 0"), apply(plain().border(Border::Constant(0.0)), &image));
    assert_ne!(made("--border 0"), made(""));
    assert_eq!(made("--color"), apply(plain().per_channel(true), &image));
    assert_eq!(made("--general"), made(""));
    let mut lines = apply(plain(), &image);
    thin(&mut lines);
    assert_eq!(made("--thin"), lines);
    invert(&mut lines);
    assert_eq!(made("--thin --invert"), lines);
}

#[test]
fn json_tells_size_speed_device_and_path() {
    let place = Place::new();
    picture(30, 20, 1, false).write(place.at("a.png")).unwrap();
    let told = place.json("edges a.png b.png");
    let keys: Vec<&String> = told.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["device", "frames", "frames_per_second", "height", "path", "seconds", "width"]);
    assert_eq!((&told["width"], &told["height"], &told["frames"]), (&30.into(), &20.into(), &1.into()));
    assert_eq!((&told["device"], &told["path"]), (&"cpu".into(), &"fast".into()));
    let (seconds, rate) = (told["seconds"].as_f64().unwrap(), told["frames_per_second"].as_f64().unwrap());
    assert!((seconds * rate - 1.0).abs() < 1e-9);
    assert_eq!(place.json("edges a.png b.png --general")["path"], "general");
    let said = place.said("edges a.png b.png");
    assert!(
        said.starts_with("a.png: 1 frame of 30 × 20 in ") && said.ends_with("\n\nwritten: b.png\n"),
        "{said}"
    );
}

#[test]
fn a_folder_keeps_its_names_sizes_and_depths_and_a_bad_file_is_skipped() {
    let place = Place::new();
    std::fs::create_dir(place.at("in")).unwrap();
    let images = [
        ("f1.png", picture(20, 12, 1, false)),
        ("f2.png", picture(20, 12, 1, false)),
        ("f3.png", picture(31, 7, 3, true)),
        ("f10.pgm", picture(20, 12, 1, true)),
        ("f11.ppm", picture(20, 12, 3, false)),
        ("f12.png", picture(20, 12, 4, false)),
    ];
    images.iter().for_each(|(name, image)| image.write(place.at("in").join(name)).unwrap());
    let whole = std::fs::read(place.at("in/f2.png")).unwrap();
    place.put("in/f2b.png", &whole[..whole.len() / 2]);
    place.put("in/notes.txt", "no picture");
    for words in ["edges in made/out", "edges in made/out --threads 1"] {
        let output = place.run(words);
        assert_eq!(output.status.code(), Some(1));
        let said = text(&output.stderr);
        assert_eq!(
            said,
            "fuzzion: in/f2b.png cannot be read as an image: it is damaged or cut short; fetch or save it again; skipped\n"
        );
        assert!(
            text(&output.stdout).starts_with("in: 6 frames of several sizes in "),
            "{}",
            text(&output.stdout)
        );
        assert!(text(&output.stdout).ends_with("\n\nwritten: made/out\nskipped: 1 file\n"));
        let mut made: Vec<_> =
            std::fs::read_dir(place.at("made/out")).unwrap().map(|e| e.unwrap().file_name()).collect();
        made.sort();
        let mut names: Vec<_> = images.iter().map(|(name, _)| std::ffi::OsString::from(name)).collect();
        names.sort();
        assert_eq!(made, names);
        for (name, image) in &images {
            let made = Images::read(place.at("made/out").join(name)).unwrap();
            assert_eq!(made, edges_of(image), "{name}");
        }
    }
    std::fs::create_dir(place.at("bad")).unwrap();
    std::fs::rename(place.at("in/f2b.png"), place.at("bad/f2b.png")).unwrap();
    let output = place.run("edges bad none");
    let said = text(&output.stderr);
    assert_eq!((output.status.code(), said.lines().count()), (Some(1), 2), "{said}");
    assert!(
        said.ends_with("fuzzion: bad holds no images that can be read; it needs at least one\n"),
        "{said}"
    );
    assert!(!place.at("none").exists());
    let told = place.json("edges in other");
    assert_eq!((&told["frames"], &told["skipped"]), (&6.into(), &0.into()));
}

#[test]
fn what_cannot_be_is_one_sentence_and_nothing_is_written() {
    let place = Place::new();
    picture(8, 8, 1, true).write(place.at("a.png")).unwrap();
    std::fs::create_dir(place.at("dir")).unwrap();
    place.put("cut.png", &place.bytes("a.png")[..60]);
    place.put("t.csv", "a,b\n1,2\n");
    let before = place.files();
    for (words, code, sentence) in [
        ("edges a.png a.png", 2, "`a.png` is what is read; name another place for the result"),
        ("edges dir dir", 2, "`dir` is what is read; name another place for the result"),
        ("edges a.png dir", 2, "`dir` is a folder, and `a.png` is none; name a file in it"),
        ("edges dir a.png", 2, "`dir` is a folder, and `a.png` is a file; name a folder to write into"),
        ("edges dir new.y4m", 2, "`dir` is a folder, and `new.y4m` is a file; name a folder to write into"),
        ("edges dir -", 2, "`dir` is a folder, which cannot go to standard output; name a folder for it"),
        (
            "edges a.png - --json",
            2,
            "`--json` and pictures on `-` cannot share standard output; name a file for them",
        ),
        ("edges dir out", 1, "dir holds no images; it needs at least one"),
        (
            "edges cut.png b.png",
            1,
            "cut.png cannot be read as an image: it is damaged or cut short; fetch or save it again",
        ),
        (
            "edges t.csv b.png",
            1,
            "t.csv is of no known kind; known are images (`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm`, `.pnm`) and video (`.y4m`)",
        ),
        (
            "edges a.png b.jpg",
            1,
            "the image for b.jpg is 8 × 8 with 1 channel of 16 bits, but it must be of 1 or 3 channels of 8 bits; write PNG \
             instead",
        ),
        (
            "edges a.png b.txt",
            1,
            "b.txt is of no known kind; known are `.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm` and `.pnm`",
        ),
    ] {
        assert_eq!(refused(&place, words, code), sentence, "{words}");
        assert_eq!(place.files(), before, "{words}");
    }
    let gone = refused(&place, "edges none.png b.png", 1);
    assert!(gone.starts_with("cannot read none.png: "), "{gone}");
    for words in ["--threshold 0", "--threshold nan", "--spread 256", "--threshold -3"] {
        let said = refused(&place, &format!("edges a.png b.png {words}"), 1);
        assert!(said.starts_with("FIRE edges: `"), "{said}");
    }
    for words in ["--border 256", "--border mirror", "--border -1"] {
        let output = place.run(&format!("edges a.png b.png {words}"));
        assert_eq!(output.status.code(), Some(2), "{words}");
    }
    assert_eq!(place.files(), before);
}

#[test]
fn ready_systems_have_names_and_can_be_taken_as_files_to_change() {
    let place = Place::new();
    let image = picture(26, 19, 3, false);
    image.write(place.at("a.png")).unwrap();
    for name in ["fire-edges", "fire-denoise", "contrast", "smooth"] {
        place.said(&format!("image --system {name} a.png b.png"));
        let made = Images::read(place.at("b.png")).unwrap();
        assert_eq!(made, apply(Operator::named(name).unwrap(), &image), "{name}");
        place.said(&format!("image --system {name} a.png b.png --color"));
        let made = Images::read(place.at("b.png")).unwrap();
        assert_eq!(made, apply(Operator::named(name).unwrap().per_channel(true), &image), "{name}");
        place.said(&format!("convert {name} mine.fll"));
        place.said("image --system mine.fll a.png c.png --color");
        assert_eq!(place.bytes("b.png"), place.bytes("c.png"), "{name}");
        let shown = place.said(&format!("show {name}"));
        assert!(shown.starts_with(&format!("{name}: ")), "{shown}");
    }
    let general = Operator::named("smooth").unwrap().path(Route::General);
    place.said("image --system smooth a.png b.png --general");
    assert_eq!(Images::read(place.at("b.png")).unwrap(), apply(general, &image));
}

#[test]
fn a_system_that_is_no_window_operator_is_refused_in_a_sentence() {
    let place = Place::with("tipper.fll", common::TIPPER);
    picture(8, 8, 1, false).write(place.at("a.png")).unwrap();
    let said = refused(&place, "image --system tipper.fll a.png b.png", 1);
    assert!(said.contains("input `service`") && said.contains("window"), "{said}");
    let said = refused(&place, "image --system smoth a.png b.png", 1);
    assert!(
        said.contains("`smoth`") && said.contains("`fire-denoise`") && said.contains("`smooth`"),
        "{said}"
    );
    let said = refused(&place, "image --system none.fll a.png b.png", 1);
    assert!(said.starts_with("cannot read none.fll: "), "{said}");
    assert_eq!(place.run("image a.png b.png").status.code(), Some(2));
    assert!(!place.at("b.png").exists());
}
