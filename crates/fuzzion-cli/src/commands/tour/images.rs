//! A fuzzy system for every pixel: edges and noise.

use super::{Guide, line, picture};
use crate::commands::edges::Edges;
use crate::commands::image::Image;
use crate::page::Section;
use fuzzion::Result;
use fuzzion::data::Images;
use fuzzion::inference::image::sample;
use fuzzion::plot::Chart;
use std::path::Path;

const SIZE: (usize, usize) = (480, 320);
/// The part of the pixels that noise spoils.
const SHARE: f64 = 0.1;

pub(super) fn images(guide: &Guide<'_>) -> Result<Section> {
    let at = |name: &str| guide.folder.join(name);
    let names = ["still-life.png", "edges.png", "thin.png", "faint.png", "noisy.png", "denoised.png"];
    let [input, edges, thin, faint, noisy, denoised] = names.map(at);
    let clean = sample::picture(SIZE.0, SIZE.1)?;
    clean.write(&input)?;
    let mut spoiled = clean.clone();
    sample::salt_and_pepper(&mut spoiled, SHARE, 7)?;
    spoiled.write(&noisy)?;

    let paths = [&input, &edges, &thin, &faint, &noisy, &denoised];
    let [i, e, t, f, n, d] = paths.map(|path| path.to_string_lossy());
    let find = [i.as_ref(), e.as_ref()];
    let lines = [i.as_ref(), t.as_ref(), "--thin"];
    let more = [i.as_ref(), f.as_ref(), "--thin", "--threshold", "24"];
    let clean_up = ["--system", "fire-denoise", n.as_ref(), d.as_ref()];
    let said = [
        Edges::said(&find, guide.device)?,
        Edges::said(&lines, guide.device)?,
        Edges::said(&more, guide.device)?,
        Image::said(&clean_up, guide.device)?,
    ];
    let against = |path: &Path| -> Result<String> {
        Ok(format!("{:.1} dB", sample::psnr(&clean, &Images::read(path)?)?))
    };
    let [before, after] = [against(&noisy)?, against(&denoised)?];
    Ok(Section::new("Pictures")
        .text(
            "A fuzzy system can look at the window around a pixel and say what the pixel should be. FIRE finds edges with nine \
             rules: eight of them say that one side is brighter and the other darker, one for each direction, and the last one \
             says that otherwise the paper stays white. The fainter an edge, the lighter its line.",
        )
        .command(line("edges", &find))
        .output(&said[0])
        .command(line("edges", &lines))
        .output(&said[1])
        .command(line("edges", &more))
        .output(&said[2])
        .gallery(
            vec![
                shown(&input, "drawn by code")?,
                shown(&edges, "its edges")?,
                shown(&thin, "one pixel wide")?,
                shown(&faint, "the fainter ones too")?,
            ],
            "A still life, how far each of its pixels is an edge, and the same as lines; a lower threshold finds fainter ones.",
        )
        .text(
            "Another system takes out impulses: where all pixels of one of thirteen masks are brighter than the one in the middle, \
             that one is raised, and where all are darker it is lowered. One pixel of ten is black or white here:",
        )
        .command(line("image", &clean_up))
        .output(&said[3])
        .gallery(
            vec![
                shown(&noisy, &format!("noisy: {before}"))?,
                shown(&denoised, &format!("denoised: {after}"))?,
            ],
            "How close each is to the picture without noise, as its peak signal-to-noise ratio.",
        )
        .note(
            "The systems are files: `fuzzion show fire-edges` prints one, `fuzzion convert fire-edges mine.fll` makes one to change. \
             Video comes and goes through pipes: `ffmpeg -i film.mp4 -f yuv4mpegpipe - | fuzzion edges - - | ffplay -`.",
        ))
}

/// A picture with its title, two to a row.
fn shown(path: &Path, title: &str) -> Result<String> {
    Ok(Chart::new(title).picture(picture(path)?).size(404.0, 300.0).to_svg())
}
