//! Formulas over columns of fuzzy numbers.

use super::affine::affine;
use super::vertex::vertex;
use super::{Expr, Method};
use crate::arithmetic::array::{Array, Element, LANES, LuArray, Midpoint, MrArray};
use crate::arithmetic::cut::Cut;
use crate::arithmetic::engine::{self, Engine};
use crate::arithmetic::literal::Literal;
use crate::device::{Cpu, Device};
use crate::error::{Error, Result};
use crate::progress::Progress;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers worked on by one thread at a time: whole blocks of the array, and soon done.
const CHUNK: usize = 16 * LANES;

/// An array that formulas are evaluated over: [`LuArray`] or [`MrArray`].
///
/// The trait is sealed by living in a private module.
#[allow(private_bounds)] // it is out of reach
pub trait Column: Engine {
    /// Makes `number` what a literal says.
    #[allow(private_interfaces)] // the trait is out of reach
    fn put_literal(&mut self, number: usize, literal: &Literal) -> Result<()>;
    /// Arrays one after the other; all but the last hold whole blocks.
    fn join(parts: &[Self], cuts: usize) -> Result<Self>;
}

/// Slices one after the other at the beginning of `whole`.
fn concatenate<'a, T: Copy + 'a>(whole: &mut [T], parts: impl Iterator<Item = &'a [T]>) {
    let mut at = 0;
    for part in parts {
        whole[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    }
}

impl<T: Element> Column for LuArray<T> {
    #[allow(private_interfaces)]
    fn put_literal(&mut self, number: usize, literal: &Literal) -> Result<()> {
        let mut cuts = vec![Cut::UNBOUNDED; self.cuts()];
        literal.fill(&mut cuts)?;
        self.set_cuts(number, |i| cuts[i]);
        Ok(())
    }
    fn join(parts: &[Self], cuts: usize) -> Result<Self> {
        let mut whole = Self::zeros(cuts, parts.iter().map(Self::len).sum())?;
        concatenate(whole.bounds_mut(), parts.iter().map(Self::bounds));
        Ok(whole)
    }
}

impl<T: Midpoint<R>, R: Element> Column for MrArray<T, R> {
    #[allow(private_interfaces)]
    fn put_literal(&mut self, number: usize, literal: &Literal) -> Result<()> {
        if let Some((midpoint, radii)) = literal.ball(self.cuts())? {
            self.put_ball(number, midpoint, &radii);
            return Ok(());
        }
        let mut cuts = vec![Cut::UNBOUNDED; self.cuts()];
        literal.fill(&mut cuts)?;
        self.set_cuts(number, |i| cuts[i]);
        Ok(())
    }
    fn join(parts: &[Self], cuts: usize) -> Result<Self> {
        let mut whole = Self::zeros(cuts, parts.iter().map(Self::len).sum())?;
        let (midpoints, radii) = whole.planes_mut();
        concatenate(midpoints, parts.iter().map(|part| part.planes().0));
        concatenate(radii, parts.iter().map(|part| part.planes().1));
        Ok(whole)
    }
}

impl Expr {
    /// The values for named columns of fuzzy numbers, number by number, in an array with `cuts` cuts.
    ///
    /// All columns are equally long; one of a single number goes with all of its kind. A formula without variables gives
    /// one number. Names that do not appear are ignored. The results are those of [`Expr::evaluate`] to the bit.
    /// [`Method::Vertex`] and [`Method::Affine`] run on the CPU whatever the device is; the operators before them, where
    /// the device is.
    ///
    /// ```
    /// use fuzzion::arithmetic::{Expr, LuArray, Method};
    /// use fuzzion::{Device, Progress};
    /// let demand = LuArray::<f64>::parse(2, &["tri(90, 100, 120)", "[50, 60]"])?;
    /// let price = LuArray::parse(2, &["tri(2, 2.5, 3)"])?; // for both
    /// let columns = [("demand", &demand), ("price", &price)];
    /// let profit = Expr::new("demand * price - 40")?;
    /// let profit = profit.apply(&columns, 2, Method::Direct, &Device::cpu()?, Progress::none())?;
    /// assert_eq!(profit.text(0), "cuts([140, 320], [210, 210])");
    /// assert_eq!(profit.text(1), "cuts([60, 140], [85, 110])");
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Expression`] at a variable that has no column, or at a fuzzy number that is none with so many cuts,
    /// [`Error::FuzzyColumn`] where a column has too many or too few numbers or cuts, [`Error::Parameter`] for no cuts,
    /// those of the device, and [`Error::Interrupted`].
    pub fn apply<A: Column>(
        &self,
        columns: &[(&str, &A)],
        cuts: usize,
        method: Method,
        device: &Device,
        progress: Progress<'_>,
    ) -> Result<A> {
        let variables = self.bind(columns)?;
        let len = self.common_length(&variables, cuts)?;
        let literals = self.literal_columns::<A>(cuts)?;
        let mut direct = A::zeros(cuts, len)?;
        engine::run(&self.program, &variables, &literals, &mut direct, device, progress)?;
        let better = match method {
            Method::Direct => return Ok(direct),
            Method::Vertex => vertex::<A::Bound>,
            Method::Affine => affine::<A::Bound>,
        };
        let literals: Vec<&A> = literals.iter().collect();
        // Both enclose, and so does what they have in common.
        in_chunks(cuts, len, device, progress, |rows, part: &mut A| {
            let mut inputs = [Vec::new(), Vec::new()];
            for (at, row) in rows.enumerate() {
                part.set_cuts(at, |i| {
                    for (cuts, columns) in inputs.iter_mut().zip([&variables, &literals]) {
                        cuts.clear();
                        cuts.extend(columns.iter().map(|column| column.bounds_of(place(*column, row), i)));
                    }
                    direct.bounds_of(row, i).intersection(better(self, &inputs[0], &inputs[1]))
                });
            }
        })
    }

    /// How many numbers the columns have, where they go together.
    fn common_length<A: Column>(&self, columns: &[&A], cuts: usize) -> Result<usize> {
        let lengths = columns.iter().map(|column| column.count());
        let expected = lengths.clone().find(|length| *length != 1).unwrap_or(1);
        for (name, column) in self.variables.iter().zip(columns) {
            let (numbers, depth) = (column.count(), column.depth());
            let (what, found, expected, mend) = if depth != cuts {
                ("cuts", depth, cuts, "give it as many")
            } else if numbers != 1 && numbers != expected {
                ("numbers", numbers, expected, "give it as many, or one for all")
            } else {
                continue;
            };
            return Err(Error::FuzzyColumn { name: name.clone(), what, found, expected, mend });
        }
        Ok(expected)
    }

    /// Every literal as an array of one number.
    fn literal_columns<A: Column>(&self, cuts: usize) -> Result<Vec<A>> {
        let make = |literal: &Literal| {
            let mut column = A::zeros(cuts, 1)?;
            column.put_literal(0, literal).map_err(|error| literal.error(&self.text, error))?;
            Ok(column)
        };
        self.literals.iter().map(make).collect()
    }
}

/// Where number `row` stands in a column; a single one goes with all.
fn place<A: Array>(column: &A, row: usize) -> usize {
    if column.count() == 1 { 0 } else { row }
}

/// An array of `len` numbers, made chunk by chunk on the device's CPU by `make(rows, their part)`.
fn in_chunks<A: Column>(
    cuts: usize,
    len: usize,
    device: &Device,
    progress: Progress<'_>,
    make: impl Fn(Range<usize>, &mut A) + Sync + Send,
) -> Result<A> {
    let cpu = match device {
        Device::Cpu(cpu) | Device::Best(cpu, _) => cpu.clone(),
        Device::Cuda(_) | Device::Cudas(_) => Cpu::new()?,
    };
    let done = AtomicU64::new(0);
    let parts = cpu.map_chunks(len, CHUNK, |rows| {
        progress.report(done.fetch_add(rows.len() as u64, Ordering::Relaxed), len as u64)?;
        let mut part = A::zeros(cuts, rows.len())?;
        make(rows, &mut part);
        Ok(part)
    });
    A::join(&parts.into_iter().collect::<Result<Vec<A>>>()?, cuts)
}
