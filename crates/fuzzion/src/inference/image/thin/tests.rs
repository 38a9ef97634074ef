//! Thinning: topology, remaining pixels and line width.

use super::{LINE_LEVEL, invert, thin};
use crate::data::{Images, Pixels};
use crate::device::Device;
use crate::inference::image::Operator;
use proptest::prelude::*;

/// A binary drawing; `true` is a line pixel.
struct Drawing {
    width: usize,
    height: usize,
    line: Vec<bool>,
}

impl Drawing {
    fn new(width: usize, height: usize) -> Self {
        Drawing { width, height, line: vec![false; width * height] }
    }

    /// The line pixels of an image.
    fn from_image(images: &Images) -> Self {
        let limit = LINE_LEVEL * f64::from((1u32 << images.bits()) - 1);
        let line = match images.pixels() {
            Pixels::U8(values) => values.iter().map(|v| f64::from(*v) < limit).collect(),
            Pixels::U16(values) => values.iter().map(|v| f64::from(*v) < limit).collect(),
        };
        Drawing { width: images.width(), height: images.height(), line }
    }

    fn at(&self, x: isize, y: isize) -> bool {
        let inside = (0..self.width as isize).contains(&x) && (0..self.height as isize).contains(&y);
        inside && self.line[y as usize * self.width + x as usize]
    }

    /// Draws the line from `a` to `b` with a round pen of width `pen`.
    fn stroke(&mut self, a: (f64, f64), b: (f64, f64), pen: f64) {
        for y in 0..self.height {
            for x in 0..self.width {
                let (px, py) = (x as f64 - a.0, y as f64 - a.1);
                let (dx, dy) = (b.0 - a.0, b.1 - a.1);
                let along = ((px * dx + py * dy) / (dx * dx + dy * dy).max(1e-9)).clamp(0.0, 1.0);
                if (px - along * dx).hypot(py - along * dy) <= 0.5 * pen {
                    self.line[y * self.width + x] = true;
                }
            }
        }
    }

    fn circle(&mut self, center: (f64, f64), radius: f64, pen: f64) {
        for y in 0..self.height {
            for x in 0..self.width {
                let far = (x as f64 - center.0).hypot(y as f64 - center.1) - radius;
                if far.abs() <= 0.5 * pen {
                    self.line[y * self.width + x] = true;
                }
            }
        }
    }

    fn to_image(&self) -> Images {
        let pixels = self.line.iter().map(|line| if *line { 0 } else { 255 }).collect();
        Images::new(self.width, self.height, 1, Pixels::U8(pixels)).unwrap()
    }

    /// Number of connected components of line pixels or background, with a margin of background; `corners` selects 8-connectivity.
    fn components(&self, line: bool, corners: bool) -> usize {
        let (width, height) = (self.width as isize + 2, self.height as isize + 2);
        let mut seen = vec![false; (width * height) as usize];
        let mut components = 0;
        for start in 0..width * height {
            let mut pending = vec![start];
            let before = components;
            while let Some(at) = pending.pop() {
                let (x, y) = (at % width, at / width);
                if self.at(x - 1, y - 1) != line || std::mem::replace(&mut seen[at as usize], true) {
                    continue;
                }
                components = before + 1;
                for (dx, dy) in (0..9).map(|k| (k % 3 - 1, k / 3 - 1)) {
                    let inside = (0..width).contains(&(x + dx)) && (0..height).contains(&(y + dy));
                    if inside && (corners || dx == 0 || dy == 0) {
                        pending.push((y + dy) * width + x + dx);
                    }
                }
            }
        }
        components
    }

    /// Whether removing this pixel preserves the topology, by counting components instead of the crossing number.
    fn is_simple(&self, x: usize, y: usize) -> bool {
        let mut neighborhood = Drawing::new(3, 3);
        for (i, line) in neighborhood.line.iter_mut().enumerate() {
            *line = self.at(x as isize + i as isize % 3 - 1, y as isize + i as isize / 3 - 1);
        }
        // Counts only background within the window that is adjacent to a side of the pixel.
        let background_components = |drawing: &Drawing| {
            let sides = [(1, 0), (0, 1), (2, 1), (1, 2)];
            let mut pending: Vec<(isize, isize)> =
                sides.into_iter().filter(|(x, y)| !drawing.at(*x, *y)).collect();
            let mut components = 0;
            let mut seen = Vec::new();
            while let Some(start) = pending.pop() {
                if seen.contains(&start) {
                    continue;
                }
                components += 1;
                let mut component = vec![start];
                while let Some((x, y)) = component.pop() {
                    let window = (0..3).contains(&x) && (0..3).contains(&y) && (x, y) != (1, 1);
                    if window && !drawing.at(x, y) && !seen.contains(&(x, y)) {
                        seen.push((x, y));
                        component.extend([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]);
                    }
                }
            }
            components
        };
        let background = background_components(&neighborhood);
        neighborhood.line[4] = false;
        background == 1 && neighborhood.components(true, true) == 1
    }

