//! Fuzzy systems on every pixel: edge detection and noise removal.

use crate::commands::images::{Edges, Image};
use crate::commands::tour::guide::{Guide, command_line, read_png};
use crate::page::Section;
use fuzzion::Result;
use fuzzion::data::Images;
use fuzzion::inference::image::sample;
use fuzzion::plot::Chart;
use std::path::Path;

const SIZE: (usize, usize) = (480, 320);
/// Fraction of noisy pixels.
const NOISE: f64 = 0.1;

pub(crate) fn images(guide: &Guide<'_>) -> Result<Section> {
    let names = ["still-life.png", "edges.png", "thin.png", "faint.png", "noisy.png", "denoised.png"];
    let [input, edges, thin, faint, noisy, denoised] = names.map(|name| guide.path(name));
    let clean = sample::still_life(SIZE.0, SIZE.1)?;
    clean.write(&input)?;
    let mut with_noise = clean.clone();
    sample::salt_and_pepper(&mut with_noise, NOISE, 7)?;
    with_noise.write(&noisy)?;

    let paths = [&input, &edges, &thin, &faint, &noisy, &denoised];
    let [i, e, t, f, n, d] = paths.map(|path| path.to_string_lossy());
    let default_args = [i.as_ref(), e.as_ref()];
    let thin_args = [i.as_ref(), t.as_ref(), "--thin"];
    let faint_args = [i.as_ref(), f.as_ref(), "--thin", "--threshold", "24"];
    let denoise_args = ["--system", "fire-denoise", n.as_ref(), d.as_ref()];
    let outputs = [
        Edges::output_of(&default_args, guide.device)?,
        Edges::output_of(&thin_args, guide.device)?,
        Edges::output_of(&faint_args, guide.device)?,
        Image::output_of(&denoise_args, guide.device)?,
    ];
    let psnr = |path: &Path| -> Result<String> {
        Ok(format!("{:.1} dB", sample::psnr(&clean, &Images::read(path)?)?))
    };
    let [before, after] = [psnr(&noisy)?, psnr(&denoised)?];
    Ok(Section::new("Images")
        .text(
            "A fuzzy system can compute the new value of a pixel from the window around it. FIRE detects edges with nine rules: \
             eight rules detect a brightness step in one direction each, and an else rule keeps all other pixels white. Weaker \
             edges give lighter lines.",
        )
        .command(command_line("edges", &default_args))
        .output(&outputs[0])
        .command(command_line("edges", &thin_args))
        .output(&outputs[1])
        .command(command_line("edges", &faint_args))
        .output(&outputs[2])
        .gallery(
            vec![
                chart(&input, "original")?,
                chart(&edges, "edges")?,
                chart(&thin, "thinned")?,
                chart(&faint, "lower threshold")?,
            ],
            "A synthetic still life, its edges, the edges thinned to one pixel, and the same with a lower threshold, which detects \
             weaker edges.",
        )
        .text(
            "Another system removes impulse noise: if all pixels of one of thirteen masks are brighter than the center pixel, it is \
             brightened; if all are darker, it is darkened. In this example 10 % of the pixels are black or white:",
        )
        .command(command_line("image", &denoise_args))
        .output(&outputs[3])
        .gallery(
            vec![
                chart(&noisy, &format!("noisy: {before}"))?,
                chart(&denoised, &format!("denoised: {after}"))?,
            ],
            "The noisy and the denoised image with their peak signal-to-noise ratio (PSNR).",
        )
        .note(
            "`fuzzion show fire-edges` prints the system, and `fuzzion convert fire-edges mine.fll` saves it as a file to change. \
             Videos can be piped: `ffmpeg -i film.mp4 -f yuv4mpegpipe - | fuzzion edges - - | ffplay -`.",
        ))
}

/// An image with a title, sized for two per row.
fn chart(path: &Path, title: &str) -> Result<String> {
    Ok(Chart::new(title).image(read_png(path)?).size(404.0, 300.0).to_svg())
}
