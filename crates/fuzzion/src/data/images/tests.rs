use super::*;
use crate::base::message as message_of;
use crate::data::DataError;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn file(name: &str, content: &[u8]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    (folder, path)
}

fn without_folder(text: &str, folder: &Path) -> String {
    text.replace(&format!("{}/", folder.display()), "")
}

/// A 5 × 3 image with distinct values.
fn image(channels: usize, wide: bool) -> Images {
    let n = 5 * 3 * channels;
    let pixels = if wide {
        Pixels::U16((0..n).map(|i| (i * 1091) as u16).collect())
    } else {
        Pixels::U8((0..n).map(|i| (i * 4) as u8).collect())
    };
    Images::new(5, 3, channels, pixels).unwrap()
}

#[test]
fn lossless_formats_preserve_images() {
    let folder = tempfile::tempdir().unwrap();
    for (name, channels) in
        [("a.png", 1), ("a.png", 3), ("a.png", 4), ("a.pgm", 1), ("a.ppm", 3), ("a.pnm", 1)]
    {
        for wide in [false, true] {
            let path = folder.path().join(name);
            let image = image(channels, wide);
            image.write(&path).unwrap();
            assert_eq!(Images::read(&path).unwrap(), image, "{name} {channels} {wide}");
        }
    }
}

#[test]
fn pnm_files_have_the_standard_binary_layout() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.pgm");
    image(1, true).write(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    assert!(bytes.starts_with(b"P5\n5 3\n65535\n"));
    assert_eq!(bytes[13..17], [0, 0, 4, 67]); // 1091 = 4·256 + 67, big-endian
}

#[test]
fn jpeg_preserves_a_uniform_image_and_rejects_unsupported_ones() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jpg");
    Images::new(16, 16, 1, Pixels::U8(vec![100; 256])).unwrap().write(&path).unwrap();
    let back = Images::read(&path).unwrap();
    let Pixels::U8(values) = back.pixels() else { panic!("8 bits expected") };
    assert!(values.iter().all(|v| v.abs_diff(100) <= 1)); // the mean of a block is rounded once
    let text = image(4, false).write(&path).unwrap_err().to_string();
    assert_eq!(
        without_folder(&text, folder.path()),
        "the image for a.jpg is 5 × 3 with 4 channels of 8 bits, but it must be an image with 1 or 3 channels of 8 bits; write PNG instead"
    );
}

#[test]
fn a_truncated_jpeg_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jpg");
    let pixels = (0..40 * 30).map(|i: u32| (i * i % 251) as u8).collect();
    Images::new(40, 30, 1, Pixels::U8(pixels)).unwrap().write(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    for end in (whole.len() / 3..whole.len()).step_by(7).chain([whole.len() - 1]) {
        std::fs::write(&path, &whole[..end]).unwrap();
        let text = Images::read(&path).unwrap_err().to_string();
        let expected = "a.jpg cannot be read as an image: the file is damaged or truncated; download it or save it again";
        assert_eq!(without_folder(&text, folder.path()), expected, "{end} of {}", whole.len());
    }
    // Trailing bytes are ignored.
    std::fs::write(&path, [&whole[..], &[0, 0, 7]].concat()).unwrap();
    assert_eq!(Images::read(&path).unwrap().width(), 40);
}

#[test]
fn a_folder_is_read_as_a_stack_in_natural_order() {
    let folder = tempfile::tempdir().unwrap();
    for i in [10u8, 9, 1] {
        let image = Images::new(2, 1, 1, Pixels::U8(vec![i, i])).unwrap();
        image.write(folder.path().join(format!("f{i}.png"))).unwrap();
    }
    std::fs::write(folder.path().join("notes.txt"), "not an image").unwrap();
    let stack = Images::read(folder.path()).unwrap();
    assert_eq!(stack.pixels(), &Pixels::U8(vec![1, 1, 9, 9, 10, 10]));
    assert_eq!(stack.frames(), 3);

    let out = folder.path().join("out");
    stack.write(&out).unwrap();
    assert_eq!(Images::read(&out).unwrap(), stack);
    assert_eq!(Images::read(out.join("0003.png")).unwrap(), stack.frame(2).unwrap());

    image(1, false).write(folder.path().join("f11.png")).unwrap();
    let text = Images::read(folder.path()).unwrap_err().to_string();
    assert_eq!(
        without_folder(&text, folder.path()),
        "f11.png is 5 × 3 with 1 channel of 8 bits, but it must be 2 × 1 with 1 channel of 8 bits like the previous images"
    );
    assert!(stack.write(folder.path().join("one.png")).unwrap_err().to_string().contains("specify a folder"));
}