    fn neighbors(&self, x: usize, y: usize) -> usize {
        let near = (0..9).filter(|k| *k != 4).map(|k| (x as isize + k % 3 - 1, y as isize + k / 3 - 1));
        near.filter(|(x, y)| self.at(*x, *y)).count()
    }

    /// The line pixels.
    fn pixels(&self) -> impl Iterator<Item = (usize, usize)> {
        (0..self.line.len()).filter(|i| self.line[*i]).map(|i| (i % self.width, i / self.width))
    }

    /// Number of 2 × 2 squares of line pixels.
    fn squares(&self) -> usize {
        let square = |(x, y): &(usize, usize)| {
            [(1, 0), (0, 1), (1, 1)].iter().all(|(dx, dy)| self.at(*x as isize + dx, *y as isize + dy))
        };
        self.pixels().filter(square).count()
    }
}

/// A ring, a cross, a K, a zigzag, an O and a dot, drawn with a pen of width `pen`.
fn figure(pen: f64) -> Drawing {
    let mut drawing = Drawing::new(180, 120);
    drawing.circle((40.0, 40.0), 28.0, pen);
    drawing.stroke((80.0, 20.0), (120.0, 60.0), pen);
    drawing.stroke((120.0, 21.0), (80.0, 58.0), pen);
    for (a, b) in
        [((140.0, 15.0), (140.0, 65.0)), ((170.0, 15.0), (140.0, 40.0)), ((140.0, 40.0), (170.0, 65.0))]
    {
        drawing.stroke(a, b, pen);
    }
    let zigzag = [(10.0, 110.0), (30.0, 80.0), (50.0, 110.0), (70.0, 85.0), (95.0, 85.0)];
    zigzag.windows(2).for_each(|pair| drawing.stroke(pair[0], pair[1], pen));
    drawing.circle((120.0, 95.0), 12.0, pen);
    drawing.stroke((160.0, 95.0), (160.0, 95.0), pen);
    drawing
}

#[test]
fn a_drawing_becomes_lines_one_pixel_wide_with_the_same_components() {
    for pen in [1.5, 2.0, 3.0, 4.0, 5.5] {
        let drawn = figure(pen);
        let mut image = drawn.to_image();
        thin(&mut image);
        let thinned = Drawing::from_image(&image);
        assert_eq!(thinned.components(true, true), 6, "pen {pen}");
        assert_eq!(drawn.components(false, false), thinned.components(false, false), "pen {pen}: holes");
        // No further pixel can be removed without breaking or shortening a line.
        let wide = thinned.pixels().find(|(x, y)| thinned.is_simple(*x, *y) && thinned.neighbors(*x, *y) > 1);
        assert_eq!(wide, None, "pen {pen}");
        // Only the center of the cross and the middle of the K may have a 2 × 2 square.
        assert!(thinned.squares() <= 2, "pen {pen}: {} squares", thinned.squares());
        // A ring of radius r has at least 4√2·r pixels, one per column or row, and every stroke its longer extent.
        let min_pixels = 5.65 * (28.0 + 12.0) + 2.0 * 37.0 + 50.0 + 2.0 * 25.0 + 2.0 * 30.0 + 25.0 + 25.0;
        let lost = 12.0 * pen; // about half a pen's width at each end
        assert!(thinned.pixels().count() as f64 >= min_pixels - lost, "pen {pen}");
    }
}

#[test]
fn edges_of_a_drawing_become_lines_one_pixel_wide() {
    let operator = Operator::named("fire-edges").unwrap();
    let mut edges = operator.apply(&figure(5.0).to_image(), &Device::cpu().unwrap()).unwrap();
    let drawn = Drawing::from_image(&edges);
    thin(&mut edges);
    let thinned = Drawing::from_image(&edges);
    assert_eq!(thinned.components(true, true), drawn.components(true, true));
    let wide = thinned.pixels().find(|(x, y)| thinned.is_simple(*x, *y) && thinned.neighbors(*x, *y) > 1);
    assert_eq!((wide, thinned.squares()), (None, 0));
    // Both rings have an inner and an outer outline, each a closed line, and there is background around them.
    assert!(thinned.components(false, false) > 2 * 2, "{}", thinned.components(false, false));
}

#[test]
fn a_line_keeps_its_length_even_if_its_darkness_changes() {
    for width in 1..=5usize {
        for fade in [-1i32, 0, 1] {
            for profile in [[0, 30, 0, 30, 0], [30, 15, 0, 15, 30], [0, 9, 20, 30, 40]] {
                let value = |x: usize, y: usize| {
                    let inside = (3..43).contains(&x) && (3..3 + width).contains(&y);
                    if inside { (100 + fade * x as i32 + profile[y - 3]) as u8 } else { 255 }
                };
                let pixels: Vec<u8> = (0..12 * 46).map(|i| value(i % 46, i / 46)).collect();
                let transposed: Vec<u8> = (0..12 * 46).map(|i| value(i / 12, i % 12)).collect();
                for (across, pixels) in [(true, pixels), (false, transposed)] {
                    let size = if across { (46, 12) } else { (12, 46) };
                    let mut image = Images::new(size.0, size.1, 1, Pixels::U8(pixels)).unwrap();
                    thin(&mut image);
                    let along = Drawing::from_image(&image)
                        .pixels()
                        .map(|(x, y)| if across { x } else { y })
                        .collect::<Vec<_>>();
                    let (first, last) = (along.iter().min().unwrap(), along.iter().max().unwrap());
                    // Each layer beyond a width of three pixels may remove one pixel at each end.
                    assert!(
                        last - first + 1 >= 40 - 2 * width.saturating_sub(3),
                        "width {width}, fade {fade}: {first} to {last}"
                    );
                }
            }
        }
    }
}

