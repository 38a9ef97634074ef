//! Clusters with soft borders, in flowers and in a landscape.

use super::{Guide, landscape, picture};
use crate::commands::cluster::Cluster;
use crate::page::Section;
use fuzzion::data::output::Output;
use fuzzion::plot::{Chart, Figure};
use fuzzion::{Error, Result};
use std::io::Write as _;
use std::path::Path;

/// Fisher's irises: R. A. Fisher, "The use of multiple measurements in taxonomic problems", 1936.
const IRIS: &str = include_str!("iris.csv");

pub(super) fn clusters(guide: &Guide<'_>) -> Result<Section> {
    let at = |name: &str| guide.folder.join(name);
    let (iris, scatter) = (at("iris.csv"), at("iris.svg"));
    let (landscape, segmented) = (at("landscape.png"), at("segmented.png"));
    put(&iris, IRIS.as_bytes())?;
    landscape::draw()?.write(&landscape)?;

    let fit = Command::new(&iris, &["--clusters", "3"], &scatter);
    let sweep = Command::new(&iris, &["--sweep", "2..6"], &at("sweep.svg"));
    let image = Command::new(&landscape, &["--clusters", "8"], &segmented);
    let section = Section::new("Clusters")
        .text(
            "Fuzzy c-means finds groups in the rows of a table and says of every row how far it belongs to each of them. These \
             are Fisher's 150 irises; the program sees four lengths and widths, not the species.",
        )
        .command(fit.line())
        .output(fit.run(guide)?)
        .figure(read(&scatter)?, "Each flower in the mixture of its clusters' colors: between two clusters it is between two colors.")
        .text("How many clusters are there? The indices compare the answers; they need not agree.")
        .command(sweep.line())
        .output(sweep.run(guide)?)
        .figure(read(&at("sweep.svg"))?, "Most indices find that two groups stand apart best: two of the species overlap.");
    let told = image.run(guide)?;
    let pair = Figure::grid(2)
        .add(Chart::new("a landscape").picture(picture(&landscape)?).size(412.0, 306.0))
        .add(Chart::new("in eight colors").picture(picture(&segmented)?).size(412.0, 306.0));
    Ok(section
        .text(
            "The pixels of an image are rows too: red, green and blue. Equal colors count together, so that an image costs as much \
             as it has colors.",
        )
        .command(image.line())
        .output(told)
        .figure(pair.to_svg(), "A drawn landscape, and every pixel in the color of its cluster's center.")
        .note(
            "The same command clusters video frame by frame (Y4M), tables larger than memory, and with ellipsoids of each \
             cluster's own (`--metric gk`).",
        ))
}

/// `fuzzion cluster DATA … --plot OUT`.
struct Command(Vec<String>);

impl Command {
    fn new(data: &Path, words: &[&str], plot: &Path) -> Self {
        let (data, plot) = (data.to_string_lossy().into_owned(), plot.to_string_lossy().into_owned());
        let words = words.iter().map(|word| (*word).to_owned());
        Command(std::iter::once(data).chain(words).chain(["--plot".to_owned(), plot]).collect())
    }

    /// As it is typed.
    fn line(&self) -> String {
        let quoted = |word: &String| if word.contains(' ') { format!("'{word}'") } else { word.clone() };
        format!("fuzzion cluster {}", self.0.iter().map(quoted).collect::<Vec<_>>().join(" "))
    }

    /// What it says.
    fn run(&self, guide: &Guide<'_>) -> Result<String> {
        Cluster::said(&self.0.iter().map(String::as_str).collect::<Vec<_>>(), guide.device)
    }
}

fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut out = Output::create(path)?;
    out.write_all(bytes).map_err(|cause| out.error(cause))?;
    out.finish()
}

fn read(path: &Path) -> Result<String> {
    let refused = |cause| Error::File { doing: "read", path: path.to_path_buf(), cause };
    std::fs::read_to_string(path).map_err(refused)
}
