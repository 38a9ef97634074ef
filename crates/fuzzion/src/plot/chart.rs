//! The chart as its caller builds it.

use super::axis::Axis;
use super::bars::Bars;
use super::color::ColorMap;
use super::heatmap::HeatMap;
use super::marks::{Mark, Shape};
use super::picture::Picture;
use super::svg::Ink;

/// A frame with two axes and what is drawn in it, in the order of the calls.
///
/// Numbers may be anything that turns into `f64` without loss. A series named `""` has no entry in the
/// legend.
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
#[derive(Clone, Debug, Default)]
pub struct Chart {
    pub(super) title: String,
    pub(super) subtitle: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) marks: Vec<Mark>,
    pub(super) bars: Vec<Bars>,
    pub(super) heat: Option<HeatMap>,
    pub(super) picture: Option<Picture>,
    pub(super) size: Option<(f64, f64)>,
    pub(super) equal: bool,
}

impl Chart {
    /// An empty chart under a title (or none, where the title is `""`).
    pub fn new(title: impl Into<String>) -> Self {
        Chart { title: title.into(), ..Chart::default() }
    }

    /// A quieter line below the title: the machine, the settings, which direction is better.
    pub fn subtitle(mut self, subtitle: impl Into<String>) -> Self {
        self.subtitle = subtitle.into();
        self
    }

    /// What the horizontal axis measures.
    pub fn x_label(mut self, label: impl Into<String>) -> Self {
        self.x.label = label.into();
        self
    }

    /// What the vertical axis measures.
    pub fn y_label(mut self, label: impl Into<String>) -> Self {
        self.y.label = label.into();
        self
    }

    /// Shows x from `lower` to `upper` instead of what the data span.
    pub fn x_range(mut self, lower: f64, upper: f64) -> Self {
        self.x.range = Some((lower, upper));
        self
    }

    /// Shows y from `lower` to `upper` instead of what the data span.
    pub fn y_range(mut self, lower: f64, upper: f64) -> Self {
        self.y.range = Some((lower, upper));
        self
    }

    /// Makes the horizontal axis logarithmic; values that are not positive become gaps.
    pub fn log_x(mut self) -> Self {
        self.x.log = true;
        self
    }

    /// Makes the vertical axis logarithmic; values that are not positive become gaps.
    pub fn log_y(mut self) -> Self {
        self.y.log = true;
        self
    }

    /// Makes a unit equally long on both axes (linear ones), so that circles are round.
    pub fn equal_axes(mut self) -> Self {
        self.equal = true;
        self
    }

    /// The size of the whole chart in pixels, at least 120 × 90; else 760 × 420, and for bars as high as needed.
    pub fn size(mut self, width: f64, height: f64) -> Self {
        self.size = Some((clamp_size(width, 120.0), clamp_size(height, 90.0)));
        self
    }

    /// A curve through the points (x, y).
    pub fn line<N: Copy + Into<f64>, M: Copy + Into<f64>>(self, name: &str, xs: &[N], ys: &[M]) -> Self {
        self.mark(name, Shape::Line(pairs(xs, ys)))
    }

    /// A curve that keeps each y up to the next x.
    pub fn step<N: Copy + Into<f64>, M: Copy + Into<f64>>(self, name: &str, xs: &[N], ys: &[M]) -> Self {
        self.mark(name, Shape::Step(pairs(xs, ys)))
    }

    /// A curve with the surface below it filled down to zero.
    pub fn area<N: Copy + Into<f64>, M: Copy + Into<f64>>(self, name: &str, xs: &[N], ys: &[M]) -> Self {
        self.mark(name, Shape::Area(pairs(xs, ys)))
    }

    /// The surface between two curves, as of a type-2 set or a confidence region.
    pub fn band<N, M>(self, name: &str, xs: &[N], lower: &[M], upper: &[M]) -> Self
    where
        N: Copy + Into<f64>,
        M: Copy + Into<f64>,
    {
        self.mark(name, Shape::Band(triples(xs, lower, upper)))
    }

    /// A round marker at every (x, y).
    pub fn points<N: Copy + Into<f64>, M: Copy + Into<f64>>(self, name: &str, xs: &[N], ys: &[M]) -> Self {
        self.mark(name, Shape::Points(pairs(xs, ys)))
    }

    /// Larger rimmed crosses, for the few that must be found among many points, such as cluster centers.
    pub fn crosses<N: Copy + Into<f64>, M: Copy + Into<f64>>(self, name: &str, xs: &[N], ys: &[M]) -> Self {
        self.mark(name, Shape::Crosses(pairs(xs, ys))).ink(Ink::Text)
    }

    /// Markers coloured by the mixture of their memberships: row i of `memberships` holds those of sample i in
    /// each of the named clusters. What they lack to 1 is grey, and a sample between clusters is paler than one of them.
    pub fn mixture<N: Copy + Into<f64>, M: Copy + Into<f64>, U: Copy + Into<f64>>(
        self,
        clusters: &[&str],
        xs: &[N],
        ys: &[M],
        memberships: &[U],
    ) -> Self {
        let shape = Shape::Mixture {
            points: pairs(xs, ys),
            memberships: memberships.iter().map(|&m| m.into()).collect(),
            clusters: clusters.iter().map(|&name| name.to_owned()).collect(),
        };
        self.mark("", shape)
    }

