use super::super::axis::{Axis, Extent, Padding, Scale};
use super::super::svg::{escape, num};
use super::super::{Chart, Figure};
use super::{assert_well_formed, curves, labels};
use proptest::prelude::*;

#[test]
fn a_value_that_is_not_a_number_is_a_gap() {
    for hole in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let svg = Chart::new("").line("a", &[0.0, 1.0, 2.0, 3.0, 4.0], &[0.0, 1.0, hole, 1.0, 0.0]).to_svg();
        assert_well_formed(&svg);
        let curve = curves(&svg)[0];
        assert_eq!((curve.matches('M').count(), curve.matches('L').count()), (2, 2), "{curve}");
    }
}

#[test]
fn a_value_that_is_not_positive_is_a_gap_on_a_logarithmic_axis() {
    let svg = Chart::new("").log_y().line("", &[1, 2, 3, 4, 5], &[1.0, 10.0, 0.0, 10.0, -1.0]).to_svg();
    assert_eq!(curves(&svg)[0].matches('M').count(), 2);
}

#[test]
fn a_single_value_between_gaps_is_a_dot() {
    let svg = Chart::new("").line("", &[0, 1, 2], &[f64::NAN, 1.0, f64::NAN]).to_svg();
    assert!(curves(&svg)[0].ends_with("h0"));
}

#[test]
fn an_empty_chart_shows_a_note() {
    let none: [f64; 0] = [];
    let charts = [
        Chart::new("t"),
        Chart::new("t").line("a", &none, &none),
        Chart::new("t").points("a", &[f64::NAN], &[1.0]),
        Chart::new("t").log_x().points("a", &[-1.0, 0.0], &[1.0, 1.0]),
        Chart::new("t").heat_map(&none, 0, (0.0, 1.0), (0.0, 1.0)),
        Chart::new("t").bars("a", &[] as &[&str], &none),
        Chart::new("t").value_label("v"),
    ];
    for chart in charts {
        let svg = chart.to_svg();
        assert_well_formed(&svg);
        assert!(labels(&svg).contains(&"nothing to draw"), "{svg}");
    }
    assert_well_formed(&Figure::grid(0).to_svg());
}

#[test]
fn markup_in_texts_is_escaped() {
    let nasty = "a<b> & \"c\" 'd'\u{0}\u{1b}";
    let svg = Chart::new(nasty)
        .subtitle(nasty)
        .x_label(nasty)
        .y_label(nasty)
        .line(nasty, &[0, 1], &[0, 1])
        .heat_map(&[1.0, 2.0], 2, (0.0, 1.0), (0.0, 1.0))
        .value_label(nasty)
        .to_svg();
    assert_well_formed(&svg);
    assert!(svg.matches("a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;").count() >= 6, "{svg}");
    assert_well_formed(&Chart::new("").bars(nasty, &[nasty], &[1.0]).to_svg());
    assert_eq!(escape("x\u{7}\ny"), "x y");
}

#[test]
fn series_with_the_same_name_share_a_color_and_a_legend_entry() {
    let (x, y) = ([0.0, 1.0], [0.0, 1.0]);
    let chart = Chart::new("").area("low", &x, &y).line("high", &x, &y).line("low", &x, &y).line("", &x, &y);
    let paints = chart.paints();
    assert_eq!(paints[0], paints[2]);
    assert!(paints[1] != paints[0] && paints[3] != paints[0] && paints[3] != paints[1]);
    let svg = chart.to_svg();
    let texts = labels(&svg);
    assert_eq!(texts.iter().filter(|text| **text == "low").count(), 1);
    assert_eq!(texts.iter().filter(|text| **text == "high").count(), 1);
}

#[test]
fn an_explicit_color_does_not_change_the_colors_of_other_series() {
    let (x, y) = ([0.0, 1.0], [0.0, 1.0]);
    let svg = Chart::new("").line("a", &x, &y).color(4).line("b", &x, &y).line("c", &x, &y).dashed().to_svg();
    let lines: Vec<&str> = svg.lines().filter(|line| line.contains("stroke-linejoin")).collect();
    assert!(lines[0].contains("\"sc4\"") && lines[1].contains("\"sc0\"") && lines[2].contains("\"sc1\""));
    assert!(!lines[1].contains("dasharray") && lines[2].contains("dasharray"));
}

