//! The error type of the library.

use std::path::{Path, PathBuf};
use std::{fmt, io};

/// Result type of the library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Error type of this library. Each variant displays as one sentence: what is wrong, where, and how to fix it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    // ---- settings ----
    /// A setting outside its valid range.
    #[error("{algorithm}: `{name}` is {value}, but it must be {must}")]
    Parameter {
        /// The algorithm.
        algorithm: &'static str,
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// Its valid values.
        must: &'static str,
    },

    /// The progress callback requested cancellation.
    #[error("interrupted")]
    Interrupted,

    /// An unknown option value.
    #[error("unknown {what} `{word}`; expected one of {known}")]
    UnknownWord {
        /// The kind of option.
        what: &'static str,
        /// The value given.
        word: String,
        /// The supported values.
        known: &'static str,
    },

    /// Mutually exclusive settings.
    #[error("{a} cannot be combined with {b}; leave out one of them")]
    NotTogether {
        /// The first setting.
        a: &'static str,
        /// The second setting.
        b: &'static str,
    },

    // ---- devices ----
    /// An unknown device name.
    #[error("unknown device `{0}`; expected `cpu`, `cuda`, `cuda:N`, `cuda:N,M`, `cuda:all` or `best`")]
    UnknownDevice(String),

    /// An invalid number of threads.
    #[error("invalid number of threads `{found}`; expected an integer from 1 to {most}")]
    Threads {
        /// The requested number.
        found: String,
        /// The maximum.
        most: usize,
    },

    /// The threads of a CPU device could not be started.
    #[error("cannot start {} ({reason}); use fewer threads", count(threads, "threads"))]
    ThreadPool {
        /// The requested number of threads.
        threads: usize,
        /// The operating system's error message.
        reason: String,
    },

    /// An operation without CUDA kernels.
    #[error("{what} is not yet supported on a GPU; use the device `cpu`")]
    NotOnGpu {
        /// The operation.
        what: &'static str,
    },

    // ---- CUDA ----
    /// No NVIDIA driver is installed.
    #[error("no NVIDIA driver found; install one, or use the device `cpu`")]
    NoDriver,

    /// The NVIDIA driver is too old.
    #[error(
        "the NVIDIA driver supports CUDA {}.{}, but {}.{} or later is required; update the driver, or use the device `cpu`",
        found.0, found.1, needed.0, needed.1
    )]
    OldDriver {
        /// The CUDA version of the driver, (major, minor).
        found: (i32, i32),
        /// The minimum version.
        needed: (i32, i32),
    },

    /// The driver reports an error, or no GPU.
    #[error("no usable GPU found ({reason}); check `nvidia-smi`, or use the device `cpu`")]
    NoGpu {
        /// The driver's error message.
        reason: String,
    },

    /// A GPU index out of range.
    #[error("unknown device `cuda:{index}`; available GPUs: {}", gpu_names(*count))]
    NoSuchGpu {
        /// The index given.
        index: usize,
        /// The number of GPUs.
        count: usize,
    },

    /// Not enough free GPU memory.
    #[error(
        "out of GPU memory: {asked} bytes requested, {free} bytes free; reduce the size of the problem, or use \
         another GPU or the device `cpu`"
    )]
    OutOfDeviceMemory {
        /// Number of bytes requested.
        asked: u64,
        /// Number of bytes free at the time.
        free: u64,
    },

    /// A CUDA driver call failed.
    #[error("CUDA error while {doing}: {reason}")]
    Cuda {
        /// The operation.
        doing: &'static str,
        /// The name of the CUDA error and its description.
        reason: String,
    },

    /// NVRTC, the run-time compiler of the CUDA kernels, was not found.
    #[error(
        "the CUDA run-time compiler NVRTC was not found in any of {searched} locations{}; \
         install a CUDA toolkit or `pip install nvidia-cuda-nvrtc`, or set FUZZION_NVRTC to its path",
        refused.as_ref().map(|why| format!(" ({why})")).unwrap_or_default()
    )]
    NoNvrtc {
        /// Number of paths searched.
        searched: usize,
        /// Why the first library found could not be loaded.
        refused: Option<String>,
    },

    /// A CUDA program that failed to compile.
    #[error("NVRTC failed to compile {program} for {architecture}:\n{log}")]
    Compile {
        /// The program.
        program: &'static str,
        /// The GPU architecture, such as `sm_90`.
        architecture: String,
        /// The compiler log.
        log: String,
    },

    // ---- data ----
    /// A file could not be read or written.
    #[error("cannot {doing} {path}: {cause}", path = target(doing, path))]
    File {
        /// The operation: `read` or `write`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        cause: io::Error,
    },

    /// Pixels that do not form an image.
    #[error("cannot draw the image: {reason}")]
    Picture {
        /// The problem.
        reason: String,
    },

    /// A non-numeric cell in a numeric column.
    #[error(
        "{path}, line {line}, column {column} (`{name}`): `{text}` is not a number; write a number such as \
         {number}, leave the cell empty if the value is missing, or read `{name}` as labels",
        path = shown(path)
    )]
    NotANumber {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column, from 1.
        column: usize,
        /// The column's name.
        name: String,
        /// The cell's text, truncated if long.
        text: String,
        /// The number format of the file.
        number: &'static str,
    },

    /// Text that is not UTF-8.
    #[error("{path}, line {line}, column {column}: invalid UTF-8; save the file as UTF-8", path = shown(path))]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column, from 1.
        column: usize,
    },

    /// A line with a different number of fields than the first line.
    #[error(
        "{path}, line {line}: expected {fields}, found {found}; fix the line, quote fields that contain the \
         separator, or specify the separator",
        path = shown(path), fields = count(expected, "fields")
    )]
    Ragged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Number of fields of the line.
        found: usize,
        /// Number of fields of the first line.
        expected: usize,
    },

    /// A file whose content is not valid for its format.
    #[error("{path} cannot be read as {format}: {reason}", path = shown(path))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The expected format.
        format: &'static str,
        /// The problem and how to fix it.
        reason: String,
    },

    /// A file larger than the available memory.
    #[error(
        "{path} needs {bytes} bytes of memory, more than is available; read it in chunks or in single precision",
        path = shown(path)
    )]
    OutOfMemory {
        /// The file.
        path: PathBuf,
        /// Number of bytes of its values.
        bytes: u64,
    },

    /// A file without data.
    #[error("{path} contains no {what}; at least one is required", path = shown(path))]
    NoData {
        /// The file.
        path: PathBuf,
        /// The missing content: `rows`, `columns of numbers`, `frames`, …
        what: &'static str,
    },

    /// A missing column.
    #[error("missing column `{name}`; available columns: {known}")]
    UnknownColumn {
        /// Its name.
        name: String,
        /// The available columns.
        known: String,
    },

    /// Values that do not fill the columns evenly.
    #[error(
        "{} cannot fill {} evenly; the number of values must be a multiple of the number of columns",
        count(values, "values"),
        count(columns, "columns")
    )]
    TableShape {
        /// Number of values.
        values: usize,
        /// Number of columns.
        columns: usize,
    },

    /// A label column whose length differs from the number of rows of its table.
    #[error(
        "label column `{name}` has {}, but the table has {rows}; give one label per row",
        count(found, "rows")
    )]
    LabelRows {
        /// The label column.
        name: String,
        /// Its number of rows.
        found: usize,
        /// The table's number of rows.
        rows: usize,
    },

    /// Labels in a numeric-only file format.
    #[error("{format} files store numbers only; leave out the label column `{name}`, or use CSV")]
    LabelsNotHeld {
        /// The format.
        format: &'static str,
        /// The label column.
        name: String,
    },

    /// A chunk of a table with different columns than the previous chunks.
    #[error(
        "a chunk for {path} differs from the previous chunks; all chunks must have the same columns and precision",
        path = shown(path)
    )]
    PieceShape {
        /// The file being written.
        path: PathBuf,
    },

    /// A missing or infinite value where every value must be finite.
    #[error(
        "row {row}, column {column} (`{name}`) is {value}, but every value must be finite; fill in or drop \
         missing values, or drop the column"
    )]
    NotFinite {
        /// The row, from 1 (not counting the header).
        row: u64,
        /// The column, from 1.
        column: usize,
        /// The column's name.
        name: String,
        /// The value.
        value: f64,
    },

    /// An unsupported file format.
    #[error("{path}: unsupported format; supported formats: {known}", path = shown(path))]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The supported file extensions.
        known: &'static str,
    },

    /// A Parquet file in a build without Parquet support.
    #[error(
        "{path} is a Parquet file, but this build has no Parquet support; build with `--features parquet`, or \
         convert the file to CSV or NPY",
        path = shown(path)
    )]
    WithoutParquet {
        /// The file.
        path: PathBuf,
    },

    /// An unknown separator name.
    #[error("unknown separator `{0}`; expected `comma`, `semicolon`, `tab`, `pipe` or `blank`")]
    UnknownSeparator(String),

    /// A second pass over a pipe.
    #[error("{path} can be read only once; save it to a file and use that file", path = shown(path))]
    OnlyOnce {
        /// The pipe.
        path: PathBuf,
    },

    /// Images or frames with an invalid shape.
    #[error("{what} is {found}, but it must be {must}")]
    ImageShape {
        /// The image or property.
        what: String,
        /// Its shape.
        found: String,
        /// The expected shape.
        must: String,
    },

    // ---- sets ----
    /// An unknown shape of a fuzzy set.
    #[error("unknown shape `{name}`; available shapes: {known}")]
    UnknownShape {
        /// The name given.
        name: String,
        /// The available shapes.
        known: String,
    },

    /// The wrong number of parameters for a shape.
    #[error("{shape} takes {takes}, but {} given", count_were(given, "numbers"))]
    ParameterCount {
        /// The shape.
        shape: &'static str,
        /// The expected parameters.
        takes: String,
        /// Number of parameters given.
        given: usize,
    },

    /// A syntax error in an expression, with a caret under its position.
    #[error("{problem}\n  {text}\n  {caret:>width$}", caret = '^', width = column)]
    Expression {
        /// The problem, and what was expected.
        problem: String,
        /// The expression, or the part of it around the error.
        text: String,
        /// The position in `text`, in characters from 1.
        column: usize,
    },

    /// Columns that do not match the variables of an expression.
    #[error(
        "the expression has {}, but {} given; give one column per variable, all of the same length",
        count(variables, "variables"),
        count_were(given, "columns")
    )]
    ExpressionColumns {
        /// Number of variables.
        variables: usize,
        /// Number of columns.
        given: usize,
    },

    // ---- arithmetic ----
    /// Bounds that are not the alpha-cuts of a fuzzy number.
    #[error("alpha-cut {cut} is [{lower}, {upper}], but {problem}")]
    FuzzyCut {
        /// Index of the alpha-cut, 0 for the support.
        cut: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
        /// The violated condition.
        problem: &'static str,
    },

    /// A midpoint and radii that do not form a fuzzy number.
    #[error("alpha-cut {cut} has midpoint {midpoint} and radius {radius}, but {problem}")]
    FuzzyRadius {
        /// Index of the alpha-cut, 0 for the support.
        cut: usize,
        /// The midpoint of all alpha-cuts.
        midpoint: f64,
        /// Its radius.
        radius: f64,
        /// The violated condition.
        problem: &'static str,
    },

    /// Arrays of fuzzy numbers with incompatible lengths.
    #[error(
        "cannot combine arrays of lengths {first} and {second}; lengths must match, or one of them must be 1"
    )]
    ArrayLengths {
        /// Length of the first array.
        first: usize,
        /// Length of the second array.
        second: usize,
    },

    /// Arrays of fuzzy numbers with different numbers of alpha-cuts.
    #[error(
        "cannot combine fuzzy numbers with {first} and {second} alpha-cuts; the numbers of alpha-cuts must match"
    )]
    ArrayCuts {
        /// Number of alpha-cuts of the first array.
        first: usize,
        /// Number of alpha-cuts of the second array.
        second: usize,
    },

    /// A fuzzy number written with the wrong number of alpha-cuts.
    #[error("expected {wanted} alpha-cuts, or 1 for all levels, but {given} were given")]
    CutCount {
        /// Number of alpha-cuts given.
        given: usize,
        /// Number of alpha-cuts expected.
        wanted: usize,
    },

    /// A number of sort keys that differs from the length of the array.
    #[error(
        "{} given for an array of {}; give one key per number",
        count_were(keys, "sort keys"),
        count(numbers, "numbers")
    )]
    KeyCount {
        /// Number of keys.
        keys: usize,
        /// Length of the array.
        numbers: usize,
    },

    /// More keys than a 32-bit index can address.
    #[error("cannot sort {keys} keys at once; sort at most {most} at a time")]
    TooManyKeys {
        /// Number of keys.
        keys: usize,
        /// The maximum.
        most: u32,
    },

    /// An order with an index out of range.
    #[error(
        "entry {at} of the order is {number}, which is out of range for an array of {}; indices start at 0",
        count(numbers, "numbers")
    )]
    NoSuchNumber {
        /// The position in the order, from 0.
        at: usize,
        /// The index at that position.
        number: u32,
        /// Length of the array.
        numbers: usize,
    },

    /// A syntax error in one of many fuzzy numbers, with a caret under its position.
    #[error("{place}: {problem}\n  {text}\n  {caret:>width$}", caret = '^', width = column)]
    FuzzyText {
        /// Description of the number's location.
        place: String,
        /// Index of the number, from 0.
        number: usize,
        /// The problem, and what was expected.
        problem: String,
        /// The text of the number, or the part of it around the error.
        text: String,
        /// The position in `text`, in characters from 1.
        column: usize,
    },

    /// Columns of fuzzy numbers with incompatible shapes.
    #[error("the variable `{name}` has {}, but {expected} are needed; {advice}", count(found, what))]
    FuzzyColumn {
        /// The variable.
        name: String,
        /// The mismatched quantity: `numbers` or `alpha-cuts`.
        what: &'static str,
        /// Its value.
        found: usize,
        /// Its expected value.
        expected: usize,
        /// How to fix it.
        advice: &'static str,
    },

    // ---- clustering ----
    /// A table without a numeric column to cluster.
    #[error("no numeric column to cluster; select at least one besides labels and weights")]
    NothingToCluster,

    /// More clusters than rows.
    #[error(
        "cannot form {} from {}; use at most as many clusters as rows",
        count(clusters, "clusters"),
        count(rows, "rows")
    )]
    TooFewRows {
        /// Number of clusters.
        clusters: usize,
        /// Number of rows.
        rows: u64,
    },

    /// A table with the wrong shape.
    #[error(
        "the {what} are {} × {} (rows × columns), but they must be {} × {}",
        found.0, found.1, expected.0, expected.1
    )]
    ClusteringShape {
        /// The content of the table, such as `samples`.
        what: &'static str,
        /// Its numbers of rows and columns.
        found: (u64, usize),
        /// The expected numbers of rows and columns.
        expected: (u64, usize),
    },

    /// Initial values that are not finite.
    #[error("the {what} contain {value} in row {row}, column {column}; all values must be finite")]
    StartNotFinite {
        /// The kind of initial values.
        what: &'static str,
        /// The row, from 1.
        row: u64,
        /// The column, from 1.
        column: usize,
        /// The value.
        value: f64,
    },

    /// Invalid sample weights.
    #[error(
        "the sample weight of row {row} is {value}; give one finite, nonnegative weight per row, not all of them 0"
    )]
    Weight {
        /// The row, from 1.
        row: u64,
        /// Its weight; NaN if missing.
        value: f64,
    },

    /// A constant column with a metric that divides by the spread of each column.
    #[error(
        "column {column} (`{name}`) is constant, so the metric cannot divide by its spread; drop the column or use the \
         Euclidean metric"
    )]
    ConstantColumn {
        /// The column, from 1.
        column: usize,
        /// Its name.
        name: String,
    },

    /// A singular covariance matrix.
    #[error(
        "the covariance matrix of the {whose} is singular, so it defines no distance; drop linearly dependent columns"
    )]
    Singular {
        /// The data it belongs to.
        whose: &'static str,
    },

    /// A text column among the columns to cluster.
    #[error("column `{name}` contains text, but clustering needs numbers; drop the column")]
    TextColumn {
        /// The column.
        name: String,
    },

    /// Data whose columns differ from those of the model.
    #[error("the model was fitted to {model}, but the data has {data}; use data with the model's columns")]
    ModelColumns {
        /// The model's columns.
        model: String,
        /// The columns of the data.
        data: String,
    },

    /// Typicalities requested from a partition that has none.
    #[error(
        "only possibilistic and possibilistic-fuzzy partitions have typicalities; use memberships instead"
    )]
    NoTypicalities,

    /// Quality sums of different partitions.
    #[error(
        "cannot add quality sums of {} and {} to quality sums of {} and {}; compute both for the same partition",
        count(&found.0, "clusters"), count(&found.1, "columns"), count(&expected.0, "clusters"),
        count(&expected.1, "columns")
    )]
    SumsShape {
        /// Numbers of clusters and columns of the added sums.
        found: (usize, usize),
        /// Numbers of clusters and columns of the existing sums.
        expected: (usize, usize),
    },

    // ---- inference ----
    /// An unknown window operator.
    #[error("unknown window operator `{name}`; available operators: {known}, or the path of a system file")]
    UnknownOperator {
        /// The name given.
        name: String,
        /// The available operators.
        known: String,
    },

    /// A syntax error in a system file or a rule, with a caret under its position.
    #[error("{place}, line {line}, column {column}: {problem}\n  {text}\n  {mark:>width$}", mark = '^', width = caret)]
    Syntax {
        /// The file, or a description of the text.
        place: String,
        /// The line, from 1.
        line: usize,
        /// The column, in characters from 1.
        column: usize,
        /// The problem, and what was expected.
        problem: String,
        /// The line, or the part of it around the error.
        text: String,
        /// The position in `text`, in characters from 1.
        caret: usize,
    },

    /// An invalid fuzzy system.
    #[error("{place} {problem}")]
    System {
        /// The invalid part.
        place: String,
        /// The problem and how to fix it.
        problem: String,
    },

    /// A fuzzy system that cannot be exported as source code.
    #[error("the system cannot be written as {language}: {problem}")]
    Export {
        /// The language.
        language: &'static str,
        /// The problem and how to fix it.
        problem: String,
    },

    /// A text column for a numeric input.
    #[error(
        "column `{name}` contains text, but the input of that name needs numbers; fix the column, and leave missing \
         values empty"
    )]
    TextInput {
        /// The column.
        name: String,
    },

    /// An interval type-2 system where a type-1 system is required.
    #[error(
        "{place} contains an interval type-2 system, which can be inferred and written as `.fll` or `.json`, but not \
         shown, explained, tabulated or exported; remove its upper sets and type reduction to make it a type-1 system"
    )]
    IntervalSystem {
        /// The file, or a description of the text.
        place: String,
    },

    /// A row with the wrong number of values.
    #[error(
        "the system has {}, but {} given; give one value per {what}",
        count(expected, &format!("{what}s")), count_were(found, "values")
    )]
    RowLength {
        /// `input`, `output` or `rule`.
        what: &'static str,
        /// Number of values given.
        found: usize,
        /// Expected number of values.
        expected: usize,
    },

    // ---- tuning ----
    /// Normal equations of different systems.
    #[error(
        "cannot add normal equations of {} and {} to those of {} and {}; compute both with the same rules, order and \
         targets",
        count(&found.0, "unknowns"), count(&found.1, "outputs"), count(&expected.0, "unknowns"),
        count(&expected.1, "outputs")
    )]
    StatisticsShape {
        /// Numbers of unknowns and outputs of the added equations.
        found: (usize, usize),
        /// Numbers of unknowns and outputs of the existing equations.
        expected: (usize, usize),
    },

    /// Normal equations with the wrong number of values.
    #[error(
        "normal equations of {} and {} cannot have {} in `{part}`; compute them again from the data",
        count(unknowns, "unknowns"),
        count(outputs, "outputs"),
        count(found, "values")
    )]
    StatisticsParts {
        /// The invalid part.
        part: &'static str,
        /// Its number of values.
        found: usize,
        /// Number of unknowns of each output.
        unknowns: usize,
        /// Number of outputs.
        outputs: usize,
    },

    /// A column that cannot be used for training.
    #[error("the {what} `{name}` {problem}")]
    LearnedColumn {
        /// Role of the column: `input`, `target`, `class` or `column`.
        what: &'static str,
        /// Its name.
        name: String,
        /// The problem and how to fix it.
        problem: &'static str,
    },

    /// More consequent parameters than training rows.
    #[error(
        "{} too few for {unknowns} consequents per target; use fewer sets or a lower order, or set a ridge of at \
         least 1e-6",
        count_are(rows, "training rows")
    )]
    FewTrainingRows {
        /// Number of training rows.
        rows: usize,
        /// Number of consequents per target.
        unknowns: usize,
    },

    /// Too many rules or consequents.
    #[error(
        "{rules} rules with {} each exceed the limit of {most} consequents; use fewer sets or a lower order, or create \
         the rules by clustering",
        count(terms, "consequents")
    )]
    TooManyRules {
        /// Number of rules.
        rules: u128,
        /// Number of consequents per rule and target.
        terms: u128,
        /// Maximum number of consequents per target.
        most: usize,
    },

    /// The wrong number of set counts.
    #[error(
        "{given} set counts were given for {}; give one per input, or one for all",
        count(inputs, "inputs")
    )]
    SetCounts {
        /// Number of set counts given.
        given: usize,
        /// Number of inputs.
        inputs: usize,
    },

    /// A class column with too few or too many classes.
    #[error(
        "the class column `{name}` has {}, but a classifier needs 2 to {most} classes; use another column",
        count(found, "distinct values")
    )]
    ClassCount {
        /// The column.
        name: String,
        /// Number of distinct values.
        found: usize,
        /// Maximum number of classes.
        most: usize,
    },

    /// A problem too large for Levenberg-Marquardt.
    #[error(
        "Levenberg-Marquardt is limited to {most} parameters, but this system has {parameters}; use the hybrid method \
         or fewer rules"
    )]
    TooManyParameters {
        /// Number of parameters.
        parameters: usize,
        /// The maximum.
        most: usize,
    },

    // ---- sonfin ----
    /// More inputs than threads in a block.
    #[error(
        "the mapping `rule-per-block` uses one thread per input and supports at most {most} inputs, not {dims}; use the \
         mapping `atm`, `resident` or `auto`"
    )]
    TooManyInputsForMapping {
        /// Number of inputs.
        dims: usize,
        /// The maximum.
        most: usize,
    },

    /// Resuming a fit with different data.
    #[error(
        "the data ({}) is not that of the interrupted fit; resume with the same data, or start a new fit",
        count(rows, "rows")
    )]
    OtherRows {
        /// Number of rows.
        rows: usize,
    },

    /// A table without one of the model's input columns.
    #[error(
        "missing column `{name}`; available columns: {known}; the model needs all {inputs} input columns that it was \
         trained on"
    )]
    ModelColumn {
        /// The column.
        name: String,
        /// Number of inputs of the model.
        inputs: usize,
        /// The available columns.
        known: String,
    },
}