    /// The ellipse (p − center)ᵀ Σ⁻¹ (p − center) = radius² of a covariance Σ; nothing where Σ is not positive.
    pub fn ellipse(self, name: &str, center: [f64; 2], covariance: [[f64; 2]; 2], radius: f64) -> Self {
        const CORNERS: u32 = 72;
        // Σ = L Lᵀ turns the unit circle into the ellipse.
        let [[xx, xy], [_, yy]] = covariance;
        let l11 = xx.sqrt();
        let l21 = xy / l11;
        let l22 = (yy - l21 * l21).sqrt();
        let corner = |k| {
            let (sin, cos) = (f64::from(k) / f64::from(CORNERS) * std::f64::consts::TAU).sin_cos();
            [center[0] + radius * l11 * cos, center[1] + radius * (l21 * cos + l22 * sin)]
        };
        self.mark(name, Shape::Outline((0..CORNERS).map(corner).collect()))
    }

    /// A vertical interval from `lower` to `upper` at every x.
    pub fn error_bars<N, M>(self, name: &str, xs: &[N], lower: &[M], upper: &[M]) -> Self
    where
        N: Copy + Into<f64>,
        M: Copy + Into<f64>,
    {
        self.mark(name, Shape::ErrorBars(triples(xs, lower, upper)))
    }

    /// A fuzzy number as the stack of its α-cuts [lower, upper], each at the height of its α; one without end goes to the
    /// edge, with an arrow.
    pub fn alpha_cuts<N, M>(self, name: &str, alphas: &[N], lower: &[M], upper: &[M]) -> Self
    where
        N: Copy + Into<f64>,
        M: Copy + Into<f64>,
    {
        self.mark(name, Shape::AlphaCuts(triples(alphas, lower, upper)))
    }

    /// A dashed line across the chart at an x, such as a defuzzified output.
    pub fn mark_x(self, name: &str, x: f64) -> Self {
        self.mark(name, Shape::RuleX(x))
    }

    /// A dashed line across the chart at a y, such as a bound.
    pub fn mark_y(self, name: &str, y: f64) -> Self {
        self.mark(name, Shape::RuleY(y))
    }

    /// Horizontal bars; a label used by several series holds the bars of all of them.
    ///
    /// A chart with bars shows nothing else.
    pub fn bars<M: Copy + Into<f64>>(mut self, name: &str, labels: &[impl AsRef<str>], values: &[M]) -> Self {
        let rows = labels.iter().zip(values).map(|(label, &value)| (label.as_ref().to_owned(), value.into()));
        self.bars.push(Bars { name: name.to_owned(), ink: None, rows: rows.collect() });
        self
    }

    /// A grid of values as colours over the box `x` × `y`, row by row, the lowest y first; marks lie on top.
    ///
    /// The cells tile the box; values that are not numbers stay open.
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

    /// Draws lines of equal value over the heat map, at the ticks of its bar, and lets its cells blend.
    pub fn contours(mut self) -> Self {
        self.heat_mut().contours = true;
        self
    }

    /// What the colours of the heat map measure.
    pub fn value_label(mut self, label: impl Into<String>) -> Self {
        self.heat_mut().axis.label = label.into();
        self
    }

    /// The values of the first and the last colour of the heat map; else what the values span.
    pub fn value_range(mut self, lower: f64, upper: f64) -> Self {
        self.heat_mut().axis.range = Some((lower, upper));
        self
    }

    /// The colours of the heat map.
    pub fn color_map(mut self, map: ColorMap) -> Self {
        self.heat_mut().map = map;
        self
    }

    /// Shows a picture in place of axes and marks, as large as its proportions allow.
    pub fn picture(mut self, picture: Picture) -> Self {
        self.picture = Some(picture);
        self
    }

    /// Gives the series added last the palette's colour `index`.
    pub fn color(self, index: usize) -> Self {
        self.ink(Ink::Series(index))
    }

    /// Makes the series added last grey: a reference beside what the chart is about.
    pub fn muted(self) -> Self {
        self.ink(Ink::Axis)
    }

    /// Makes the curve added last dashed.
    pub fn dashed(mut self) -> Self {
        if let Some(mark) = self.marks.last_mut() {
            mark.dashed = true;
        }
        self
    }

    fn ink(mut self, ink: Ink) -> Self {
        // Bars and marks do not mix: a chart with bars shows only bars.
        if let Some(bars) = self.bars.last_mut() {
            bars.ink = Some(ink);
        } else if let Some(mark) = self.marks.last_mut() {
            mark.ink = Some(ink);
        }
        self
    }

    fn mark(mut self, name: &str, shape: Shape) -> Self {
        self.marks.push(Mark { name: name.to_owned(), shape, ink: None, dashed: false });
        self
    }

    fn heat_mut(&mut self) -> &mut HeatMap {
        self.heat.get_or_insert_with(HeatMap::default)
    }
}

fn clamp_size(length: f64, least: f64) -> f64 {
    if length.is_finite() { length.clamp(least, 20_000.0) } else { least }
}

fn pairs<N: Copy + Into<f64>, M: Copy + Into<f64>>(xs: &[N], ys: &[M]) -> Vec<[f64; 2]> {
    xs.iter().zip(ys).map(|(&x, &y)| [x.into(), y.into()]).collect()
}

fn triples<N: Copy + Into<f64>, M: Copy + Into<f64>>(xs: &[N], lower: &[M], upper: &[M]) -> Vec<[f64; 3]> {
    let bounds = lower.iter().zip(upper);
    xs.iter().zip(bounds).map(|(&x, (&lower, &upper))| [x.into(), lower.into(), upper.into()]).collect()
}