#[test]
fn a_small_file_with_a_huge_image_size_is_rejected() {
    let (_folder, path) = file("a.ppm", b"P6\n60000 60000\n255\nabc");
    assert!(Images::read(&path).unwrap_err().to_string().contains("cannot be read as an image"));
    let mut png = Vec::new();
    crate::data::encode_png(&mut png, (2, 2), 1, &[0; 4]).unwrap();
    png[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]); // width and height 60,000
    let crc = flate2::Crc::new();
    let sum = {
        let mut crc = crc;
        crc.update(&png[12..29]);
        crc.sum()
    };
    png[29..33].copy_from_slice(&sum.to_be_bytes());
    let (_folder, path) = file("a.png", &png);
    let text = Images::read(&path).unwrap_err().to_string();
    assert!(
        text.ends_with(&format!(
            "a.png cannot be read as an image: 60000 × 60000 pixels are too many for a file of {} bytes or for 8 GiB of \
             memory; check if it is damaged",
            png.len()
        )),
        "{text}"
    );
}

#[test]
fn damaged_images_are_reported() {
    let message = |name: &str, content: &[u8]| {
        let (folder, path) = file(name, content);
        without_folder(&Images::read(&path).unwrap_err().to_string(), folder.path())
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.png");
    image(3, false).write(&path).unwrap();
    let png = std::fs::read(&path).unwrap();
    assert_eq!(
        message("a.png", &png[..png.len() / 2]),
        "a.png cannot be read as an image: the file is damaged or truncated; download it or save it again"
    );
    assert_eq!(
        message("a.png", b"hello"),
        "a.png cannot be read as an image: the file is not PNG, JPEG, PGM or PPM; save it as PNG"
    );
}

#[cfg(unix)]
#[test]
fn an_endless_file_is_rejected_by_its_first_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["z.png", "z.csv", "z.y4m"] {
        let path = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        let opened = crate::data::ReadTable::new().open_any(&path);
        assert!(matches!(opened, Err(DataError::Malformed { .. })), "{name}");
    }
}

#[test]
fn invalid_shapes_are_rejected() {
    let message = |w, h, c, n| Images::new(w, h, c, Pixels::U8(vec![0; n])).unwrap_err().to_string();
    assert_eq!(message(2, 2, 2, 8), "the number of channels is 2, but it must be 1, 3 or 4");
    assert_eq!(message(0, 2, 1, 0), "the size of a frame is 0 × 2, but it must be at least 1 × 1");
    assert_eq!(message(2, 2, 1, 7), "the number of values is 7, but it must be a multiple of 2 × 2 × 1");
    assert_eq!(
        message_of(&Images::read("picture.gif").unwrap_err()),
        "cannot read picture.gif: the file does not exist; check its path"
    );
}

fn frame(header: &VideoHeader, seed: usize) -> Frame {
    let planes = header.planes().into_iter().map(|(w, h)| {
        let values = (0..w * h).map(|i| i * 7 + seed);
        if header.bits() > 8 {
            Pixels::U16(values.map(|v| (v % 1024) as u16).collect())
        } else {
            Pixels::U8(values.map(|v| (v % 256) as u8).collect())
        }
    });
    Frame { planes: planes.collect(), parameters: String::new() }
}

#[test]
fn all_video_formats_are_copied_byte_for_byte() {
    // Bytes of a 5 × 3 frame, computed by hand: 15 luma; 420: 2·(3·2), 411: 2·(2·3), 422: 2·(3·3), 444: 2·15.
    for (tag, bytes) in [
        ("", 27),
        (" C420jpeg", 27),
        (" C420mpeg2", 27),
        (" C420paldv XYSCSS=420PALDV", 27),
        (" C411", 27),
        (" C422", 33),
        (" C444", 45),
        (" C444alpha", 60),
        (" Cmono", 15),
        (" C420p10 XYSCSS=420P10", 54),
        (" C422p12", 66),
        (" C444p16", 90),
        (" Cmono10", 30),
    ] {
        let mut content = format!("YUV4MPEG2 W5 H3 F30000:1001 Ip A1:1{tag} XCOLORRANGE=FULL\n").into_bytes();
        for (i, line) in ["FRAME\n", "FRAME Ixyz\n"].into_iter().enumerate() {
            content.extend_from_slice(line.as_bytes());
            content.extend((0..bytes).map(|b| (b * 3 + i) as u8));
        }
        let (folder, path) = file("in.y4m", &content);
        let mut reader = VideoReader::open(&path).unwrap();
        assert!((reader.header().frames_per_second().unwrap() - 29.97).abs() < 0.001);
        let out = folder.path().join("out.y4m");
        let mut writer = VideoWriter::create(&out, reader.header()).unwrap();
        while let Some(frame) = reader.next().unwrap() {
            writer.write(&frame).unwrap();
        }
        assert_eq!(reader.frames(), 2, "{tag}");
        assert!(!out.exists());
        writer.finish().unwrap();
        assert_eq!(std::fs::read(&out).unwrap(), content, "{tag}");
    }
}

