//! Arrays from bounds and shapes.

use super::element::Element;
use super::fuzzy_array::FuzzyArray;
use super::lu_array::LuArray;
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::number::lu::check_cuts;
use crate::arithmetic::number::shapes::{self, ReferenceFunction};

/// Adds the index and the text of a number to an error.
fn located(number: usize, text: String, error: &ArithmeticError) -> ArithmeticError {
    let location = format!("number {}", number + 1);
    ArithmeticError::InvalidNumber { location, number, problem: error.to_string(), text, column: 1 }
}

/// One number per row of parameters, each of which is enclosed if it is not representable.
fn from_shapes<T: Element, const K: usize, S: Fn(usize, usize) -> AlphaCut<T>>(
    name: &str,
    cuts: usize,
    rows: &[[f64; K]],
    shape: impl Fn([AlphaCut<T>; K]) -> Result<S>,
) -> Result<LuArray<T>> {
    let mut array = LuArray::zeros(cuts, rows.len())?;
    for (index, parameters) in rows.iter().enumerate() {
        let enclosed = |x: f64| AlphaCut { lower: T::from_f64_down(x), upper: T::from_f64_up(x) };
        let shape = shape(parameters.map(|x| enclosed(x + 0.0))).map_err(|error| {
            let parameters = parameters.map(|x| x.to_string()).join(", ");
            located(index, format!("{name}({parameters})"), &error)
        })?;
        array.set_cuts(index, |i| shape(i, cuts));
    }
    Ok(array)
}

impl<T: Element> LuArray<T> {
    /// Creates an array from the bounds of all cuts: for each number, `cuts` pairs of lower and upper bound, support first.
    ///
    /// ```
    /// use fuzzion::arithmetic::LuArray;
    /// let array = LuArray::from_cuts(2, &[[1.0, 3.0], [2.0, 2.0], [0.0, 5.0], [1.0, 4.0]])?;
    /// assert_eq!((array.text(0), array.text(1)), ("cuts([1, 3], [2, 2])".into(), "cuts([0, 5], [1, 4])".into()));
    /// assert_eq!(array.to_cuts()[2], [0.0, 5.0]);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`](crate::base::SettingError::OutOfRange) if `cuts` is 0, [`ArithmeticError::CutCount`] if the last number is
    /// incomplete, [`ArithmeticError::InvalidNumber`] for the first number that [`FuzzyLu::from_cuts`](crate::arithmetic::FuzzyLu::from_cuts) rejects.
    pub fn from_cuts(cuts: usize, bounds: &[[T; 2]]) -> Result<Self> {
        let mut array = Self::zeros(cuts, bounds.len() / cuts.max(1))?;
        if !bounds.len().is_multiple_of(cuts) {
            return Err(ArithmeticError::CutCount { given: bounds.len() % cuts, wanted: cuts });
        }
        for (index, bounds) in bounds.chunks_exact(cuts).enumerate() {
            let [lower, upper] = [0, 1].map(|end| bounds.iter().map(|cut| cut[end]).collect::<Vec<T>>());
            check_cuts(&lower, &upper).map_err(|error| {
                let cuts: Vec<String> = bounds.iter().map(|[l, u]| format!("[{l}, {u}]")).collect();
                located(index, format!("cuts({})", cuts.join(", ")), &error)
            })?;
            array.set_cuts(index, |i| AlphaCut::new(lower[i], upper[i]));
        }
        Ok(array)
    }

    /// Bounds of all cuts, as [`from_cuts`](Self::from_cuts) takes them.
    pub fn to_cuts(&self) -> Vec<[T; 2]> {
        let cuts = |index| (0..self.cuts()).map(move |i| self.cut(index, i));
        (0..self.len()).flat_map(cuts).map(|cut| [cut.lower, cut.upper]).collect()
    }

    /// Triangular numbers with the corners `[left, top, right]`; see [`FuzzyLu::triangular`](crate::arithmetic::FuzzyLu::triangular).
    ///
    /// A parameter that is not representable in `T` is enclosed, here and in the other shapes.
    ///
    /// ```
    /// let array = fuzzion::arithmetic::LuArray::<f64>::triangular(3, &[[1.0, 2.0, 4.0], [0.0, 0.0, 1.0]])?;
    /// assert_eq!(array.text(0), "cuts([1, 4], [1.5, 3], [2, 2])");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`](crate::base::SettingError::OutOfRange) if `cuts` is 0, [`ArithmeticError::InvalidNumber`] for the first invalid number.
    pub fn triangular(cuts: usize, corners: &[[f64; 3]]) -> Result<Self> {
        from_shapes("tri", cuts, corners, shapes::triangular)
    }

    /// Trapezoidal numbers with the corners `[bottom_left, top_left, top_right, bottom_right]`; see
    /// [`FuzzyLu::trapezoidal`](crate::arithmetic::FuzzyLu::trapezoidal).
    ///
    /// # Errors
    /// Same as [`triangular`](Self::triangular).
    pub fn trapezoidal(cuts: usize, corners: &[[f64; 4]]) -> Result<Self> {
        from_shapes("trap", cuts, corners, shapes::trapezoidal)
    }

    /// Gaussian numbers `[mean, standard_deviation]`; see [`FuzzyLu::gaussian`](crate::arithmetic::FuzzyLu::gaussian).
    ///
    /// # Errors
    /// Same as [`triangular`](Self::triangular).
    pub fn gaussian(cuts: usize, parameters: &[[f64; 2]]) -> Result<Self> {
        from_shapes("gauss", cuts, parameters, shapes::gaussian)
    }

    /// Generalized bells `[center, width, slope]`; see [`FuzzyLu::bell`](crate::arithmetic::FuzzyLu::bell).
    ///
    /// # Errors
    /// Same as [`triangular`](Self::triangular).
    pub fn bell(cuts: usize, parameters: &[[f64; 3]]) -> Result<Self> {
        from_shapes("bell", cuts, parameters, shapes::bell)
    }

    /// A single L-R number; see [`FuzzyLu::left_right`](crate::arithmetic::FuzzyLu::left_right).
    ///
    /// # Errors
    /// Same as [`FuzzyLu::left_right`](crate::arithmetic::FuzzyLu::left_right), and if `cuts` is 0.
    pub fn left_right(
        cuts: usize,
        core: [T; 2],
        spreads: [T; 2],
        references: [ReferenceFunction; 2],
    ) -> Result<Self> {
        let (mut array, shape) = (Self::zeros(cuts, 1)?, shapes::left_right(core, spreads, references)?);
        array.set_cuts(0, |i| shape(i, cuts));
        Ok(array)
    }

    /// A single piecewise linear number through points (x, membership); see
    /// [`FuzzyLu::piecewise`](crate::arithmetic::FuzzyLu::piecewise).
    ///
    /// ```
    /// let points = [(0.0, 0.0), (1.0, 0.5), (4.0, 1.0), (5.0, 0.0)];
    /// let number = fuzzion::arithmetic::LuArray::piecewise(3, &points)?;
    /// assert_eq!(number.text(0), "cuts([0, 5], [1, 4.5], [4, 4])");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`FuzzyLu::piecewise`](crate::arithmetic::FuzzyLu::piecewise), and if `cuts` is 0.
    pub fn piecewise(cuts: usize, points: &[(T, T)]) -> Result<Self> {
        let (mut array, shape) = (Self::zeros(cuts, 1)?, shapes::piecewise(points)?);
        array.set_cuts(0, |i| shape(i, cuts));
        Ok(array)
    }
}
