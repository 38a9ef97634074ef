//! Fuzzy clusters of the iris data and of the colors of an image.

use crate::commands::cluster::Cluster;
use crate::commands::common::files::{read_text, write_file};
use crate::commands::tour::guide::{Guide, command_line, read_png};
use crate::commands::tour::landscape;
use crate::page::Section;
use fuzzion::Result;
use fuzzion::plot::{Chart, Figure};

/// The iris data: R. A. Fisher, "The use of multiple measurements in taxonomic problems", 1936.
const IRIS: &str = include_str!("../iris.csv");

pub(crate) fn clusters(guide: &Guide<'_>) -> Result<Section> {
    let (landscape, segmented) = (guide.path("landscape.png"), guide.path("segmented.png"));
    write_file(&guide.path("iris.csv"), IRIS.as_bytes())?;
    landscape::draw()?.write(&landscape)?;

    let paths = ["iris.csv", "iris.svg", "sweep.svg", "landscape.png", "segmented.png"];
    let [iris_arg, scatter_arg, sweep_arg, landscape_arg, segmented_arg] =
        paths.map(|name| guide.argument(name));
    let fit = [iris_arg.as_str(), "--clusters", "3", "--plot", &scatter_arg];
    let sweep = [iris_arg.as_str(), "--sweep", "2..6", "--plot", &sweep_arg];
    let image = [landscape_arg.as_str(), "--clusters", "8", "--plot", &segmented_arg];
    let section = Section::new("Clusters")
        .text(
            "Fuzzy c-means finds clusters in the rows of a table and computes the membership of every row in every cluster. The \
             example is Fisher's iris data: 150 flowers with four measurements each. The species are not used.",
        )
        .command(command_line("cluster", &fit))
        .output(Cluster::output_of(&fit, guide.device)?)
        .figure(
            read_text(&guide.path("iris.svg"))?,
            "The color of each flower is a mixture of the cluster colors, weighted by its memberships.",
        )
        .text("Validity indices compare different numbers of clusters; they need not agree.")
        .command(command_line("cluster", &sweep))
        .output(Cluster::output_of(&sweep, guide.device)?)
        .figure(
            read_text(&guide.path("sweep.svg"))?,
            "Most indices favor two clusters, because two of the three species overlap.",
        );
    let output = Cluster::output_of(&image, guide.device)?;
    let pair = Figure::grid(2)
        .add(Chart::new("original").image(read_png(&landscape)?).size(412.0, 306.0))
        .add(Chart::new("eight colors").image(read_png(&segmented)?).size(412.0, 306.0));
    Ok(section
        .text(
            "The pixels of an image are clustered by color. Pixels of the same color are combined, so that the cost depends on the \
             number of distinct colors only.",
        )
        .command(command_line("cluster", &image))
        .output(output)
        .figure(pair.to_svg(), "A synthetic landscape, and the same with every pixel in the color of its cluster center.")
        .note(
            "The same command clusters videos frame by frame (Y4M) and tables larger than memory, and fits an ellipsoid to each \
             cluster with `--metric gk`.",
        ))
}