#[test]
fn batches_with_reused_memory_contain_the_frames_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let mut batch = FrameBatch::default(); // also reused for videos of other sizes and depths
    for (chroma, bits) in [(Chroma::Yuv420, 8), (Chroma::Mono, 8), (Chroma::Yuv444, 10), (Chroma::Mono, 16)] {
        let (path, copy) = (folder.path().join("v.y4m"), folder.path().join("copy.y4m"));
        let header = VideoHeader::new(7, 5, chroma, bits, (25, 1)).unwrap();
        let mut writer = VideoWriter::create(&path, &header).unwrap();
        (0..8).for_each(|i| writer.write(&frame(&header, i)).unwrap());
        writer.finish().unwrap();
        let (mut reader, mut writer) =
            (VideoReader::open(&path).unwrap(), VideoWriter::create(&copy, &header).unwrap());
        let mut first = 0;
        for frames in [3, 1, 3, 1] {
            batch.clear();
            (0..frames).for_each(|_| assert!(reader.read_into(&mut batch).unwrap()));
            assert_eq!(batch.frames(), frames);
            writer.write_batch(&batch).unwrap();
            let luma = batch.take_plane(0);
            let stack = Images::new(7, 5, 1, luma.clone()).unwrap();
            assert_eq!(stack.frames(), frames);
            for i in 0..frames {
                let expected = &frame(&header, first + i).planes[0];
                assert_eq!(stack.frame(i).unwrap().pixels(), expected);
            }
            batch.set_plane(0, luma);
            first += frames;
        }
        assert!(!reader.read_into(&mut batch).unwrap());
        writer.finish().unwrap();
        assert_eq!(std::fs::read(&copy).unwrap(), std::fs::read(&path).unwrap());
        let other = VideoHeader::new(5, 7, Chroma::Yuv422, bits, (25, 1)).unwrap();
        let mut writer = VideoWriter::create(&copy, &other).unwrap();
        assert!(matches!(writer.write_batch(&batch), Err(DataError::ImageShape { .. })));
    }
}

#[test]
fn an_incomplete_frame_does_not_change_the_frames_before_it() {
    let bytes: &[u8] = b"YUV4MPEG2 W2 H2 Cmono\nFRAME\nabcdFRAME\nef";
    let mut reader = VideoReader::from_reader("pipe", bytes).unwrap();
    let mut batch = FrameBatch::default();
    assert!(reader.read_into(&mut batch).unwrap());
    let error = reader.read_into(&mut batch).unwrap_err().to_string();
    assert!(error.ends_with("the file ends within frame 2; download it or save it again"), "{error}");
    assert_eq!((batch.frames(), batch.take_plane(0)), (1, Pixels::U8(b"abcd".to_vec())));
}

#[test]
fn only_images_of_the_same_shape_can_be_stacked() {
    let image =
        |value: u8, width: usize| Images::new(width, 2, 1, Pixels::U8(vec![value; 2 * width])).unwrap();
    let stack = Images::stack([image(1, 3), image(2, 3), image(3, 3)]).unwrap();
    assert_eq!((stack.frames(), stack.frame(1)), (3, Some(image(2, 3))));
    let error = |images: Vec<Images>| Images::stack(images).unwrap_err().to_string();
    assert_eq!(
        error(vec![image(1, 3), image(2, 3), image(3, 4)]),
        "image 3 is 4 × 2 with 1 channel of 8 bits, but it must be 3 × 2 with 1 channel of 8 bits like the previous images"
    );
    assert_eq!(error(Vec::new()), "the number of images is 0, but it must be at least 1");
}

