//! Every way to fail: what, where, and how to mend it.

use std::io;
use std::path::{Path, PathBuf};

/// The result of every fallible call of this library.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, where, and how to mend it; each variant displays as one sentence.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    // ---- settings ----
    /// A setting outside the values it may take.
    #[error("{algorithm}: `{name}` is {value}, but it must be {must}")]
    Parameter {
        /// The algorithm that refuses it.
        algorithm: &'static str,
        /// The setting.
        name: &'static str,
        /// What it was set to.
        value: f64,
        /// What it may be.
        must: &'static str,
    },

    /// The progress callback asked to stop.
    #[error("interrupted")]
    Interrupted,

    /// A word that is none of those there are.
    #[error("no {what} is called `{word}`; use one of {known}")]
    UnknownWord {
        /// What was looked for.
        what: &'static str,
        /// The word.
        word: String,
        /// The words there are.
        known: &'static str,
    },

    /// Settings that exclude each other.
    #[error("{a} cannot be combined with {b}; leave out one of them")]
    NotTogether {
        /// The one.
        a: &'static str,
        /// The other.
        b: &'static str,
    },

    // ---- devices ----
    /// A word that names no device.
    #[error("no device is called `{0}`; use `cpu`, `cuda`, `cuda:N`, `cuda:N,M`, `cuda:all` or `best`")]
    UnknownDevice(String),

    /// A thread count that cannot be used.
    #[error("`{found}` is not a number of threads; use a whole number from 1 to {most}")]
    Threads {
        /// What was asked for.
        found: String,
        /// The most that can be had.
        most: usize,
    },

    /// The threads of a CPU device could not be started.
    #[error("cannot start {threads} threads ({reason}); ask for fewer")]
    ThreadPool {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },

    /// Something that has no CUDA kernels.
    #[error("{what} does not run on a GPU yet; use the device `cpu`")]
    NotOnGpu {
        /// What was asked for.
        what: &'static str,
    },

    // ---- CUDA ----
    /// The machine has no NVIDIA driver.
    #[error("CUDA needs an NVIDIA driver, and this machine has none; install one, or use the device `cpu`")]
    NoDriver,

    /// The driver is too old for us.
    #[error(
        "the NVIDIA driver supports CUDA {}.{} and we need {}.{}; update the driver, or use the device `cpu`",
        found.0, found.1, needed.0, needed.1
    )]
    OldDriver {
        /// What the driver supports, (major, minor).
        found: (i32, i32),
        /// The least we can use.
        needed: (i32, i32),
    },

    /// The driver is there but answers with an error, or shows no GPU.
    #[error("the NVIDIA driver finds no usable GPU ({reason}); check `nvidia-smi`, or use the device `cpu`")]
    NoGpu {
        /// What the driver said.
        reason: String,
    },

    /// A GPU number past the last one.
    #[error("there is no device `cuda:{index}`; this machine has {count}, numbered from `cuda:0`")]
    NoSuchGpu {
        /// The number asked for.
        index: usize,
        /// How many GPUs there are.
        count: usize,
    },

    /// The GPU's memory is full.
    #[error(
        "the GPU has no room for {asked} more bytes ({free} are free); use a smaller problem, another GPU, or the device `cpu`"
    )]
    OutOfDeviceMemory {
        /// Bytes asked for.
        asked: u64,
        /// Bytes free at that moment.
        free: u64,
    },

    /// A call of the CUDA driver failed.
    #[error("CUDA failed while {doing}: {reason}")]
    Cuda {
        /// What was being done.
        doing: &'static str,
        /// The driver's name for the failure and its explanation.
        reason: String,
    },

    /// NVRTC, which compiles kernels for the GPU at hand, is not on this machine.
    #[error(
        "CUDA's run-time compiler NVRTC is in none of {searched} places{}; \
         install a CUDA toolkit or `pip install nvidia-cuda-nvrtc`, or say where it is in FUZZION_NVRTC",
        refused.as_ref().map(|why| format!(" ({why})")).unwrap_or_default()
    )]
    NoNvrtc {
        /// How many folders and names were looked at.
        searched: usize,
        /// Why the first one that was there could not be loaded.
        refused: Option<String>,
    },

    /// A kernel that the compiler refuses.
    #[error("NVRTC cannot compile {program} for {architecture}:\n{log}")]
    Compile {
        /// The program.
        program: &'static str,
        /// The GPU architecture, such as `sm_90`.
        architecture: String,
        /// The compiler's words.
        log: String,
    },

    // ---- data ----
    /// The system refused to read or write a file.
    #[error("cannot {doing} {path}: {cause}", path = target(doing, path))]
    File {
        /// What was being done: `read`, `write`, …
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },

    /// Pixels that make no picture.
    #[error("cannot draw the picture: {reason}")]
    Picture {
        /// What is wrong with them.
        reason: String,
    },

    /// A cell that should hold a number and holds something else.
    #[error(
        "{path}, line {line}, column {column} (`{name}`): `{text}` is not a number; write it like {number}, \
         leave it empty if it is missing, or read `{name}` as labels if it holds text",
        path = shown(path)
    )]
    NotANumber {
        /// The file.
        path: PathBuf,
        /// The line it stands in, from 1.
        line: u64,
        /// The column it stands in, from 1.
        column: usize,
        /// The column's name.
        name: String,
        /// What stands there (its beginning, if it is long).
        text: String,
        /// How numbers are written in this file.
        number: &'static str,
    },

    /// Text in another encoding than the one everything here is in.
    #[error("{path}, line {line}, column {column} is not UTF-8; save it as UTF-8", path = shown(path))]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The column, from 1.
        column: usize,
    },

    /// A line with more or fewer fields than the first one.
    #[error(
        "{path}, line {line}: {found} fields found, {expected} expected; mend the line, quote fields that hold the \
         separator, or name the separator",
        path = shown(path)
    )]
    Ragged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// Its fields.
        found: usize,
        /// The fields of the first line.
        expected: usize,
    },

    /// A file whose content is not what its name or its first bytes promise.
    #[error("{path} cannot be read as {format}: {reason}", path = shown(path))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What it was taken for.
        format: &'static str,
        /// What is wrong with it and how to mend it.
        reason: String,
    },

    /// A file larger than the memory.
    #[error(
        "{path} needs {bytes} bytes of memory, more than there are; read it in pieces or in single precision",
        path = shown(path)
    )]
    OutOfMemory {
        /// The file.
        path: PathBuf,
        /// Bytes its numbers take.
        bytes: u64,
    },

    /// A file with nothing in it to compute with.
    #[error("{path} holds no {what}; it needs at least one", path = shown(path))]
    NoData {
        /// The file.
        path: PathBuf,
        /// What is missing: `rows`, `columns of numbers`, `frames`.
        what: &'static str,
    },

    /// A column that is not there.
    #[error("no column is called `{name}`; there is {known}")]
    UnknownColumn {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },

    /// A table whose parts do not fit together.
    #[error("{values} values cannot fill {columns} columns evenly; a table needs columns × rows values")]
    TableShape {
        /// How many values were given.
        values: usize,
        /// How many columns they should fill.
        columns: usize,
    },

    /// A label column of another length than its table.
    #[error("label column `{name}` has {found} rows, but the table has {rows}; give one label for each row")]
    LabelRows {
        /// The label column.
        name: String,
        /// Its rows.
        found: usize,
        /// The table's rows.
        rows: usize,
    },

    /// Text where a file format holds numbers only.
    #[error(
        "{format} holds numbers only, so `{name}` cannot be a label column in it; leave it out or use CSV"
    )]
    LabelsNotHeld {
        /// The format.
        format: &'static str,
        /// The label column.
        name: String,
    },

    /// A piece of a table with other columns than the pieces before it.
    #[error(
        "a piece for {path} has other columns than those before it; give all pieces the same columns and precision",
        path = shown(path)
    )]
    PieceShape {
        /// The file being written.
        path: PathBuf,
    },

    /// A missing or infinite value where every value must be finite.
    #[error(
        "row {row}, column {column} (`{name}`) is {value}, but every value must be finite; fill or leave out rows \
         with missing values, or leave the column out"
    )]
    NotFinite {
        /// The row, from 1 (the header is not counted).
        row: u64,
        /// The column, from 1.
        column: usize,
        /// The column's name.
        name: String,
        /// What stands there.
        value: f64,
    },

    /// A file of a kind that is not known here.
    #[error("{path} is of no known kind; known are {known}", path = shown(path))]
    UnknownFormat {
        /// The file.
        path: PathBuf,
        /// The endings that are known.
        known: &'static str,
    },

    /// A Parquet file, and no Parquet in this build.
    #[error(
        "{path} is a Parquet file, and this build cannot read or write it; build with `--features parquet`, or \
         convert it to CSV or NPY",
        path = shown(path)
    )]
    WithoutParquet {
        /// The file.
        path: PathBuf,
    },

    /// A word that names no separator.
    #[error("no separator is called `{0}`; use `comma`, `semicolon`, `tab`, `pipe` or `blank`")]
    UnknownSeparator(String),

    /// A second pass over what can be read only once.
    #[error("{path} can be read only once; save it to a file and give that file's name", path = shown(path))]
    OnlyOnce {
        /// The pipe.
        path: PathBuf,
    },

    /// Images or frames whose parts do not fit together.
    #[error("{what} is {found}, but it must be {must}")]
    ImageShape {
        /// What does not fit.
        what: String,
        /// What it is.
        found: String,
        /// What it must be.
        must: String,
    },

    // ---- sets ----
    /// A name that is no shape of a fuzzy set.
    #[error("no fuzzy set is called `{name}`; the shapes are {known}")]
    UnknownShape {
        /// The name that was given.
        name: String,
        /// The names there are.
        known: String,
    },

    /// Too few or too many numbers for a shape.
    #[error("{shape} takes {takes}, but {given} numbers were given")]
    ParameterCount {
        /// The shape.
        shape: &'static str,
        /// What it takes.
        takes: String,
        /// How many there were.
        given: usize,
    },

    /// An expression that cannot be read, with a caret under the place.
    #[error("{problem}\n  {text}\n  {caret:>width$}", caret = '^', width = column)]
    Expression {
        /// What is wrong and what was expected.
        problem: String,
        /// The expression, or the part of it around the place.
        text: String,
        /// The place in `text`, counted in characters from 1.
        column: usize,
    },

    /// A row of values that does not fit an expression's variables.
    #[error(
        "the expression has {variables} variables, but {given} columns were given; give one per variable, equally long"
    )]
    ExpressionColumns {
        /// How many it has.
        variables: usize,
        /// How many were given.
        given: usize,
    },

    // ---- arithmetic ----
    /// Bounds that are no cuts of a fuzzy number.
    #[error("cut {cut} is [{lower}, {upper}], but {problem}")]
    FuzzyCut {
        /// The cut, 0 for the support.
        cut: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
        /// What must be.
        problem: &'static str,
    },

    /// A midpoint and radii that are no fuzzy number.
    #[error("cut {cut} has the midpoint {midpoint} and the radius {radius}, but {problem}")]
    FuzzyRadius {
        /// The cut, 0 for the support.
        cut: usize,
        /// The midpoint of all cuts.
        midpoint: f64,
        /// Its radius.
        radius: f64,
        /// What must be.
        problem: &'static str,
    },

    /// Arrays of fuzzy numbers whose lengths do not go together.
    #[error("arrays of {first} and of {second} numbers do not go together; give as many, or one for all")]
    ArrayLengths {
        /// How many numbers one has.
        first: usize,
        /// How many the other has.
        second: usize,
    },

    /// Arrays of fuzzy numbers with different numbers of cuts.
    #[error("numbers of {first} and of {second} cuts do not go together; give all as many")]
    ArrayCuts {
        /// How many cuts those of one array have.
        first: usize,
        /// How many those of the other have.
        second: usize,
    },

    /// A fuzzy number written with another number of cuts.
    #[error("{given} cuts are given, but the number has {wanted}; give as many, or one for all")]
    CutCount {
        /// How many there are.
        given: usize,
        /// How many there must be.
        wanted: usize,
    },

    /// Keys to sort an array by that are not one for each number.
    #[error("{keys} keys are given for an array of {numbers} numbers; give one for each number")]
    KeyCount {
        /// How many keys there are.
        keys: usize,
        /// How many numbers the array has.
        numbers: usize,
    },

    /// More keys than places can be counted.
    #[error("{keys} keys cannot be sorted at once; sort parts of at most {most}")]
    TooManyKeys {
        /// How many there are.
        keys: usize,
        /// How many there may be.
        most: u32,
    },

    /// An order that names a number that an array has not.
    #[error(
        "place {at} of the order names number {number}, but the array has {numbers} numbers, counted from 0"
    )]
    NoSuchNumber {
        /// The place in the order, counted from 0.
        at: usize,
        /// What it names.
        number: u32,
        /// How many numbers the array has.
        numbers: usize,
    },

    /// A fuzzy number among many that cannot be read, with a caret under the place.
    #[error("{place}: {problem}\n  {text}\n  {caret:>width$}", caret = '^', width = column)]
    FuzzyText {
        /// Which number it is, in words.
        place: String,
        /// Which number it is, from 0.
        number: usize,
        /// What is wrong and what was expected.
        problem: String,
        /// The number as it is written, or the part of it around the place.
        text: String,
        /// The place in `text`, counted in characters from 1.
        column: usize,
    },

    /// Columns of fuzzy numbers that do not go together.
    #[error("the variable `{name}` has {found} {what}, but {expected} are needed; {mend}")]
    FuzzyColumn {
        /// The variable.
        name: String,
        /// What there are too many or too few of: `numbers` or `cuts`.
        what: &'static str,
        /// How many it has.
        found: usize,
        /// How many it must have.
        expected: usize,
        /// How to mend it.
        mend: &'static str,
    },

    // ---- clustering ----
    /// A table without a column to cluster.
    #[error("no column of numbers is left to cluster; name at least one beside labels and weights")]
    NothingToCluster,

    /// More clusters than rows.
    #[error(
        "{clusters} clusters need at least {clusters} rows, but there are {rows}; ask for fewer clusters"
    )]
    TooFewRows {
        /// How many clusters were asked for.
        clusters: usize,
        /// How many rows there are.
        rows: u64,
    },

    /// A table that must fit another one and does not.
    #[error(
        "the {what} are {} × {} (rows × columns), but they must be {} × {}",
        found.0, found.1, expected.0, expected.1
    )]
    ClusteringShape {
        /// What the table holds.
        what: &'static str,
        /// Its rows and columns.
        found: (u64, usize),
        /// What they must be.
        expected: (u64, usize),
    },

    /// A start that holds something else than finite numbers.
    #[error("the {what} hold {value} in row {row}, column {column}; give finite numbers")]
    StartNotFinite {
        /// What was given.
        what: &'static str,
        /// The row, from 1.
        row: u64,
        /// The column, from 1.
        column: usize,
        /// What stands there.
        value: f64,
    },

    /// Sample weights that cannot be used.
    #[error(
        "sample weight {row} is {value}; give one weight per row, each finite and at least 0, not all of them 0"
    )]
    Weight {
        /// The row, from 1.
        row: u64,
        /// Its weight; NaN where there is none.
        value: f64,
    },

    /// A column whose values are all the same, where the metric divides by its spread.
    #[error(
        "column {column} (`{name}`) is constant, so the metric cannot divide by its spread; leave the column out or use \
         the Euclidean metric"
    )]
    ConstantColumn {
        /// The column, from 1.
        column: usize,
        /// Its name.
        name: String,
    },

    /// A covariance that has no inverse.
    #[error(
        "the covariance of the {whose} is singular, so it measures no distances; leave out columns that depend on others"
    )]
    Singular {
        /// Whose it is.
        whose: &'static str,
    },

    /// A column of text where numbers are clustered.
    #[error("column `{name}` holds text, and clusters are made of numbers; leave the column out")]
    TextColumn {
        /// The column.
        name: String,
    },

    /// Data that a saved partition does not fit.
    #[error("the model was fitted to {model}, but the data have {data}; give it data with these columns")]
    ModelColumns {
        /// The model's columns.
        model: String,
        /// Those of the data.
        data: String,
    },

    /// Typicalities of a partition that has none.
    #[error("only possibilistic and possibilistic-fuzzy clusters have typicalities; ask for memberships")]
    NoTypicalities,

    /// Sums of different fits.
    #[error(
        "sums of {} clusters and {} columns cannot be added to sums of {} and {}; take both at the same partition",
        found.0, found.1, expected.0, expected.1
    )]
    SumsShape {
        /// Clusters and columns of the sums given.
        found: (usize, usize),
        /// Those they should be added to.
        expected: (usize, usize),
    },

    // ---- inference ----
    /// A window operator that is not there by that name.
    #[error("no window operator is called `{name}`; there is {known}, and any system in a file")]
    UnknownOperator {
        /// The name that was given.
        name: String,
        /// Those that are there.
        known: String,
    },

    /// A file of a fuzzy system or a rule that cannot be read, with a caret under the place.
    #[error("{place}, line {line}, column {column}: {problem}\n  {text}\n  {mark:>width$}", mark = '^', width = caret)]
    Syntax {
        /// The file, or what the text is.
        place: String,
        /// The line, from 1.
        line: usize,
        /// The place in the line, counted in characters from 1.
        column: usize,
        /// What was found and what was expected.
        problem: String,
        /// The line, or the part of it around the place.
        text: String,
        /// The place in `text`, counted in characters from 1.
        caret: usize,
    },

    /// A fuzzy system whose parts do not fit together.
    #[error("{place} {problem}")]
    System {
        /// The part.
        place: String,
        /// What is wrong with it and how to mend it.
        problem: String,
    },

    /// A fuzzy system that cannot be written as source text.
    #[error("the system cannot be written as {language}: {problem}")]
    Export {
        /// The language.
        language: &'static str,
        /// Why not, and what to do instead.
        problem: String,
    },

    /// A column of text where an input is looked for.
    #[error(
        "column `{name}` holds text, and the input of that name takes numbers; mend the column, or leave a value empty where it is missing"
    )]
    TextInput {
        /// Its name.
        name: String,
    },

    /// A file of an interval type-2 system where an ordinary one is read.
    #[error(
        "{place} holds an interval type-2 system, which can be inferred and written as `.fll` or `.json`, but not shown, \
         explained, tabulated or exported; leave out its upper sets and its type reduction to make it an ordinary one"
    )]
    IntervalSystem {
        /// The file, or what the text is.
        place: String,
    },

    /// A row that does not fit a fuzzy system.
    #[error("the system has {expected} {what}s, but {found} values were given; give one for each {what}")]
    RowLength {
        /// `input` or `output`.
        what: &'static str,
        /// How many values were given.
        found: usize,
        /// How many there must be.
        expected: usize,
    },

    // ---- tuning ----
    /// Statistics of different systems.
    #[error(
        "statistics of {} unknowns and {} outputs cannot be added to those of {} and {}; take both with the same rules, order and targets",
        found.0, found.1, expected.0, expected.1
    )]
    StatisticsShape {
        /// Unknowns and outputs of the statistics given.
        found: (usize, usize),
        /// Those they should be added to.
        expected: (usize, usize),
    },

    /// Statistics that lack numbers or have too many.
    #[error(
        "statistics of {unknowns} unknowns and {outputs} outputs cannot have {found} numbers in `{part}`; take them of the rows again"
    )]
    StatisticsParts {
        /// The part.
        part: &'static str,
        /// How many numbers it has.
        found: usize,
        /// The unknowns of each output.
        unknowns: usize,
        /// The outputs.
        outputs: usize,
    },

    /// A column that a system cannot learn from or learn.
    #[error("the {what} `{name}` {problem}")]
    LearnedColumn {
        /// What the column is: `input`, `target`, `class`, `column`.
        what: &'static str,
        /// Its name.
        name: String,
        /// What is wrong with it and how to mend it.
        problem: &'static str,
    },

    /// More consequents than rows to learn them from.
    #[error(
        "{rows} training rows are too few for {unknowns} consequents of each target; use fewer sets or a lower order, or \
         set a ridge of at least 1e-6"
    )]
    FewTrainingRows {
        /// How many rows there are.
        rows: usize,
        /// How many consequents each target has.
        unknowns: usize,
    },

    /// More rules or consequents than can be solved for.
    #[error(
        "{rules} rules of {terms} consequents each are more than the {most} consequents that can be solved for; use fewer \
         sets or a lower order, or let clusters make the rules"
    )]
    TooManyRules {
        /// How many rules were asked for.
        rules: u128,
        /// How many consequents a rule has for each target.
        terms: u128,
        /// The most consequents of a target.
        most: usize,
    },

    /// Numbers of sets that are not one for each input.
    #[error("{given} numbers of sets are given for {inputs} inputs; give one for each input, or one for all")]
    SetCounts {
        /// How many were given.
        given: usize,
        /// How many inputs there are.
        inputs: usize,
    },

    /// A class column with too few or too many classes.
    #[error(
        "the class `{name}` takes {found} values, but a classifier tells 2 to {most} classes apart; name another column"
    )]
    ClassCount {
        /// The column.
        name: String,
        /// How many values it takes.
        found: usize,
        /// The most classes.
        most: usize,
    },

    /// A problem too large for Levenberg-Marquardt.
    #[error(
        "Levenberg-Marquardt would move {parameters} parameters at once, more than {most}; use the hybrid method or \
         fewer rules"
    )]
    TooManyParameters {
        /// How many there are.
        parameters: usize,
        /// The most it moves.
        most: usize,
    },

    // ---- sonfin ----
    /// A mapping with a thread for each input.
    #[error(
        "the mapping `rule-per-block` has a thread for each input and so at most {most}, but there are {dims} inputs; use \
         the mapping `atm`, `resident` or `auto`"
    )]
    TooManyInputsForMapping {
        /// How many inputs there are.
        dims: usize,
        /// How many there may be.
        most: usize,
    },

    /// Rows that a fit cannot be gone on with.
    #[error(
        "these {rows} rows are not those that the fit began with; resume it with the same data, or fit anew"
    )]
    OtherRows {
        /// How many there are.
        rows: usize,
    },

    /// A table without a column that a model looks at.
    #[error(
        "the model looks at the column `{name}` (it has {inputs} inputs), which the table has not; there is {known}; \
         give a table with all columns that the model learned from"
    )]
    ModelColumn {
        /// The column.
        name: String,
        /// How many inputs the model has.
        inputs: usize,
        /// The columns there are.
        known: String,
    },
}

/// The path of a file being read or written as messages show it.
fn target<'a>(doing: &str, path: &'a Path) -> std::borrow::Cow<'a, str> {
    if doing == "write" && path == Path::new("-") { "standard output".into() } else { shown(path) }
}

/// A path as messages show it; `-` is standard input or output.
fn shown(path: &Path) -> std::borrow::Cow<'_, str> {
    if path == Path::new("-") {
        return "standard input".into();
    }
    let name = path.to_string_lossy();
    // A name must not write to the terminal anything but itself.
    if name.contains(char::is_control) { escaped(&name).into() } else { name }
}

/// `text` with its control characters as escapes.
fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|c| {
            let (plain, escape) =
                if c.is_control() { (None, Some(c.escape_default())) } else { (Some(c), None) };
            plain.into_iter().chain(escape.into_iter().flatten())
        })
        .collect()
}
