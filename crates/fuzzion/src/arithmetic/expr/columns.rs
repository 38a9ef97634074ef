//! Formulas over arrays of fuzzy numbers.

use super::affine::affine;
use super::evaluation::Evaluation;
use super::formula::Expr;
use super::vertex::vertex;
use crate::arithmetic::array::dispatch::{self, ComputeArray};
use crate::arithmetic::array::operations::Operand;
use crate::arithmetic::array::{Element, FuzzyArray, LANES, LuArray, Midpoint, MrArray};
use crate::arithmetic::error::{ArithmeticError, Result};
use crate::arithmetic::number::cut::AlphaCut;
use crate::arithmetic::text::literal::Literal;
use crate::device::Device;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers per task: whole blocks, short enough for frequent progress reports.
const CHUNK: usize = 16 * LANES;

/// Array type that formulas can be evaluated over: [`LuArray`], [`MrArray`], or a
/// [`DeviceArray`](crate::arithmetic::DeviceArray) of them. The trait is sealed.
///
/// ```
/// use fuzzion::Device;
/// use fuzzion::arithmetic::{ArithmeticError, Column, Evaluation, Expr, LuArray};
///
/// fn squares<A: Column>(x: &A, cuts: usize) -> Result<A, ArithmeticError> {
///     Expr::new("x ^ 2")?.apply(&[("x", x)], cuts, Evaluation::Direct, &Device::cpu()?)
/// }
///
/// assert_eq!(squares(&LuArray::<f64>::parse(1, &["[-1, 2]", "3"])?, 1)?.text(0), "[0, 4]");
/// # Ok::<(), fuzzion::Error>(())
/// ```
#[allow(private_bounds)] // seals the trait
pub trait Column: Operand {
    /// Evaluates a formula for the values of its variables.
    #[doc(hidden)]
    fn apply(
        expr: &Expr,
        columns: &[&Self],
        cuts: usize,
        len: usize,
        evaluation: Evaluation,
        device: &Device,
    ) -> Result<Self>;
}

/// Column in host memory.
pub trait HostColumn: ComputeArray {
    /// Sets an element to the value of a literal.
    fn set_literal(&mut self, index: usize, literal: &Literal) -> Result<()>;
    /// Concatenates arrays; all but the last consist of whole blocks.
    fn concatenate(parts: &[Self], cuts: usize) -> Result<Self>;
}