#[test]
fn a_new_video_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    for chroma in [Chroma::Mono, Chroma::Yuv420, Chroma::Yuv422, Chroma::Yuv444] {
        for bits in [8, 10, 16] {
            let path = folder.path().join("v.y4m");
            let header = VideoHeader::new(7, 5, chroma, bits, (25, 1)).unwrap();
            let mut writer = VideoWriter::create(&path, &header).unwrap();
            (0..3).for_each(|i| writer.write(&frame(&header, i)).unwrap());
            writer.finish().unwrap();
            let bytes = std::fs::read(&path).unwrap();
            let mut reader = VideoReader::from_reader("pipe", std::io::Cursor::new(bytes)).unwrap();
            assert_eq!((reader.header().chroma(), reader.header().bits()), (chroma, bits));
            (0..3).for_each(|i| assert_eq!(reader.next().unwrap(), Some(frame(&header, i))));
            assert_eq!(reader.next().unwrap(), None);
        }
    }
    assert!(VideoHeader::new(0, 5, Chroma::Mono, 8, (25, 1)).is_err());
    assert!(VideoHeader::new(5, 5, Chroma::Yuv411, 10, (25, 1)).is_err());
}

#[test]
fn damaged_videos_are_reported() {
    let message = |content: &[u8]| {
        let (folder, path) = file("v.y4m", content);
        let error = match VideoReader::open(&path) {
            Err(e) => e,
            Ok(mut reader) => reader.next().unwrap_err(),
        };
        without_folder(&error.to_string(), folder.path())
    };
    let start = "v.y4m cannot be read as Y4M video: ";
    assert_eq!(message(b"RIFF\n"), format!("{start}the file does not start with `YUV4MPEG2`"));
    assert_eq!(message(b""), format!("{start}the file does not start with `YUV4MPEG2`"));
    assert_eq!(message(b"YUV4MPEG2 H3\n"), format!("{start}the header has no width (`W`)"));
    assert_eq!(
        message(b"YUV4MPEG2 W99999 H3\n"),
        format!("{start}the width is `99999`, but it must be between 1 and 65536")
    );
    assert_eq!(
        message(b"YUV4MPEG2 W2 H2 Cmono\nFRAME\nabc"),
        format!("{start}the file ends within frame 1; download it or save it again")
    );
    assert_eq!(
        message(b"YUV4MPEG2 W2 H2 Cmono\nFRANK\nabcd"),
        format!("{start}frame 1 does not start with `FRAME`")
    );
    assert_eq!(
        message(b"YUV4MPEG2 W2 H2 C999\n"),
        format!(
            "{start}unsupported chroma `999`; supported: mono, 411, 420, 422, 444, and variants such as mono10, 420p10 and 422p12"
        )
    );
}

#[test]
fn a_frame_of_another_size_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let header = VideoHeader::new(4, 4, Chroma::Mono, 8, (25, 1)).unwrap();
    let mut writer = VideoWriter::create(folder.path().join("v.y4m"), &header).unwrap();
    let small = VideoHeader::new(2, 2, Chroma::Mono, 8, (25, 1)).unwrap();
    assert_eq!(
        writer.write(&frame(&small, 0)).unwrap_err().to_string(),
        "the size of the frame's planes is 4 values of 8 bits, but it must be that of the header `YUV4MPEG2 W4 H4 F25:1 Ip A1:1 Cmono`"
    );
    drop(writer);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

proptest! {
    #[test]
    fn a_damaged_image_or_video_never_panics(
        kind in 0usize..4, changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..5),
        end in any::<prop::sample::Index>(), cut: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let name = ["a.png", "a.jpg", "a.ppm", "a.y4m"][kind];
        let path = folder.path().join(name);
        if kind < 3 {
            image(3, false).write(&path).unwrap();
        } else {
            let header = VideoHeader::new(3, 3, Chroma::Yuv420, 10, (25, 1)).unwrap();
            let mut writer = VideoWriter::create(&path, &header).unwrap();
            writer.write(&frame(&header, 1)).unwrap();
            writer.finish().unwrap();
        }
        let mut bytes = std::fs::read(&path).unwrap();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if cut {
            bytes.truncate(end.index(bytes.len()));
        }
        std::fs::write(&path, &bytes).unwrap();
        let _ = Images::read(&path);
        if let Ok(mut reader) = VideoReader::open(&path) {
            while let Ok(Some(_)) = reader.next() {}
        }
    }
}
