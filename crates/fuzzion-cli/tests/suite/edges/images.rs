//! `fuzzion edges` and `fuzzion image` on images and folders of images.

use crate::common::{TestDir, text};
use fuzzion::data::Pixels;
use fuzzion::inference::image::{Border, Execution, Operator, invert, thin};
use fuzzion::{Device, Images};

/// An image with steps, a ramp and noise.
fn sample_image(width: usize, height: usize, channels: usize, deep: bool) -> Images {
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
    operator.apply(image, &Device::cpu().unwrap()).unwrap()
}

fn edges_of(image: &Images) -> Images {
    apply(Operator::edges(64.0, 16.0).unwrap(), image)
}

/// The error message of a failing command.
fn error_of(dir: &TestDir, args: &str, code: i32) -> String {
    let output = dir.run(args);
    assert_eq!(output.status.code(), Some(code), "{args}: {}", text(&output.stderr));
    assert!(output.stdout.is_empty(), "{args}");
    let printed = text(&output.stderr);
    assert_eq!(printed.lines().count(), 1, "{args}: {printed}");
    printed.trim_end().strip_prefix("fuzzion: ").unwrap().to_owned()
}

#[test]
fn every_format_and_depth_gives_the_result_of_the_library() {
    let dir = TestDir::new();
    for (name, out, channels, deep) in [
        ("a.png", "b.png", 1, false),
        ("a.pgm", "b.pgm", 1, true),
        ("a.ppm", "b.png", 3, false),
        ("a.png", "b.pgm", 4, true),
    ] {
        let image = sample_image(37, 23, channels, deep);
        image.write(dir.join(name)).unwrap();
        dir.output_of(&format!("edges {name} {out}"));
        assert_eq!(Images::read(dir.join(out)).unwrap(), edges_of(&image), "{name} {out}");
    }
}

#[test]
fn a_uniform_image_is_white_and_a_step_is_a_line() {
    let dir = TestDir::new();
    Images::new(9, 5, 1, Pixels::U8(vec![77; 45])).unwrap().write(dir.join("a.png")).unwrap();
    dir.output_of("edges a.png b.png");
    assert_eq!(Images::read(dir.join("b.png")).unwrap().pixels(), &Pixels::U8(vec![255; 45]));
    let step = (0..45).map(|i| if i % 9 < 4 { 20 } else { 220 }).collect();
    Images::new(9, 5, 1, Pixels::U8(step)).unwrap().write(dir.join("a.png")).unwrap();
    dir.output_of("edges a.png b.png --thin");
    let Pixels::U8(thinned) = Images::read(dir.join("b.png")).unwrap().into_pixels() else {
        panic!("16 bits")
    };
    for row in thinned.chunks(9) {
        assert_eq!(row.iter().filter(|v| **v < 255).count(), 1, "{row:?}");
        assert!(row[3] < 255 || row[4] < 255, "{row:?}");
    }
}