/// `n` and its unit, such as `1 row` or `3 rows`; `units` is the plural.
fn count<N: fmt::Display + PartialEq + From<u8>>(n: &N, units: &str) -> String {
    let unit = if *n == N::from(1) { units.trim_end_matches('s') } else { units };
    format!("{n} {unit}")
}

/// [`count`] with the verb, such as `1 row was` or `3 rows were`.
fn count_were<N: fmt::Display + PartialEq + From<u8>>(n: &N, units: &str) -> String {
    format!("{} {}", count(n, units), if *n == N::from(1) { "was" } else { "were" })
}

/// [`count`] with the verb, such as `1 row is` or `3 rows are`.
fn count_are<N: fmt::Display + PartialEq + From<u8>>(n: &N, units: &str) -> String {
    format!("{} {}", count(n, units), if *n == N::from(1) { "is" } else { "are" })
}

/// The names of `count` GPUs.
fn gpu_names(count: usize) -> String {
    (0..count).map(|index| format!("`cuda:{index}`")).collect::<Vec<_>>().join(", ")
}

/// Display form of the path of a file being read or written.
fn target<'a>(doing: &str, path: &'a Path) -> std::borrow::Cow<'a, str> {
    if doing == "write" && path == Path::new("-") { "standard output".into() } else { shown(path) }
}

