//! Names of sets that the user chooses.

use crate::data::unknown_column;
use crate::tuning::error::Result;
use crate::tuning::export::names::rename_sets;
use crate::tuning::model::TunedSystem;

impl TunedSystem {
    /// Gives the sets of an input these names, in ascending order of the sets.
    ///
    /// ```
    /// use fuzzion::{Device, Table, tuning::{Tuner, inspect}};
    /// let rows: Vec<f64> = (0..=20).flat_map(|i| [f64::from(i), f64::from(3 * i)]).collect();
    /// let tuned = Tuner::grid(&[2]).iterations(0).fit(&Table::new(["age", "y"], rows)?, &["y"], &Device::cpu()?)?;
    /// let named = tuned.clone().with_words("age", &["young", "old"])?;
    /// assert_eq!(inspect::rules(&named.system)?[0], "if age is young then y = 3 age");
    /// let error = tuned.with_words("age", &["young", "middle", "old"]).unwrap_err();
    /// let message = "the input `age` has 2 sets (`low`, `high`), but 3 words were given; give one word for each set, in ascending order";
    /// assert_eq!(error.to_string(), message);
    /// # Ok::<(), fuzzion::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`DataError::UnknownColumn`](crate::data::DataError::UnknownColumn) for an unknown input, and
    /// [`InferenceError::InvalidSystem`](crate::inference::InferenceError::InvalidSystem) if the number of words differs
    /// from the number of sets, or a word is repeated or not valid in rules.
    pub fn with_words(mut self, input: &str, words: &[impl AsRef<str>]) -> Result<Self> {
        let position = self.inputs.iter().position(|column| column == input);
        let index = position.ok_or_else(|| unknown_column(input, &self.inputs))?;
        let words: Vec<String> = words.iter().map(|word| word.as_ref().to_owned()).collect();
        rename_sets(&mut self.system.inputs[index], input, &words)?;
        Ok(self)
    }
}
