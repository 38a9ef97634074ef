//! `fuzzion edges` on videos: files, pipes and truncated input.

use crate::common::{TestDir, interrupt, poll_until, text};
use fuzzion::data::{Chroma, Frame, Pixels, VideoHeader, VideoReader, VideoWriter};
use fuzzion::inference::image::Operator;
use fuzzion::{Device, Images};
use std::io::{Read as _, Write as _};
use std::process::{Output, Stdio};
use std::sync::LazyLock;

const WIDTH: usize = 21;
const HEIGHT: usize = 14;

/// Frame `i` of a video: a bright square that moves over a dark background, with changing colors.
fn frame(header: &VideoHeader, i: usize) -> Frame {
    let white = (1usize << header.bits()) - 1;
    let value = |plane: usize, width: usize, k: usize| {
        let (x, y) = (k % width, k / width);
        let inside = (3 + i % 5..10 + i % 5).contains(&x) && (3..9).contains(&y);
        match plane {
            0 if inside => white * 4 / 5 - k % 3,
            0 => white / 9 + k % 4,
            _ => white / 3 + (k + i + plane) % 7,
        }
    };
    let planes = header.planes().into_iter().enumerate().map(|(plane, (width, height))| {
        let values = (0..width * height).map(|k| value(plane, width, k));
        if header.bits() == 8 {
            Pixels::U8(values.map(|v| v as u8).collect())
        } else {
            Pixels::U16(values.map(|v| v as u16).collect())
        }
    });
    Frame { planes: planes.collect(), parameters: String::new() }
}

fn header(chroma: Chroma, bits: u32) -> VideoHeader {
    VideoHeader::new(WIDTH, HEIGHT, chroma, bits, (30, 1)).unwrap()
}

/// Writes a video and returns its bytes.
fn video(dir: &TestDir, name: &str, header: &VideoHeader, frames: usize) -> Vec<u8> {
    let mut out = VideoWriter::create(dir.join(name), header).unwrap();
    (0..frames).for_each(|i| out.write(&frame(header, i)).unwrap());
    out.finish().unwrap();
    dir.read(name)
}

/// The edges of a plane computed by the library; planes of more than 8 bits are scaled to 16 bits and back.
fn edges(plane: &Pixels, bits: u32) -> Vec<f64> {
    let white = f64::from((1u32 << bits) - 1);
    let pixels = match plane {
        Pixels::U8(values) => Pixels::U8(values.clone()),
        Pixels::U16(values) => {
            Pixels::U16(values.iter().map(|v| (f64::from(*v) / white * 65_535.0).round() as u16).collect())
        }
    };
    static OPERATOR: LazyLock<Operator> = LazyLock::new(|| Operator::edges(64.0, 16.0).unwrap());
    let image = Images::new(WIDTH, HEIGHT, 1, pixels).unwrap();
    match OPERATOR.apply(&image, &Device::cpu().unwrap()).unwrap().into_pixels() {
        Pixels::U8(values) => values.iter().map(|v| f64::from(*v)).collect(),
        Pixels::U16(values) => values.iter().map(|v| (f64::from(*v) / 65_535.0 * white).round()).collect(),
    }
}

fn numbers(plane: &Pixels) -> Vec<f64> {
    match plane {
        Pixels::U8(values) => values.iter().map(|v| f64::from(*v)).collect(),
        Pixels::U16(values) => values.iter().map(|v| f64::from(*v)).collect(),
    }
}

#[test]
fn the_operator_changes_brightness_and_chroma_becomes_neutral_or_stays() {
    let dir = TestDir::new();
    for (chroma, bits) in [
        (Chroma::Mono, 8),
        (Chroma::Yuv420, 8),
        (Chroma::Yuv422, 10),
        (Chroma::Yuv444, 16),
        (Chroma::Yuv444Alpha, 8),
    ] {
        let header = header(chroma, bits);
        video(&dir, "a.y4m", &header, 70); // more than one batch
        for color in [false, true] {
            dir.output_of(if color { "edges a.y4m b.y4m --color" } else { "edges a.y4m b.y4m" });
            let mut made = VideoReader::open(dir.join("b.y4m")).unwrap();
            assert_eq!(made.header(), &header);
            for i in 0..70 {
                let (before, after) = (frame(&header, i), made.next().unwrap().unwrap());
                let wanted = edges(&before.planes[0], bits);
                assert_eq!(numbers(&after.planes[0]), wanted, "{chroma:?} {bits} frame {i}");
                for plane in 1..before.planes.len() {
                    if color || plane == 3 {
                        assert_eq!(after.planes[plane], before.planes[plane]);
                    } else {
                        let neutral = f64::from(1u32 << (bits - 1));
                        assert!(numbers(&after.planes[plane]).iter().all(|v| *v == neutral));
                    }
                }
            }
            assert_eq!(made.next().unwrap(), None);
        }
    }
}