/// Copies slices one after another to the beginning of `whole`.
fn copy_consecutively<'a, T: Copy + 'a>(whole: &mut [T], parts: impl Iterator<Item = &'a [T]>) {
    let mut at = 0;
    for part in parts {
        whole[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
}

impl<T: Element> HostColumn for LuArray<T> {
    fn set_literal(&mut self, index: usize, literal: &Literal) -> Result<()> {
        let mut cuts = vec![AlphaCut::UNBOUNDED; self.cuts()];
        literal.fill(&mut cuts)?;
        self.set_cuts(index, |i| cuts[i]);
        Ok(())
    }
    fn concatenate(parts: &[Self], cuts: usize) -> Result<Self> {
        let mut whole = Self::zeros(cuts, parts.iter().map(Self::len).sum())?;
        copy_consecutively(whole.bounds_mut(), parts.iter().map(Self::bounds));
        Ok(whole)
    }
}

impl<T: Midpoint<R>, R: Element> HostColumn for MrArray<T, R> {
    fn set_literal(&mut self, index: usize, literal: &Literal) -> Result<()> {
        if let Some((midpoint, radii)) = literal.as_ball(self.cuts())? {
            self.set_ball(index, midpoint, &radii);
            return Ok(());
        }
        let mut cuts = vec![AlphaCut::UNBOUNDED; self.cuts()];
        literal.fill(&mut cuts)?;
        self.set_cuts(index, |i| cuts[i]);
        Ok(())
    }
    fn concatenate(parts: &[Self], cuts: usize) -> Result<Self> {
        let mut whole = Self::zeros(cuts, parts.iter().map(Self::len).sum())?;
        let (midpoints, radii) = whole.planes_mut();
        copy_consecutively(midpoints, parts.iter().map(|part| part.planes().0));
        copy_consecutively(radii, parts.iter().map(|part| part.planes().1));
        Ok(whole)
    }
}

impl<A: HostColumn> Column for A {
    fn apply(
        expr: &Expr,
        columns: &[&A],
        cuts: usize,
        len: usize,
        evaluation: Evaluation,
        device: &Device,
    ) -> Result<A> {
        let literals = expr.literal_columns::<A>(cuts)?;
        let mut direct = A::zeros(cuts, len)?;
        dispatch::run(&expr.program, columns, &literals, &mut direct, device)?;
        let tighter = match evaluation {
            Evaluation::Direct => return Ok(direct),
            Evaluation::Vertex => vertex::<A::Bound>,
            Evaluation::Affine => affine::<A::Bound>,
        };
        let literals: Vec<&A> = literals.iter().collect();
        // Both enclose the exact result, and so does their intersection.
        fill_in_chunks(cuts, len, device, |rows, part: &mut A| {
            let mut inputs = [Vec::new(), Vec::new()];
            for (at, row) in rows.enumerate() {
                part.set_cuts(at, |i| {
                    for (cuts, columns) in inputs.iter_mut().zip([columns, &literals]) {
                        cuts.clear();
                        cuts.extend(columns.iter().map(|column| column.cut_at(row_index(*column, row), i)));
                    }
                    direct.cut_at(row, i).intersection(tighter(expr, &inputs[0], &inputs[1]))
                });
            }
        })
    }
}

impl Expr {
    /// Evaluates the formula element by element for named arrays; the result has `cuts` cuts.
    ///
    /// All arrays have the same length; arrays of length 1 are broadcast. A formula without variables yields one
    /// number. Unused names are ignored. The results are bit-identical to those of [`Expr::evaluate`]. The direct
    /// evaluation runs on the device, the additional work of [`Evaluation::Vertex`] and [`Evaluation::Affine`] always on
    /// the CPU; they are not supported for arrays in GPU memory.
    ///
    /// ```
    /// use fuzzion::arithmetic::{Evaluation, Expr, LuArray};
    /// use fuzzion::Device;
    /// let demand = LuArray::<f64>::parse(2, &["tri(90, 100, 120)", "[50, 60]"])?;
    /// let price = LuArray::parse(2, &["tri(2, 2.5, 3)"])?; // broadcast
    /// let columns = [("demand", &demand), ("price", &price)];
    /// let profit = Expr::new("demand * price - 40")?;
    /// let profit = profit.apply(&columns, 2, Evaluation::Direct, &Device::cpu()?)?;
    /// assert_eq!(profit.text(0), "cuts([140, 320], [210, 210])");
    /// assert_eq!(profit.text(1), "cuts([60, 140], [85, 110])");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`SyntaxError`](crate::base::SyntaxError) if a variable has no column or a literal is invalid for this number of cuts,
    /// [`ArithmeticError::ColumnShape`] if the columns have incompatible lengths or numbers of cuts, [`SettingError::OutOfRange`](crate::base::SettingError::OutOfRange) if
    /// `cuts` is 0, device errors, and [`ArithmeticError::Interrupted`].
    pub fn apply<A: Column>(
        &self,
        columns: &[(&str, &A)],
        cuts: usize,
        evaluation: Evaluation,
        device: &Device,
    ) -> Result<A> {
        let variables = self.bind(columns)?;
        let len = self.common_length(&variables, cuts)?;
        A::apply(self, &variables, cuts, len, evaluation, device)
    }

    /// Common length of the columns.
    fn common_length<A: Column>(&self, columns: &[&A], cuts: usize) -> Result<usize> {
        let lengths = columns.iter().map(|column| column.number_count());
        let expected = lengths.clone().find(|length| *length != 1).unwrap_or(1);
        for (name, column) in self.variables.iter().zip(columns) {
            let (length, cut_count) = (column.number_count(), column.cut_count());
            let (what, found, expected, fix) = if cut_count != cuts {
                ("alpha-cuts", cut_count, cuts, "use the same number of alpha-cuts for all variables")
            } else if length != 1 && length != expected {
                ("numbers", length, expected, "all variables must have the same length, or length 1")
            } else {
                continue;
            };
            return Err(ArithmeticError::ColumnShape {
                name: name.clone(),
                what,
                found,
                expected,
                advice: fix,
            });
        }
        Ok(expected)
    }

    /// Each literal as an array of length 1.
    pub(in crate::arithmetic) fn literal_columns<A: HostColumn>(&self, cuts: usize) -> Result<Vec<A>> {
        let make = |literal: &Literal| {
            let mut column = A::zeros(cuts, 1)?;
            column.set_literal(0, literal).map_err(|error| literal.error(&self.text, error))?;
            Ok(column)
        };
        self.literals.iter().map(make).collect()
    }
}

/// Index of element `row` in a column; 0 if the column is broadcast.
fn row_index<A: FuzzyArray>(column: &A, row: usize) -> usize {
    if column.number_count() == 1 { 0 } else { row }
}

/// Array of length `len`, filled chunk by chunk on the device's CPU by `make(rows, part)`.
fn fill_in_chunks<A: HostColumn>(
    cuts: usize,
    len: usize,
    device: &Device,
    make: impl Fn(Range<usize>, &mut A) + Sync + Send,
) -> Result<A> {
    let done = AtomicU64::new(0);
    let parts = device.host_cpu().map_chunks(len, CHUNK, |rows| {
        device.progress().report(done.fetch_add(rows.len() as u64, Ordering::Relaxed), len as u64)?;
        let mut part = A::zeros(cuts, rows.len())?;
        make(rows, &mut part);
        Ok(part)
    });
    A::concatenate(&parts.into_iter().collect::<Result<Vec<A>>>()?, cuts)
}
