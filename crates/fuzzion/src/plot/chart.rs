//! Builder of charts.

use super::axis::Axis;
use super::color::ColorMap;
use super::image::Image;
use super::marks::bars::Bars;
use super::marks::heat_map::HeatMap;
use super::marks::{Mark, MarkKind};
use super::svg::Paint;

/// A plot with two axes; series are drawn in the order in which they are added.
///
/// Numbers can have any type that converts to `f64` without loss. A series named `""` has no legend entry.
///
/// ```
/// use fuzzion::plot::Chart;
/// let svg = Chart::new("Objective")
///     .x_label("iteration")
///     .y_label("J")
///     .log_y()
///     .step("cpu", &[1, 2, 3], &[80.0f32, 9.0, 1.0])
///     .to_svg();
/// assert!(svg.contains("Objective") && svg.contains(">10</text>"));
/// ```
///
/// ```
/// use fuzzion::plot::Chart;
/// let x = [0.0, 1.0, 2.0];
/// let svg = Chart::new("Series")
///     .subtitle("with the same axes")
///     .x_range(0.0, 3.0)
///     .area("area", &x, &[0.0, 1.0, 0.0])
///     .band("band", &x, &[0.0; 3], &[0.5; 3])
///     .points("points", &x, &[0.2, 0.9, 0.1])
///     .crosses("centers", &[1.0], &[0.5])
///     .error_bars("errors", &x, &[0.1; 3], &[0.3; 3])
///     .horizontal_line("limit", 0.8).muted()
///     .to_svg();
/// let legend = ["area", "band", "points", "centers", "errors", "limit"];
/// assert!(legend.iter().all(|name| svg.contains(&format!(">{name}</text>"))));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Chart {
    pub(super) title: String,
    pub(super) subtitle: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) marks: Vec<Mark>,
    pub(super) bars: Vec<Bars>,
    pub(super) heat: Option<HeatMap>,
    pub(super) image: Option<Image>,
    pub(super) size: Option<(f64, f64)>,
    pub(super) equal: bool,
}

impl Chart {
    /// An empty chart; without a title if `title` is `""`.
    pub fn new(title: impl Into<String>) -> Self {
        Chart { title: title.into(), ..Chart::default() }
    }

