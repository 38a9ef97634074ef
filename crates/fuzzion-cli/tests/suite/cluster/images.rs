//! `fuzzion cluster` on images and video.

use crate::common::{TestDir, floats, text};
use fuzzion::data::{Chroma, Frame, Pixels, VideoHeader, VideoReader, VideoWriter};
use fuzzion::{Images, Table};
use std::collections::BTreeSet;

const WIDTH: usize = 24;
const HEIGHT: usize = 16;

/// Noise from 0 to 6.
fn noise(i: usize) -> u8 {
    (i * i % 7) as u8
}

/// Dark, medium and bright stripes with noise.
fn gray() -> Images {
    let level = |i: usize| [20u8, 110, 220][i % WIDTH / 8] + noise(i);
    Images::new(WIDTH, HEIGHT, 1, Pixels::U8((0..WIDTH * HEIGHT).map(level).collect())).unwrap()
}

/// Stripes of red, green and blue; every fifth pixel is transparent.
fn colored(channels: usize) -> Images {
    let pixel = |i: usize| {
        let mut pixel = [10 + noise(i), 12, 9, if i.is_multiple_of(5) { 0 } else { 255 }];
        pixel[i % WIDTH / 8] = 200 + noise(i);
        pixel[..channels].to_vec()
    };
    Images::new(WIDTH, HEIGHT, channels, Pixels::U8((0..WIDTH * HEIGHT).flat_map(pixel).collect())).unwrap()
}

fn bytes(image: &Images) -> &[u8] {
    match image.pixels() {
        Pixels::U8(values) => values,
        Pixels::U16(_) => panic!("16 bits"),
    }
}

/// The fit of an image as a table with one row per pixel.
fn of_table(dir: &TestDir, image: &Images, args: &str) -> serde_json::Value {
    let values: Vec<f64> = bytes(image).iter().map(|v| f64::from(*v)).collect();
    Table::unnamed(image.channels(), values).unwrap().write(dir.join("pixels.csv")).unwrap();
    dir.json(&format!("cluster pixels.csv {args}"))
}