/// Display form of a path; `-` is standard input.
fn shown(path: &Path) -> std::borrow::Cow<'_, str> {
    if path == Path::new("-") {
        return "standard input".into();
    }
    let name = path.to_string_lossy();
    // Control characters in a file name must not reach the terminal.
    if name.contains(char::is_control) { escaped(&name).into() } else { name }
}

/// `text` with its control characters escaped.
fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let (plain, escape) =
                if c.is_control() { (None, Some(c.escape_default())) } else { (Some(c), None) };
            plain.into_iter().chain(escape.into_iter().flatten())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_and_verbs_agree_with_their_number() {
        assert_eq!([0usize, 1, 2].map(|n| count(&n, "rows")), ["0 rows", "1 row", "2 rows"]);
        assert_eq!([1u64, 3].map(|n| count_were(&n, "values")), ["1 value was", "3 values were"]);
        assert_eq!([1usize, 3].map(|n| count_are(&n, "keys")), ["1 key is", "3 keys are"]);
    }

    #[test]
    fn an_unknown_gpu_is_reported_with_the_available_ones() {
        let message = Error::NoSuchGpu { index: 5, count: 2 }.to_string();
        assert_eq!(message, "unknown device `cuda:5`; available GPUs: `cuda:0`, `cuda:1`");
    }
}