#[test]
fn figures_have_no_ids_that_could_collide_in_a_page() {
    let svg = Figure::grid(2).add(Chart::new("a").line("", &[0, 1], &[0, 1])).add(Chart::new("b")).to_svg();
    assert!(!svg.contains(" id=\"") && !svg.contains("url("));
}

#[test]
fn an_axis_of_memberships_has_no_margin_and_an_axis_of_points_has_one() {
    let mut extent = Extent::new(false);
    [0.0, 1.0].iter().for_each(|&v| extent.include(v));
    let axis = Axis::default();
    assert_eq!(axis.resolve(&extent, Padding::UnlessRound), (0.0, 1.0));
    assert_eq!(axis.resolve(&extent, Padding::Always), (-0.04, 1.04));
}

#[test]
fn only_ends_at_a_tick_of_a_logarithmic_axis_have_no_margin() {
    let mut extent = Extent::new(true);
    [1.2e-8, 100.0].iter().for_each(|&v| extent.include(v));
    let (lower, upper) = Axis { log: true, ..Axis::default() }.resolve(&extent, Padding::UnlessRound);
    let margin = (100.0f64 / 1.2e-8).powf(0.04);
    assert!((lower * margin / 1.2e-8 - 1.0).abs() < 1e-12, "{lower}"); // one exp and one ln of numbers near 18
    assert_eq!(upper, 100.0);
}

#[test]
fn an_invalid_range_is_ignored() {
    let mut extent = Extent::new(true);
    [1.0, 100.0].iter().for_each(|&v| extent.include(v));
    for range in [(0.0, 10.0), (f64::NAN, 1.0), (5.0, 5.0), (1.0, f64::INFINITY)] {
        let axis = Axis { range: Some(range), log: true, ..Axis::default() };
        let (lower, upper) = axis.resolve(&extent, Padding::None);
        assert!((lower, upper) == (1.0, 100.0), "{range:?}");
    }
}

#[test]
fn positions_on_linear_and_logarithmic_axes_follow_equation_1() {
    let linear = Scale::new((10.0, 20.0), 200.0, false, false);
    assert_eq!(linear.at(12.5), Some(50.0));
    let upwards = Scale::new((10.0, 20.0), 200.0, false, true);
    assert_eq!(upwards.at(12.5), Some(150.0));
    let log = Scale::new((1.0, 10_000.0), 200.0, true, false);
    assert!((log.at(10.0).unwrap() - 50.0).abs() < 1e-9); // a few rounding errors of numbers near 100
    assert_eq!((log.at(0.0), log.at(-1.0), log.at(f64::NAN)), (None, None, None));
    assert_eq!(linear.at(f64::INFINITY), None);
}

#[test]
fn equal_axes_make_a_unit_equally_long() {
    let chart = Chart::new("t").equal_axes().size(500.0, 300.0).line("", &[0.0, 100.0], &[0.0, 1.0]);
    let layout = chart.layout((500.0, 300.0));
    let (width, height) = layout.plot();
    let unit = (layout.x_range.1 - layout.x_range.0) / width;
    assert!(((layout.y_range.1 - layout.y_range.0) / height / unit - 1.0).abs() < 1e-12);
    assert!(layout.x_range.0 <= 0.0 && layout.x_range.1 >= 100.0);
}

#[test]
fn plots_of_a_grid_are_aligned() {
    let wide = Chart::new("a title").x_label("x").line("s", &[0, 1], &[0.0, 1e-5]);
    let plain = Chart::new("").line("", &[0, 1], &[0, 1]);
    let svg = Figure::grid(2).add(wide).add(plain.clone()).add(plain.clone()).add(plain).to_svg();
    assert_well_formed(&svg);
    // Every chart has two groups: one for its position in the grid, one for its plot.
    let moves: Vec<&str> = svg.split("translate(").skip(1).filter_map(|s| s.split(')').next()).collect();
    let position = |index: usize| moves[index].split_once(' ').unwrap();
    assert_eq!(moves.len(), 8);
    assert_eq!(position(1).0, position(5).0, "left edges of the first column");
    assert_eq!(position(1).1, position(3).1, "upper edges of the first row");
}

#[test]
fn coordinates_have_at_most_one_decimal_and_are_clamped() {
    assert_eq!([num(1.0), num(-0.04), num(2.25), num(-3.16)], ["1", "0", "2.3", "-3.2"]);
    assert_eq!([num(1e300), num(f64::NAN), num(f64::NEG_INFINITY)], ["100000", "0", "-100000"]);
}