#[test]
fn options_are_passed_to_the_operator() {
    let dir = TestDir::new();
    let image = sample_image(30, 20, 3, false);
    image.write(dir.join("a.png")).unwrap();
    let made = |args: &str| {
        dir.output_of(&format!("edges a.png b.png {args}"));
        Images::read(dir.join("b.png")).unwrap()
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
fn json_contains_size_speed_device_and_path() {
    let dir = TestDir::new();
    sample_image(30, 20, 1, false).write(dir.join("a.png")).unwrap();
    let summary = dir.json("edges a.png b.png");
    let keys: Vec<&String> = summary.as_object().unwrap().keys().collect();
    let expected = [
        "compute_seconds",
        "device",
        "frames",
        "frames_per_second",
        "height",
        "path",
        "read_seconds",
        "seconds",
        "width",
        "write_seconds",
    ];
    assert_eq!(keys, expected);
    assert_eq!(
        (&summary["width"], &summary["height"], &summary["frames"]),
        (&30.into(), &20.into(), &1.into())
    );
    assert_eq!((&summary["device"], &summary["path"]), (&"cpu".into(), &"fast".into()));
    let (seconds, rate) =
        (summary["seconds"].as_f64().unwrap(), summary["frames_per_second"].as_f64().unwrap());
    assert!((seconds * rate - 1.0).abs() < 1e-9);
    assert_eq!(dir.json("edges a.png b.png --general")["path"], "general");
    let printed = dir.output_of("edges a.png b.png");
    assert!(
        printed.starts_with("a.png: 1 frame of 30 × 20 in ")
            && printed.contains("\n\nwrote b.png\n\nread in "),
        "{printed}"
    );
}

#[test]
fn a_folder_keeps_names_sizes_and_depths_and_skips_damaged_files() {
    let dir = TestDir::new();
    std::fs::create_dir(dir.join("in")).unwrap();
    let images = [
        ("f1.png", sample_image(20, 12, 1, false)),
        ("f2.png", sample_image(20, 12, 1, false)),
        ("f3.png", sample_image(31, 7, 3, true)),
        ("f10.pgm", sample_image(20, 12, 1, true)),
        ("f11.ppm", sample_image(20, 12, 3, false)),
        ("f12.png", sample_image(20, 12, 4, false)),
    ];
    images.iter().for_each(|(name, image)| image.write(dir.join("in").join(name)).unwrap());
    let whole = std::fs::read(dir.join("in/f2.png")).unwrap();
    dir.write("in/f2b.png", &whole[..whole.len() / 2]);
    dir.write("in/notes.txt", "not an image");
    for args in ["edges in made/out", "edges in made/out --threads 1"] {
        let output = dir.run(args);
        assert_eq!(output.status.code(), Some(1));
        let printed = text(&output.stderr);
        assert_eq!(
            printed,
            "fuzzion: in/f2b.png cannot be read as an image: the file is damaged or truncated; download it or save it again; skipped\n"
        );
        assert!(
            text(&output.stdout).starts_with("in: 6 frames of various sizes in "),
            "{}",
            text(&output.stdout)
        );
        assert!(text(&output.stdout).contains("\n\nwrote made/out\nskipped 1 file\n\nread in "));
        let mut made: Vec<_> =
            std::fs::read_dir(dir.join("made/out")).unwrap().map(|e| e.unwrap().file_name()).collect();
        made.sort();
        let mut names: Vec<_> = images.iter().map(|(name, _)| std::ffi::OsString::from(name)).collect();
        names.sort();
        assert_eq!(made, names);
        for (name, image) in &images {
            let made = Images::read(dir.join("made/out").join(name)).unwrap();
            assert_eq!(made, edges_of(image), "{name}");
        }
    }
    std::fs::create_dir(dir.join("bad")).unwrap();
    std::fs::rename(dir.join("in/f2b.png"), dir.join("bad/f2b.png")).unwrap();
    let output = dir.run("edges bad none");
    let printed = text(&output.stderr);
    assert_eq!((output.status.code(), printed.lines().count()), (Some(1), 2), "{printed}");
    assert!(
        printed.ends_with("fuzzion: bad contains no readable images; at least one is required\n"),
        "{printed}"
    );
    assert!(!dir.join("none").exists());
    let summary = dir.json("edges in other");
    assert_eq!((&summary["frames"], &summary["skipped"]), (&6.into(), &0.into()));
}

#[test]
fn errors_are_reported_and_nothing_is_written() {
    let dir = TestDir::new();
    sample_image(8, 8, 1, true).write(dir.join("a.png")).unwrap();
    std::fs::create_dir(dir.join("dir")).unwrap();
    dir.write("cut.png", &dir.read("a.png")[..60]);
    dir.write("t.csv", "a,b\n1,2\n");
    let before = dir.files();
    for (args, code, message) in [
        ("edges a.png a.png", 2, "`a.png` is the input; choose a different output path"),
        ("edges dir dir", 2, "`dir` is the input; choose a different output path"),
        ("edges a.png dir", 2, "`dir` is a folder, but `a.png` is a file; choose an output file"),
        ("edges dir a.png", 2, "`dir` is a folder, but `a.png` is a file; choose an output folder"),
        ("edges dir new.y4m", 2, "`dir` is a folder, but `new.y4m` is a file; choose an output folder"),
        (
            "edges dir -",
            2,
            "`dir` is a folder, which cannot be written to standard output; choose an output folder",
        ),
        (
            "edges a.png - --json",
            2,
            "`--json` and the image cannot both use standard output; write the image to a file",
        ),
        ("edges dir out", 1, "dir contains no images; at least one is required"),
        (
            "edges cut.png b.png",
            1,
            "cut.png cannot be read as an image: the file is damaged or truncated; download it or save it again",
        ),
        (
            "edges t.csv b.png",
            1,
            "t.csv: unsupported format; supported formats: images (`.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm`, \
             `.pnm`) and video (`.y4m`)",
        ),
        (
            "edges a.png b.jpg",
            1,
            "the image for b.jpg is 8 × 8 with 1 channel of 16 bits, but it must be an image with 1 or 3 channels of 8 bits; write PNG \
             instead",
        ),
        (
            "edges a.png b.txt",
            1,
            "b.txt: unsupported format; supported formats: `.png`, `.jpg`, `.jpeg`, `.pgm`, `.ppm` and `.pnm`",
        ),
    ] {
        assert_eq!(error_of(&dir, args, code), message, "{args}");
        assert_eq!(dir.files(), before, "{args}");
    }
    let gone = error_of(&dir, "edges none.png b.png", 1);
    assert!(gone.starts_with("cannot read none.png: "), "{gone}");
    for args in ["--threshold 0", "--threshold nan", "--spread 256", "--threshold -3"] {
        let printed = error_of(&dir, &format!("edges a.png b.png {args}"), 1);
        let option = args.split(' ').next().unwrap();
        assert!(printed.starts_with(&format!("`{option}` is ")), "{printed}");
    }
    for args in ["--border 256", "--border mirror", "--border -1"] {
        let output = dir.run(&format!("edges a.png b.png {args}"));
        assert_eq!(output.status.code(), Some(2), "{args}");
    }
    assert_eq!(dir.files(), before);
}

#[test]
fn built_in_systems_can_be_run_by_name_and_converted_to_files() {
    let dir = TestDir::new();
    let image = sample_image(26, 19, 3, false);
    image.write(dir.join("a.png")).unwrap();
    for name in ["fire-edges", "fire-denoise", "contrast", "smooth"] {
        dir.output_of(&format!("image --system {name} a.png b.png"));
        let made = Images::read(dir.join("b.png")).unwrap();
        assert_eq!(made, apply(Operator::named(name).unwrap(), &image), "{name}");
        dir.output_of(&format!("image --system {name} a.png b.png --color"));
        let made = Images::read(dir.join("b.png")).unwrap();
        assert_eq!(made, apply(Operator::named(name).unwrap().per_channel(true), &image), "{name}");
        dir.output_of(&format!("convert {name} mine.fll"));
        dir.output_of("image --system mine.fll a.png c.png --color");
        assert_eq!(dir.read("b.png"), dir.read("c.png"), "{name}");
        let shown = dir.output_of(&format!("show {name}"));
        assert!(shown.starts_with(&format!("{name}: ")), "{shown}");
    }
    let general = Operator::named("smooth").unwrap().execution(Execution::General);
    dir.output_of("image --system smooth a.png b.png --general");
    assert_eq!(Images::read(dir.join("b.png")).unwrap(), apply(general, &image));
}

#[test]
fn systems_that_are_not_window_operators_are_rejected() {
    let dir = TestDir::with("tipper.fll", crate::common::TIPPER);
    sample_image(8, 8, 1, false).write(dir.join("a.png")).unwrap();
    let printed = error_of(&dir, "image --system tipper.fll a.png b.png", 1);
    assert!(printed.contains("input `service`") && printed.contains("window"), "{printed}");
    let printed = error_of(&dir, "image --system smoth a.png b.png", 1);
    assert!(
        printed.contains("`smoth`") && printed.contains("`fire-denoise`") && printed.contains("`smooth`"),
        "{printed}"
    );
    let printed = error_of(&dir, "image --system none.fll a.png b.png", 1);
    assert!(printed.starts_with("cannot read none.fll: "), "{printed}");
    assert_eq!(dir.run("image a.png b.png").status.code(), Some(2));
    assert!(!dir.join("b.png").exists());
}