#[test]
fn the_darkest_row_of_a_narrow_line_is_kept() {
    for (width, dark) in [(2, 0), (2, 1), (3, 0), (3, 1), (3, 2)] {
        let value = |y: usize| if y >= width { 255u8 } else { [90, 20][usize::from(y == dark)] };
        let pixels = (0..20 * 5).map(|i| value(i / 20)).collect();
        let mut image = Images::new(20, 5, 1, Pixels::U8(pixels)).unwrap();
        thin(&mut image);
        let rows: Vec<usize> = Drawing::from_image(&image).pixels().map(|(_, y)| y).collect();
        assert_eq!(rows, vec![dark; 20], "width {width}");
    }
}

#[test]
fn frames_and_colors_are_thinned_separately_and_opacity_is_unchanged() {
    let (a, b) = (figure(3.0).to_image(), figure(4.0).to_image());
    let bytes = |image: &Images| match image.pixels() {
        Pixels::U8(values) => values.clone(),
        Pixels::U16(_) => panic!("16 bits"),
    };
    let thinned = |mut image: Images| {
        thin(&mut image);
        bytes(&image)
    };
    let mut stack = Images::new(180, 120, 1, Pixels::U8([bytes(&a), bytes(&b)].concat())).unwrap();
    thin(&mut stack);
    assert_eq!(bytes(&stack), [thinned(a.clone()), thinned(b.clone())].concat());
    let pixels = bytes(&a).iter().zip(bytes(&b)).flat_map(|(a, b)| [*a, b, 255, 7]).collect();
    let mut colored = Images::new(180, 120, 4, Pixels::U8(pixels)).unwrap();
    thin(&mut colored);
    let expected = thinned(a).iter().zip(thinned(b)).flat_map(|(a, b)| [*a, b, 255, 7]).collect::<Vec<u8>>();
    assert_eq!(bytes(&colored), expected);
}

#[test]
fn sixteen_bit_images_are_thinned_like_eight_bit_images() {
    let value = |i: usize| if (i / 40 + i % 7) % 9 < 4 { (i * 37 % 190) as u8 } else { 255 };
    let eight: Vec<u8> = (0..40 * 30).map(value).collect();
    let sixteen = eight.iter().map(|v| u16::from(*v) * 257).collect();
    let mut a = Images::new(40, 30, 1, Pixels::U8(eight)).unwrap();
    let mut b = Images::new(40, 30, 1, Pixels::U16(sixteen)).unwrap();
    thin(&mut a);
    thin(&mut b);
    let Pixels::U8(a) = a.into_pixels() else { panic!("16 bits") };
    assert_eq!(b.into_pixels(), Pixels::U16(a.iter().map(|v| u16::from(*v) * 257).collect()));
}

#[test]
fn inverting_keeps_opacity_and_is_its_own_inverse() {
    let pixels: Vec<u16> = (0..4 * 6).map(|i| i * 2000).collect();
    let before = Images::new(3, 2, 4, Pixels::U16(pixels.clone())).unwrap();
    let mut image = before.clone();
    invert(&mut image);
    let expected = pixels.iter().enumerate().map(|(i, v)| if i % 4 == 3 { *v } else { 65_535 - v });
    assert_eq!(image.pixels(), &Pixels::U16(expected.collect()));
    invert(&mut image);
    assert_eq!(image, before);
}

proptest! {
    #[test]
    fn thinning_preserves_topology_and_is_idempotent(
        (width, values) in (1usize..24).prop_flat_map(|width| {
            let value = prop_oneof![Just(255u8), Just(0), any::<u8>()];
            (Just(width), proptest::collection::vec(value, width..=width * 24))
        }),
    ) {
        let pixels = values[..values.len() / width * width].to_vec();
        let height = pixels.len() / width;
        let mut image = Images::new(width, height, 1, Pixels::U8(pixels.clone())).unwrap();
        let before = Drawing::from_image(&image);
        thin(&mut image);
        let after = Drawing::from_image(&image);
        prop_assert_eq!(before.components(true, true), after.components(true, true));
        prop_assert_eq!(before.components(false, false), after.components(false, false));
        let Pixels::U8(thinned) = image.pixels() else { panic!("16 bits") };
        prop_assert!(thinned.iter().zip(&pixels).all(|(after, before)| after == before || *after == 255));
        for (x, y) in after.pixels() {
            prop_assert!(!after.is_simple(x, y) || after.neighbors(x, y) <= 1, "({}, {})", x, y);
        }
        let once = image.clone();
        thin(&mut image);
        prop_assert_eq!(once, image);
    }
}