fn sorted(value: &serde_json::Value) -> Vec<f64> {
    let mut all = crate::common::centers(value).concat();
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn a_gray_image_is_clustered_by_pixel_and_segmented_in_the_center_colors() {
    let dir = TestDir::new();
    gray().write(dir.join("g.png")).unwrap();
    let fit = dir.json("cluster g.png --clusters 3 --tol 1e-12 --plot seg.png --labels lab.png");
    assert_eq!(fit["columns"], serde_json::json!(["brightness"]));
    assert_eq!(floats(&fit["sizes"]), [128.0; 3]);
    let all = of_table(&dir, &gray(), "--clusters 3 --tol 1e-12");
    for (a, b) in sorted(&fit).iter().zip(sorted(&all)) {
        // Both stop within 1e-12 of the spread, about 80, of the same fixed point.
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
    let centers: Vec<f64> =
        fit["centers"].as_array().unwrap().iter().map(|c| c[0].as_f64().unwrap()).collect();
    let (segmented, labels) =
        (Images::read(dir.join("seg.png")).unwrap(), Images::read(dir.join("lab.png")).unwrap());
    for (i, (shown, label)) in bytes(&segmented).iter().zip(bytes(&labels)).enumerate() {
        let center = centers[usize::from(*label) - 1];
        assert_eq!(f64::from(*shown), center.round());
        let far = |k: usize| (f64::from(bytes(&gray())[i]) - centers[k]).abs();
        assert!((0..3).all(|k| far(k) >= far(usize::from(*label) - 1)), "pixel {i}");
    }
}

#[test]
fn a_color_image_keeps_its_alpha_channel_and_ignores_transparent_pixels() {
    let dir = TestDir::new();
    colored(4).write(dir.join("c.png")).unwrap();
    let fit = dir.json("cluster c.png --clusters 3 --plot seg.png --memberships folder --labels l.csv");
    assert_eq!(fit["columns"], serde_json::json!(["red", "green", "blue"]));
    let seen = (0..WIDTH * HEIGHT).filter(|i| !i.is_multiple_of(5)).count() as f64;
    assert_eq!(floats(&fit["sizes"]).iter().sum::<f64>(), seen);
    let (before, after) = (colored(4), Images::read(dir.join("seg.png")).unwrap());
    let pixels = |image: &Images| bytes(image).chunks(4).map(<[u8]>::to_vec).collect::<Vec<_>>();
    assert!(pixels(&before).iter().zip(pixels(&after)).all(|(a, b)| a[3] == b[3]));
    let colors: BTreeSet<Vec<u8>> = pixels(&after).iter().map(|p| p[..3].to_vec()).collect();
    assert_eq!(colors.len(), 3);
    // Three images of memberships, bright in the cluster of the label.
    let labels = dir.read_values("l.csv").concat();
    let pictures = Images::read(dir.join("folder")).unwrap();
    assert_eq!((pictures.frames(), labels.len()), (3, WIDTH * HEIGHT));
    for (i, label) in labels.iter().enumerate() {
        let level = |k: usize| bytes(&pictures)[k * WIDTH * HEIGHT + i];
        assert!((0..3).all(|k| level(k) <= level(*label as usize - 1)) && level(*label as usize - 1) > 200);
    }
}

#[test]
fn clustering_distinct_colors_is_equivalent_to_clustering_pixels() {
    let dir = TestDir::new();
    colored(3).write(dir.join("c.ppm")).unwrap();
    let fit = dir.json("cluster c.ppm --clusters 3 --tol 1e-12");
    let all = of_table(&dir, &colored(3), "--clusters 3 --tol 1e-12");
    for (a, b) in sorted(&fit).iter().zip(sorted(&all)) {
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
    let objective = |fit: &serde_json::Value| fit["objective"].as_f64().unwrap();
    assert!((objective(&fit) / objective(&all) - 1.0).abs() < 1e-9);
    let printed = dir.output_of("cluster c.ppm --clusters 3 --plot p.svg --centers c.csv");
    assert!(printed.starts_with("c.ppm: 24 × 16 pixels, "), "{printed}");
    assert_eq!(text(&dir.read("p.svg")).matches("data:image/png;base64,").count(), 2);
}

#[test]
fn a_saved_model_segments_another_image() {
    let dir = TestDir::new();
    gray().write(dir.join("g.png")).unwrap();
    colored(3).write(dir.join("c.png")).unwrap();
    dir.json("cluster g.png --clusters 3 --plot a.png --model m.json --memberships u.csv");
    let summary = dir.json("cluster --apply m.json g.png --plot b.png --memberships v.csv");
    assert_eq!(summary["rows"], WIDTH * HEIGHT);
    assert_eq!((dir.read("a.png"), dir.read("u.csv")), (dir.read("b.png"), dir.read("v.csv")));
    assert_eq!(dir.read_values("u.csv").len(), WIDTH * HEIGHT);
    let output = dir.run("cluster --apply m.json c.png --plot x.png");
    assert_eq!(output.status.code(), Some(1));
    let message = "the model was fitted to `brightness`, but the data has `red`, `green`, `blue`";
    assert!(text(&output.stderr).contains(message), "{}", text(&output.stderr));
    assert!(!dir.join("x.png").exists());
}

/// A video of a bright square that moves over a dark background; the first frame is black.
fn video(dir: &TestDir, name: &str, chroma: Chroma, frames: usize) {
    let header = VideoHeader::new(WIDTH, HEIGHT, chroma, 8, (25, 1)).unwrap();
    let mut out = VideoWriter::create(dir.join(name), &header).unwrap();
    for frame in 0..frames {
        let square =
            |i: usize| (4 + frame..12 + frame).contains(&(i % WIDTH)) && (4..12).contains(&(i / WIDTH));
        let luma = |i: usize| {
            if frame == 0 {
                16
            } else if square(i) {
                200 + noise(i)
            } else {
                40 + noise(i)
            }
        };
        let planes = header.planes().into_iter().enumerate().map(|(plane, (width, height))| {
            let values = (0..width * height).map(|i| if plane == 0 { luma(i) } else { 128 });
            Pixels::U8(values.collect())
        });
        out.write(&Frame { planes: planes.collect(), parameters: String::new() }).unwrap();
    }
    out.finish().unwrap();
}

fn frames(dir: &TestDir, name: &str) -> Vec<Frame> {
    let mut reader = VideoReader::open(dir.join(name)).unwrap();
    std::iter::from_fn(|| reader.next().unwrap()).collect()
}

#[test]
fn clusters_keep_their_identity_between_video_frames() {
    for chroma in [Chroma::Mono, Chroma::Yuv420] {
        let dir = TestDir::new();
        video(&dir, "v.y4m", chroma, 9);
        let fit = dir.json("cluster v.y4m --clusters 2 --plot seg.y4m --labels lab.y4m --centers c.csv");
        let summary = fit["frames"].as_array().unwrap();
        assert_eq!((summary.len(), &summary[0]["colors"]), (9, &serde_json::json!(1)));
        assert!(summary[1..].iter().all(|frame| frame["stop"] == "converged"));
        // Later frames start from the previous centers, and only the position of the square has changed.
        let iterations = |i: usize| summary[i]["iterations"].as_u64().unwrap();
        assert!((2..9).all(|i| iterations(i) <= iterations(1)), "{summary:?}");
        let (segmented, labels) = (frames(&dir, "seg.y4m"), frames(&dir, "lab.y4m"));
        assert_eq!((segmented.len(), labels.len()), (9, 9));
        assert_eq!(segmented[0], frames(&dir, "v.y4m")[0], "a black frame is unchanged");
        let plane = |frame: &Frame| match &frame.planes[0] {
            Pixels::U8(values) => values.clone(),
            Pixels::U16(_) => panic!("16 bits"),
        };
        let bright = plane(&labels[1])[4 * WIDTH + 6];
        for (i, (painted, label)) in segmented.iter().zip(&labels).enumerate().skip(1) {
            let levels: BTreeSet<u8> = plane(painted).into_iter().collect();
            assert_eq!(levels.len(), 2, "frame {i}");
            for (level, label) in plane(painted).iter().zip(plane(label)) {
                assert_eq!(*level > 128, label == bright, "frame {i}");
            }
        }
        let printed = dir.output_of("cluster v.y4m --clusters 2");
        assert!(
            printed.starts_with("v.y4m: 9 frames of 24 × 16, 2 clusters\n8 of 8 fits converged, "),
            "{printed}"
        );
    }
}

#[test]
fn errors_are_reported_and_nothing_is_written() {
    let dir = TestDir::new();
    gray().write(dir.join("g.png")).unwrap();
    colored(4).write(dir.join("seen.png")).unwrap();
    video(&dir, "v.y4m", Chroma::Mono, 3);
    dir.write("empty.y4m", "YUV4MPEG2 W2 H1 F25:1 Cmono\n");
    dir.write("cut.y4m", "YUV4MPEG2 W2 H1 F25:1 Cmono\nFRAME\nabFRAME\nc");
    dir.write("m.json", "{}");
    let before = dir.files();
    for (args, part) in [
        ("g.png --clusters 300 --plot p.png", "cannot form 300 clusters from"),
        ("g.png --clusters 0 --plot p.png", "`--clusters` is 0"),
        ("g.png --clusters 2 --columns red", "an image cannot be combined with `--columns`"),
        ("g.png --clusters 2 --plot p.bmp", "p.bmp: unsupported format; supported formats: `.png`"),
        ("g.png --clusters 2 --labels l.jpg", "l.jpg: unsupported format; supported formats: `.png`, `.pgm`"),
        ("g.png --clusters 2 --memberships u.png", "u.png: unsupported format; supported formats: `.csv`"),
        ("g.png --clusters 2 --plot nowhere/p.png", "cannot write nowhere/p.png"),
        ("seen.png --clusters 2 --labels l.png --plot p.jpg", "p.jpg"),
        (
            "v.y4m --clusters 2 --plot p.png",
            "p.png: unsupported format; supported formats: `.y4m` for a clustered video",
        ),
        ("v.y4m --clusters 2 --memberships u.csv", "a video cannot be combined with `--memberships`"),
        ("v.y4m --sweep 2..3", "a video cannot be combined with `--sweep`"),
        ("v.y4m --apply m.json", "a video cannot be combined with `--apply`"),
        ("v.y4m --clusters 0 --plot p.y4m", "`--clusters` is 0"),
        ("v.y4m --clusters 200 --plot p.y4m", "cannot form 200 clusters from"),
        ("empty.y4m --clusters 2 --plot p.y4m", "empty.y4m contains no frames"),
        ("cut.y4m --clusters 1 --plot p.y4m --labels l.y4m", "the file ends within frame 2"),
    ] {
        let output = dir.run(&format!("cluster {args}"));
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args}: {message}");
        assert!(message.contains(part) && message.lines().count() == 1, "{args}: {message}");
        assert_eq!(dir.files(), before, "{args}");
    }
}

#[test]
fn a_frame_with_one_color_per_cluster_is_clustered() {
    let dir = TestDir::with("two.y4m", "YUV4MPEG2 W2 H1 F25:1 Cmono\nFRAME\nazFRAME\nby");
    let fit = dir.json("cluster two.y4m --clusters 2");
    for frame in 0..2 {
        assert_eq!(fit["frames"][frame]["sizes"], serde_json::json!([1.0, 1.0]), "{fit}");
    }
}