#[test]
fn a_chart_of_a_million_points_is_small_and_keeps_the_extremes() {
    let n = 1_000_000;
    let xs: Vec<f64> = (0..n).map(f64::from).collect();
    let mut ys = vec![0.5; n as usize];
    (ys[123_456], ys[777_777]) = (1.0, 0.0);
    let points = Chart::new("").points("", &xs, &ys).to_svg();
    let svg = Chart::new("").line("", &xs, &ys).to_svg();
    assert!(points.len() + svg.len() < 100_000, "{} and {} bytes", points.len(), svg.len());
    let curve = curves(&svg)[0];
    let heights: Vec<f64> =
        curve.split(['M', 'L']).filter_map(|pair| pair.split_once(' ')?.1.parse().ok()).collect();
    let (top, bottom) =
        (heights.iter().copied().fold(f64::MAX, f64::min), heights.iter().copied().fold(0.0, f64::max));
    assert_eq!(top, 0.0);
    assert!(bottom > 300.0);
}

/// Any number, with special values more often.
fn any_value() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -10.0..10.0f64,
        1 => any::<f64>(),
        1 => prop::sample::select(vec![f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, f64::MAX, f64::MIN, 5e-324]),
    ]
}

#[test]
fn an_infinite_alpha_cut_ends_in_an_arrow_at_the_edge() {
    let drawn = |lower: f64, upper: f64| {
        let chart = Chart::new("").x_range(0.0, 10.0);
        chart.alpha_cuts("", &[0.0, 1.0], &[lower, 4.0], &[upper, 6.0]).to_svg()
    };
    let lines = |svg: &str| {
        svg.lines().filter(|line| line.contains("stroke-linecap")).map(str::to_owned).collect::<String>()
    };
    let arrows = |svg: &str| lines(svg).matches('L').count() / 2;
    let (inf, none) = (f64::INFINITY, f64::NEG_INFINITY);
    let counted = [drawn(1.0, 9.0), drawn(none, 9.0), drawn(1.0, inf), drawn(none, inf)].map(|svg| {
        assert_well_formed(&svg);
        arrows(&svg)
    });
    assert_eq!(counted, [0, 1, 1, 2]);
    // The outline continues vertically from the end of the core instead of extending to the edge.
    let outlines =
        |svg: &str| svg.lines().find(|line| line.contains("stroke-opacity=\".5\"")).unwrap().to_owned();
    assert!(outlines(&drawn(1.0, 9.0)) != outlines(&drawn(none, inf)));
    let x = |pair: &str| pair.split(' ').next().unwrap().to_owned();
    let left = outlines(&drawn(none, inf)).split('M').nth(1).unwrap().split('L').map(x).collect::<Vec<_>>();
    assert_eq!(left[0], left[1], "{left:?}");
}

proptest! {
    #[test]
    fn charts_of_any_data_are_well_formed(
        a in prop::collection::vec(any_value(), 0..12), b in prop::collection::vec(any_value(), 0..12),
        c in prop::collection::vec(any_value(), 0..12), log in any::<[bool; 3]>(), columns in 0..5usize,
        range in (any_value(), any_value()), text in ".{0,30}",
    ) {
        let mut chart = Chart::new(&text).subtitle(&text).x_label(&text).y_label(&text);
        if log[0] { chart = chart.log_x(); }
        if log[1] { chart = chart.log_y(); }
        if log[2] { chart = chart.equal_axes().x_range(range.0, range.1).size(range.0, range.1); }
        let bars = chart.clone().bars(&text, &["x", "y", "x", &text], &a).bars("", &["y"], &b);
        let all = chart
            .line(&text, &a, &b).step("s", &a, &b).area("a", &a, &b).band("b", &a, &b, &c)
            .points("p", &a, &b).crosses("c", &a, &b).membership_points(&["k", &text], &a, &b, &c)
            .error_bars("e", &a, &b, &c).alpha_cuts("z", &a, &b, &c)
            .ellipse("o", [range.0, range.1], [[range.0, range.1], [range.1, range.0]], range.0)
            .vertical_line("x", range.0).horizontal_line("y", range.1);
        let heat = all.clone().heat_map(&a, columns, range, (range.1, range.0)).value_range(range.0, range.1);
        for chart in [&all, &bars, &heat] {
            assert_well_formed(&chart.to_svg());
        }
        assert_well_formed(&Figure::grid(columns).title(&text).width(range.0).add(all).add(bars).add(heat).to_svg());
    }
}