/// Runs `fuzzion` with these args and `input` on standard input.
fn piped(dir: &TestDir, args: &str, input: &[u8]) -> Output {
    let mut command = dir.command(args);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let feeding = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = feeding.join().unwrap(); // writing fails if the program ends early
    output
}

#[test]
fn piped_output_contains_only_the_video() {
    let dir = TestDir::new();
    let bytes = video(&dir, "a.y4m", &header(Chroma::Yuv420, 8), 9);
    dir.output_of("edges a.y4m b.y4m");
    let output = piped(&dir, "edges - -", &bytes);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", text(&output.stderr));
    assert_eq!(output.stdout, dir.read("b.y4m"));
    let summary: serde_json::Value =
        serde_json::from_slice(&piped(&dir, "edges - c.y4m --json", &bytes).stdout).unwrap();
    assert_eq!(
        (&summary["frames"], &summary["width"], &summary["height"]),
        (&9.into(), &WIDTH.into(), &HEIGHT.into())
    );
    assert_eq!(dir.read("c.y4m"), dir.read("b.y4m"));
}

#[test]
fn images_can_be_piped() {
    let dir = TestDir::new();
    let header = header(Chroma::Mono, 8);
    let plane = frame(&header, 0).planes.remove(0);
    Images::new(WIDTH, HEIGHT, 1, plane.clone()).unwrap().write(dir.join("a.png")).unwrap();
    let output = piped(&dir, "edges - -", &dir.read("a.png"));
    dir.write("b.png", &output.stdout);
    let made = Images::read(dir.join("b.png")).unwrap().into_pixels();
    assert_eq!(numbers(&made), edges(&plane, 8));
}

#[test]
fn a_truncated_video_is_reported_and_leaves_no_file() {
    let dir = TestDir::new();
    let header = header(Chroma::Yuv420, 8);
    let bytes = video(&dir, "a.y4m", &header, 4);
    dir.write("cut.y4m", &bytes[..bytes.len() - 10]);
    let first = bytes.iter().position(|b| *b == b'\n').unwrap();
    dir.write("empty.y4m", &bytes[..=first]);
    dir.write("bad.y4m", b"YUV4MPEG2 H3\n");
    let before = dir.files();
    for (args, message) in [
        (
            "edges cut.y4m out.y4m",
            "cut.y4m cannot be read as Y4M video: the file ends within frame 4; download it or save it again",
        ),
        ("edges empty.y4m out.y4m", "empty.y4m contains no frames; at least one is required"),
        ("edges bad.y4m out.y4m", "bad.y4m cannot be read as Y4M video: the header has no width (`W`)"),
        ("edges a.y4m out.png", "out.png: unsupported format; supported formats: `.y4m` for a video"),
    ] {
        let output = dir.run(args);
        assert_eq!(output.status.code(), Some(1), "{args}");
        assert_eq!(text(&output.stderr), format!("fuzzion: {message}\n"));
        assert_eq!(dir.files(), before, "{args}");
    }
    // The complete frames are written to the pipe.
    let output = piped(&dir, "edges - -", &bytes[..bytes.len() - 10]);
    assert_eq!(output.status.code(), Some(1));
    let mut made = VideoReader::from_reader("pipe", std::io::Cursor::new(output.stdout)).unwrap();
    while made.next().unwrap().is_some() {}
    assert_eq!(made.frames(), 3);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_leaves_no_partial_video() {
    let dir = TestDir::new();
    let bytes = video(&dir, "a.y4m", &header(Chroma::Yuv420, 8), 4);
    let mut command = dir.command("edges - out.y4m");
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut open = child.stdin.take().unwrap();
    open.write_all(&bytes).unwrap();
    open.flush().unwrap();
    poll_until("the output exists", || dir.files().len() == 2);
    interrupt(&child, 0.0);
    let status = child.wait().unwrap();
    let mut printed = String::new();
    child.stderr.take().unwrap().read_to_string(&mut printed).unwrap();
    assert_eq!((status.code(), printed.as_str()), (Some(130), "fuzzion: interrupted\n"));
    assert_eq!(dir.files(), ["a.y4m"]);
}
