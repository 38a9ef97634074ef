//! `fuzzion cluster` on images and video.

#![allow(clippy::unwrap_used, clippy::panic)] // a helper outside a test function is still a test

mod common;

use common::{Place, floats, text};
use fuzzion::data::{Chroma, Frame, Pixels, VideoHeader, VideoReader, VideoWriter};
use fuzzion::{Images, Table};
use std::collections::BTreeSet;

const WIDTH: usize = 24;
const HEIGHT: usize = 16;

/// A number from 0 to 6 that changes from pixel to pixel.
fn grain(i: usize) -> u8 {
    (i * i % 7) as u8
}

/// Dark, middle and bright stripes with some grain.
fn grey() -> Images {
    let level = |i: usize| [20u8, 110, 220][i % WIDTH / 8] + grain(i);
    Images::new(WIDTH, HEIGHT, 1, Pixels::U8((0..WIDTH * HEIGHT).map(level).collect())).unwrap()
}

/// Stripes of red, green and blue; every fifth pixel cannot be seen.
fn colored(channels: usize) -> Images {
    let pixel = |i: usize| {
        let mut pixel = [10 + grain(i), 12, 9, if i.is_multiple_of(5) { 0 } else { 255 }];
        pixel[i % WIDTH / 8] = 200 + grain(i);
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
fn of_table(place: &Place, image: &Images, words: &str) -> serde_json::Value {
    let values: Vec<f64> = bytes(image).iter().map(|v| f64::from(*v)).collect();
    Table::unnamed(image.channels(), values).unwrap().write(place.at("pixels.csv")).unwrap();
    place.json(&format!("cluster pixels.csv {words}"))
}

fn sorted(value: &serde_json::Value) -> Vec<f64> {
    let mut all = common::centers(value).concat();
    all.sort_by(f64::total_cmp);
    all
}

#[test]
fn a_grey_image_is_clustered_as_all_its_pixels_and_painted_in_its_centers() {
    let place = Place::new();
    grey().write(place.at("g.png")).unwrap();
    let fit = place.json("cluster g.png --clusters 3 --tol 1e-12 --plot seg.png --labels lab.png");
    assert_eq!(fit["columns"], serde_json::json!(["brightness"]));
    assert_eq!(floats(&fit["sizes"]), [128.0; 3]);
    let all = of_table(&place, &grey(), "--clusters 3 --tol 1e-12");
    for (a, b) in sorted(&fit).iter().zip(sorted(&all)) {
        // Both end within 1e-12 of the spread, some 80, of the same fixed point.
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
    let centers: Vec<f64> =
        fit["centers"].as_array().unwrap().iter().map(|c| c[0].as_f64().unwrap()).collect();
    let (segmented, labels) =
        (Images::read(place.at("seg.png")).unwrap(), Images::read(place.at("lab.png")).unwrap());
    for (i, (shown, label)) in bytes(&segmented).iter().zip(bytes(&labels)).enumerate() {
        let center = centers[usize::from(*label) - 1];
        assert_eq!(f64::from(*shown), center.round());
        let far = |k: usize| (f64::from(bytes(&grey())[i]) - centers[k]).abs();
        assert!((0..3).all(|k| far(k) >= far(usize::from(*label) - 1)), "pixel {i}");
    }
}

#[test]
fn a_colored_image_keeps_its_opacity_and_does_not_count_what_nobody_sees() {
    let place = Place::new();
    colored(4).write(place.at("c.png")).unwrap();
    let fit = place.json("cluster c.png --clusters 3 --plot seg.png --memberships folder --labels l.csv");
    assert_eq!(fit["columns"], serde_json::json!(["red", "green", "blue"]));
    let seen = (0..WIDTH * HEIGHT).filter(|i| !i.is_multiple_of(5)).count() as f64;
    assert_eq!(floats(&fit["sizes"]).iter().sum::<f64>(), seen);
    let (before, after) = (colored(4), Images::read(place.at("seg.png")).unwrap());
    let pixels = |image: &Images| bytes(image).chunks(4).map(<[u8]>::to_vec).collect::<Vec<_>>();
    assert!(pixels(&before).iter().zip(pixels(&after)).all(|(a, b)| a[3] == b[3]));
    let colors: BTreeSet<Vec<u8>> = pixels(&after).iter().map(|p| p[..3].to_vec()).collect();
    assert_eq!(colors.len(), 3);
    // Three pictures of memberships, white where the label is.
    let labels = place.numbers("l.csv").concat();
    let pictures = Images::read(place.at("folder")).unwrap();
    assert_eq!((pictures.frames(), labels.len()), (3, WIDTH * HEIGHT));
    for (i, label) in labels.iter().enumerate() {
        let level = |k: usize| bytes(&pictures)[k * WIDTH * HEIGHT + i];
        assert!((0..3).all(|k| level(k) <= level(*label as usize - 1)) && level(*label as usize - 1) > 200);
    }
}

#[test]
fn colors_give_the_fit_of_all_pixels() {
    let place = Place::new();
    colored(3).write(place.at("c.ppm")).unwrap();
    let fit = place.json("cluster c.ppm --clusters 3 --tol 1e-12");
    let all = of_table(&place, &colored(3), "--clusters 3 --tol 1e-12");
    for (a, b) in sorted(&fit).iter().zip(sorted(&all)) {
        assert!((a - b).abs() < 1e-8, "{a} {b}");
    }
    let objective = |fit: &serde_json::Value| fit["objective"].as_f64().unwrap();
    assert!((objective(&fit) / objective(&all) - 1.0).abs() < 1e-9);
    let said = place.said("cluster c.ppm --clusters 3 --plot p.svg --centers c.csv");
    assert!(said.starts_with("c.ppm: 24 × 16 pixels of "), "{said}");
    assert_eq!(text(&place.bytes("p.svg")).matches("data:image/png;base64,").count(), 2);
}

#[test]
fn a_saved_fit_of_an_image_paints_another_one() {
    let place = Place::new();
    grey().write(place.at("g.png")).unwrap();
    colored(3).write(place.at("c.png")).unwrap();
    place.json("cluster g.png --clusters 3 --plot a.png --model m.json --memberships u.csv");
    let told = place.json("cluster --apply m.json g.png --plot b.png --memberships v.csv");
    assert_eq!(told["rows"], WIDTH * HEIGHT);
    assert_eq!((place.bytes("a.png"), place.bytes("u.csv")), (place.bytes("b.png"), place.bytes("v.csv")));
    assert_eq!(place.numbers("u.csv").len(), WIDTH * HEIGHT);
    let output = place.run("cluster --apply m.json c.png --plot x.png");
    assert_eq!(output.status.code(), Some(1));
    let sentence = "the model was fitted to `brightness`, but the data have `red`, `green`, `blue`";
    assert!(text(&output.stderr).contains(sentence), "{}", text(&output.stderr));
    assert!(!place.at("x.png").exists());
}

/// A video of a bright square that moves over a dark ground; the first frame is black.
fn video(place: &Place, name: &str, chroma: Chroma, frames: usize) {
    let header = VideoHeader::new(WIDTH, HEIGHT, chroma, 8, (25, 1)).unwrap();
    let mut out = VideoWriter::create(place.at(name), &header).unwrap();
    for frame in 0..frames {
        let square =
            |i: usize| (4 + frame..12 + frame).contains(&(i % WIDTH)) && (4..12).contains(&(i / WIDTH));
        let luma = |i: usize| {
            if frame == 0 {
                16
            } else if square(i) {
                200 + grain(i)
            } else {
                40 + grain(i)
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

fn frames(place: &Place, name: &str) -> Vec<Frame> {
    let mut reader = VideoReader::open(place.at(name)).unwrap();
    std::iter::from_fn(|| reader.next().unwrap()).collect()
}

#[test]
fn a_video_keeps_its_clusters_from_frame_to_frame() {
    for chroma in [Chroma::Mono, Chroma::Yuv420] {
        let place = Place::new();
        video(&place, "v.y4m", chroma, 9);
        let fit = place.json("cluster v.y4m --clusters 2 --plot seg.y4m --labels lab.y4m --centers c.csv");
        let told = fit["frames"].as_array().unwrap();
        assert_eq!((told.len(), &told[0]["colors"]), (9, &serde_json::json!(1)));
        assert!(told[1..].iter().all(|frame| frame["stop"] == "converged"));
        // Later frames start where the one before ended: nothing but the square's place has changed.
        let iterations = |i: usize| told[i]["iterations"].as_u64().unwrap();
        assert!((2..9).all(|i| iterations(i) <= iterations(1)), "{told:?}");
        let (segmented, labels) = (frames(&place, "seg.y4m"), frames(&place, "lab.y4m"));
        assert_eq!((segmented.len(), labels.len()), (9, 9));
        assert_eq!(segmented[0], frames(&place, "v.y4m")[0], "a black frame stays as it is");
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
        let said = place.said("cluster v.y4m --clusters 2");
        assert!(
            said.starts_with("v.y4m: 9 frames of 24 × 16 in 2 clusters\n8 of 8 fits converged, after "),
            "{said}"
        );
    }
}

#[test]
fn what_an_image_or_a_video_cannot_have_is_refused_and_nothing_is_written() {
    let place = Place::new();
    grey().write(place.at("g.png")).unwrap();
    colored(4).write(place.at("seen.png")).unwrap();
    video(&place, "v.y4m", Chroma::Mono, 3);
    place.put("empty.y4m", "YUV4MPEG2 W2 H1 F25:1 Cmono\n");
    place.put("cut.y4m", "YUV4MPEG2 W2 H1 F25:1 Cmono\nFRAME\nabFRAME\nc");
    place.put("m.json", "{}");
    let before = place.files();
    for (words, part) in [
        ("g.png --clusters 300 --plot p.png", "300 clusters need at least 300 rows"),
        ("g.png --clusters 0 --plot p.png", "`clusters` is 0"),
        ("g.png --clusters 2 --columns red", "an image cannot be combined with `--columns`"),
        ("g.png --clusters 2 --plot p.bmp", "p.bmp is of no known kind; known are `.png`"),
        ("g.png --clusters 2 --labels l.jpg", "l.jpg is of no known kind; known are `.png`, `.pgm`"),
        ("g.png --clusters 2 --memberships u.png", "u.png is of no known kind; known are `.csv`"),
        ("g.png --clusters 2 --plot nowhere/p.png", "cannot write nowhere/p.png"),
        ("seen.png --clusters 2 --labels l.png --plot p.jpg", "p.jpg"),
        (
            "v.y4m --clusters 2 --plot p.png",
            "p.png is of no known kind; known are `.y4m` for a clustered video",
        ),
        ("v.y4m --clusters 2 --memberships u.csv", "a video cannot be combined with `--memberships`"),
        ("v.y4m --sweep 2..3", "a video cannot be combined with `--sweep`"),
        ("v.y4m --apply m.json", "a video cannot be combined with `--apply`"),
        ("v.y4m --clusters 0 --plot p.y4m", "`clusters` is 0"),
        ("v.y4m --clusters 200 --plot p.y4m", "200 clusters need at least 200 rows, but there are"),
        ("empty.y4m --clusters 2 --plot p.y4m", "empty.y4m holds no frames"),
        ("cut.y4m --clusters 1 --plot p.y4m --labels l.y4m", "it ends within frame 2"),
    ] {
        let output = place.run(&format!("cluster {words}"));
        let complaint = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{words}: {complaint}");
        assert!(complaint.contains(part) && complaint.lines().count() == 1, "{words}: {complaint}");
        assert_eq!(place.files(), before, "{words}");
    }
}

#[test]
fn a_frame_of_as_many_colors_as_clusters_is_clustered() {
    let place = Place::with("two.y4m", "YUV4MPEG2 W2 H1 F25:1 Cmono\nFRAME\nazFRAME\nby");
    let fit = place.json("cluster two.y4m --clusters 2");
    for frame in 0..2 {
        assert_eq!(fit["frames"][frame]["sizes"], serde_json::json!([1.0, 1.0]), "{fit}");
    }
}