    /// Sets a gray line of text below the title.
    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = subtitle.into();
        self
    }

    /// Sets the label of the horizontal axis.
    pub fn x_label(mut self, label: impl Into<String>) -> Self {
        self.x.label = label.into();
        self
    }

    /// Sets the label of the vertical axis.
    pub fn y_label(mut self, label: impl Into<String>) -> Self {
        self.y.label = label.into();
        self
    }

    /// Sets the range of the horizontal axis; by default the range of the data.
    ///
    /// ```
    /// let svg = fuzzion::plot::Chart::new("").x_range(0.0, 100.0).line("", &[20, 30], &[0, 1]).to_svg();
    /// assert!(svg.contains(">100</text>")); // the last tick
    /// ```
    pub fn x_range(mut self, lower: f64, upper: f64) -> Self {
        self.x.range = Some((lower, upper));
        self
    }

    /// Sets the range of the vertical axis; by default the range of the data.
    pub fn y_range(mut self, lower: f64, upper: f64) -> Self {
        self.y.range = Some((lower, upper));
        self
    }

    /// Makes the horizontal axis logarithmic; values that are not positive become gaps.
    ///
    /// ```
    /// let svg = fuzzion::plot::Chart::new("").log_x().line("", &[1, 1000], &[0, 1]).to_svg();
    /// assert!([1, 10, 100, 1000].iter().all(|tick| svg.contains(&format!(">{tick}</text>"))));
    /// ```
    pub fn log_x(mut self) -> Self {
        self.x.log = true;
        self
    }

    /// Labels only whole numbers on the horizontal axis, for counts.
    ///
    /// ```
    /// let chart = fuzzion::plot::Chart::new("").x_label("rules").line("", &[1, 3], &[0.5, 0.25]);
    /// assert!(chart.clone().to_svg().contains(">1.5</text>"));
    /// assert!(!chart.whole_x().to_svg().contains(">1.5</text>"));
    /// ```
    pub fn whole_x(mut self) -> Self {
        self.x.whole = true;
        self
    }

    /// Makes the vertical axis logarithmic; values that are not positive become gaps.
    pub fn log_y(mut self) -> Self {
        self.y.log = true;
        self
    }

    /// Gives a unit the same length on both axes, so that circles are round; ignored with a logarithmic axis.
    pub fn equal_axes(mut self) -> Self {
        self.equal = true;
        self
    }

    /// Sets the size of the chart in pixels, at least 120 × 90. The default is 760 × 420; the height of bar charts and
    /// images depends on their content.
    ///
    /// ```
    /// let svg = fuzzion::plot::Chart::new("").size(300.0, 200.0).to_svg();
    /// assert!(svg.contains("width=\"300\" height=\"200\""));
    /// ```
    pub fn size(mut self, width: f64, height: f64) -> Self {
        self.size = Some((clamp_size(width, 120.0), clamp_size(height, 90.0)));
        self
    }

    /// Adds a line through the points (x, y).
    pub fn line<N: Copy + Into<f64>, M: Copy + Into<f64>>(self, name: &str, xs: &[N], ys: &[M]) -> Self {
        self.mark(name, MarkKind::Line(pairs(xs, ys)))
    }

    /// Adds a step curve: each y is constant up to the next x.
    pub fn step<N: Copy + Into<f64>, M: Copy + Into<f64>>(self, name: &str, xs: &[N], ys: &[M]) -> Self {
        self.mark(name, MarkKind::Step(pairs(xs, ys)))
    }

    /// Adds a line and fills the area between it and zero.
    pub fn area<N: Copy + Into<f64>, M: Copy + Into<f64>>(self, name: &str, xs: &[N], ys: &[M]) -> Self {
        self.mark(name, MarkKind::Area(pairs(xs, ys)))
    }

    /// Fills the area between two curves, for example of a type-2 set or a confidence band.
    pub fn band<N, M>(self, name: &str, xs: &[N], lower: &[M], upper: &[M]) -> Self
    where
        N: Copy + Into<f64>,
        M: Copy + Into<f64>,
    {
        self.mark(name, MarkKind::Band(triples(xs, lower, upper)))
    }

    /// Adds a round marker at every (x, y).
    pub fn points<N: Copy + Into<f64>, M: Copy + Into<f64>>(self, name: &str, xs: &[N], ys: &[M]) -> Self {
        self.mark(name, MarkKind::Points(pairs(xs, ys)))
    }

    /// Adds larger, outlined crosses, for example for cluster centers among many points.
    pub fn crosses<N: Copy + Into<f64>, M: Copy + Into<f64>>(self, name: &str, xs: &[N], ys: &[M]) -> Self {
        self.mark(name, MarkKind::Crosses(pairs(xs, ys))).paint(Paint::Text)
    }

    /// Adds a scatter plot with colors mixed by memberships; row i of `memberships` has the memberships of sample i in
    /// the named clusters. If their sum is below 1, gray is mixed in; samples between clusters are more transparent.
    ///
    /// ```
    /// use fuzzion::plot::{Chart, Color, palette};
    /// let chart = Chart::new("").membership_points(&["a", "b"], &[0, 1], &[0, 1], &[1.0, 0.0, 0.5, 0.5]);
    /// let mixed = Color::mix([(palette(0).0, 0.5), (palette(1).0, 0.5)]); // of the second sample
    /// assert!(chart.to_svg().contains(&mixed.to_string()));
    /// ```
    pub fn membership_points<N: Copy + Into<f64>, M: Copy + Into<f64>, U: Copy + Into<f64>>(
        self,
        clusters: &[&str],
        xs: &[N],
        ys: &[M],
        memberships: &[U],
    ) -> Self {
        let kind = MarkKind::MembershipPoints {
            points: pairs(xs, ys),
            memberships: memberships.iter().map(|&m| m.into()).collect(),
            clusters: clusters.iter().map(|&name| name.to_owned()).collect(),
        };
        self.mark("", kind)
    }

    /// Adds the ellipse (p − center)ᵀ Σ⁻¹ (p − center) = radius² of a covariance Σ; draws nothing if Σ is not
    /// positive definite.
    ///
    /// ```
    /// let circle = fuzzion::plot::Chart::new("").equal_axes().ellipse("", [5.0, 5.0], [[1.0, 0.0], [0.0, 1.0]], 3.0);
    /// assert!(circle.to_svg().contains(">8</text>")); // the circle ends at 5 + 3
    /// ```
    pub fn ellipse(self, name: &str, center: [f64; 2], covariance: [[f64; 2]; 2], radius: f64) -> Self {
        const CORNERS: u32 = 72;
        // L with Σ = L Lᵀ maps the unit circle to the ellipse.
        let [[xx, xy], [_, yy]] = covariance;
        let l11 = xx.sqrt();
        let l21 = xy / l11;
        let l22 = (yy - l21 * l21).sqrt();
        let corner = |k| {
            let (sin, cos) = (f64::from(k) / f64::from(CORNERS) * std::f64::consts::TAU).sin_cos();
            [center[0] + radius * l11 * cos, center[1] + radius * (l21 * cos + l22 * sin)]
        };
        self.mark(name, MarkKind::Outline((0..CORNERS).map(corner).collect()))
    }

    /// Adds error bars from `lower` to `upper` at every x.
    pub fn error_bars<N, M>(self, name: &str, xs: &[N], lower: &[M], upper: &[M]) -> Self
    where
        N: Copy + Into<f64>,
        M: Copy + Into<f64>,
    {
        self.mark(name, MarkKind::ErrorBars(triples(xs, lower, upper)))
    }

    /// Adds a fuzzy number given by its α-cuts [lower, upper]; an infinite bound is drawn as an arrow at the edge.
    ///
    /// ```
    /// use fuzzion::plot::Chart;
    /// let chart = Chart::new("").alpha_cuts("tri(1, 2, 4)", &[0.0, 0.5, 1.0], &[1.0, 1.5, 2.0], &[4.0, 3.0, 2.0]);
    /// assert!(chart.to_svg().contains(">tri(1, 2, 4)</text>"));
    /// ```
    pub fn alpha_cuts<N, M>(self, name: &str, alphas: &[N], lower: &[M], upper: &[M]) -> Self
    where
        N: Copy + Into<f64>,
        M: Copy + Into<f64>,
    {
        self.mark(name, MarkKind::AlphaCuts(triples(alphas, lower, upper)))
    }

    /// Adds a dashed vertical line at x, for example at a defuzzified output.
    ///
    /// ```
    /// let svg = fuzzion::plot::Chart::new("").line("", &[0, 10], &[0, 1]).vertical_line("mean", 4.0).to_svg();
    /// assert!(svg.contains(">mean</text>"));
    /// ```
    pub fn vertical_line(self, name: &str, x: f64) -> Self {
        self.mark(name, MarkKind::VerticalLine(x))
    }

    /// Adds a dashed horizontal line at y, for example at a limit.
    pub fn horizontal_line(self, name: &str, y: f64) -> Self {
        self.mark(name, MarkKind::HorizontalLine(y))
    }

    /// Adds horizontal bars; bars of different series with the same label are grouped.
    ///
    /// A chart with bars shows no other series.
    ///
    /// ```
    /// let svg = fuzzion::plot::Chart::new("").bars("seconds", &["cpu", "gpu"], &[20.0, 1.5]).to_svg();
    /// assert!([">cpu<", ">gpu<", ">20<", ">1.5<"].iter().all(|text| svg.contains(text)));
    /// ```
    pub fn bars<M: Copy + Into<f64>>(mut self, name: &str, labels: &[impl AsRef<str>], values: &[M]) -> Self {
        let rows = labels.iter().zip(values).map(|(label, &value)| (label.as_ref().to_owned(), value.into()));
        self.bars.push(Bars { name: name.to_owned(), paint: None, rows: rows.collect() });
        self
    }

    /// Sets a heat map over the box `x` × `y`; `values` are in row-major order, with the row of the lowest y first.
    ///
    /// Other series are drawn on top. NaN is transparent.
    ///
    /// ```
    /// use fuzzion::plot::Chart;
    /// let chart = Chart::new("").heat_map(&[0.0, 1.0, 2.0, 3.0], 2, (0.0, 1.0), (0.0, 1.0));
    /// let svg = chart.contours().value_range(0.0, 4.0).value_label("membership").to_svg();
    /// assert!(svg.contains(">4.0</text>") && svg.contains(">membership</text>")); // on the color bar
    /// ```
    pub fn heat_map<M: Copy + Into<f64>>(
        mut self,
        values: &[M],
        columns: usize,
        x: (f64, f64),
        y: (f64, f64),
    ) -> Self {
        let values = values.iter().map(|&value| value.into()).collect();
        let heat = self.heat.take().unwrap_or_default();
        self.heat = Some(HeatMap { values, columns, x, y, ..heat });
        self
    }

    /// Draws contour lines over the heat map at the ticks of its color bar, and interpolates between its cells.
    pub fn contours(mut self) -> Self {
        self.heat_mut().contours = true;
        self
    }

    /// Sets the label of the color bar.
    pub fn value_label(mut self, label: impl Into<String>) -> Self {
        self.heat_mut().axis.label = label.into();
        self
    }

    /// Sets the values of the first and the last color of the heat map; by default the range of the values.
    pub fn value_range(mut self, lower: f64, upper: f64) -> Self {
        self.heat_mut().axis.range = Some((lower, upper));
        self
    }

    /// Sets the colors of the heat map.
    pub fn color_map(mut self, map: ColorMap) -> Self {
        self.heat_mut().map = map;
        self
    }

    /// Shows an image instead of axes and series, as large as its aspect ratio allows.
    pub fn image(mut self, image: Image) -> Self {
        self.image = Some(image);
        self
    }

    /// Sets the color of the last series to palette color `index`.
    ///
    /// ```
    /// use fuzzion::plot::{Chart, palette};
    /// let chart = Chart::new("").line("", &[0, 1], &[0, 1]).color(3);
    /// assert!(chart.to_svg().contains(&palette(3).0.to_string()));
    /// ```
    pub fn color(self, index: usize) -> Self {
        self.paint(Paint::Series(index))
    }

    /// Makes the last series gray, for example a reference line.
    pub fn muted(self) -> Self {
        self.paint(Paint::Axis)
    }

    /// Makes the last curve dashed.
    ///
    /// ```
    /// let svg = fuzzion::plot::Chart::new("").line("", &[0, 1], &[0, 1]).dashed().to_svg();
    /// assert!(svg.contains("stroke-dasharray"));
    /// ```
    pub fn dashed(mut self) -> Self {
        if let Some(mark) = self.marks.last_mut() {
            mark.dashed = true;
        }
        self
    }

    fn paint(mut self, paint: Paint) -> Self {
        // A chart with bars shows only bars.
        if let Some(bars) = self.bars.last_mut() {
            bars.paint = Some(paint);
        } else if let Some(mark) = self.marks.last_mut() {
            mark.paint = Some(paint);
        }
        self
    }

    fn mark(mut self, name: &str, kind: MarkKind) -> Self {
        self.marks.push(Mark { name: name.to_owned(), kind, paint: None, dashed: false });
        self
    }

    fn heat_mut(&mut self) -> &mut HeatMap {
        self.heat.get_or_insert_with(HeatMap::default)
    }
}

fn clamp_size(length: f64, min: f64) -> f64 {
    if length.is_finite() { length.clamp(min, 20_000.0) } else { min }
}

fn pairs<N: Copy + Into<f64>, M: Copy + Into<f64>>(xs: &[N], ys: &[M]) -> Vec<[f64; 2]> {
    xs.iter().zip(ys).map(|(&x, &y)| [x.into(), y.into()]).collect()
}

fn triples<N: Copy + Into<f64>, M: Copy + Into<f64>>(xs: &[N], lower: &[M], upper: &[M]) -> Vec<[f64; 3]> {
    let bounds = lower.iter().zip(upper);
    xs.iter().zip(bounds).map(|(&x, (&lower, &upper))| [x.into(), lower.into(), upper.into()]).collect()
}
