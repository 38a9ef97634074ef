//! `fuzzion infer`

use super::counts::RowCounts;
use crate::commands::common::chunks::{Chunk, ChunkRows, chunks_of, open, write_appended};
use crate::commands::common::paths::{JSON_NEEDS_OUT, path_conflict};
use crate::commands::common::system_args::SystemArgs;
use crate::commands::common::table_args::{TableArgs, in_input_table};
use crate::console::{self, Bar, Console, Stage};
use crate::format::{count_of, display_path, format_rate};
use fuzzion::data::{DataError, Precision, Records, TableReader, TableWriter, pipeline};
use fuzzion::inference::InferenceError;
use fuzzion::inference::type2::IntervalSystem;
use fuzzion::inference::{Dialect, InferOptions, InferenceTables, Plan, System};
use fuzzion::{Device, Error, Table};
use serde_json::json;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Rows per chunk on a GPU: fewer would take less time than starting the transfers.
const GPU_CHUNK_ROWS: usize = 1 << 20;
/// Values of the table per chunk on the CPU, so that the chunks being processed fit in the cache, and bounds of the rows.
const CPU_CHUNK_VALUES: usize = 1 << 19;
const CPU_CHUNK_ROWS: RangeInclusive<usize> = 1 << 14..=1 << 18;
/// Minimum number of rows for which the summary contains a rate.
const MIN_ROWS_OF_RATE: u64 = 10_000;

/// Evaluate a fuzzy system for every row of a table
#[derive(clap::Args)]
#[command(
    after_help = "Reads FLL (.fll), MATLAB (.fis), IEC 61131-7 (.fcl) and Fuzzion's own JSON (.json). Inputs are \
matched to columns by name, and other columns are ignored; a table without column names has one column per input. A rule \
whose condition has a missing value does not fire.

An .fll file whose first line is `# dialect: fuzzion` may also use else, not ( … ), Mean, scale, upper and type-reduction.

Examples:
  fuzzion infer tipper.fis --data meals.csv --out tips.csv       write one column per output
  fuzzion infer tipper.fis --data meals.csv --append --out all.csv   also copy the columns of meals.csv
  fuzzion infer tipper.fll --data meals.csv --firing rules.csv   also write the firing strength of every rule
  zcat big.csv.gz | fuzzion infer valve.fcl --data - --precision f32 --device cuda --out valve.npy"
)]
pub(crate) struct Infer {
    #[command(flatten)]
    system: SystemArgs,
    /// Input table: CSV, TSV (also .gz), NPY, or `-` for standard input
    #[arg(long, value_name = "IN")]
    data: PathBuf,
    /// Write one column per output to this .csv, .tsv or .npy file, or `-` for standard output
    #[arg(long, value_name = "OUT", default_value = "-")]
    out: PathBuf,
    /// Copy the columns of a text table to `--out`, before the outputs
    #[arg(long)]
    append: bool,
    /// Write the firing strength of every rule to this file
    #[arg(long, value_name = "OUT")]
    firing: Option<PathBuf>,
    /// Write the activation of every output set to this file
    #[arg(long, value_name = "OUT")]
    activated: Option<PathBuf>,
    /// Write to this file whether any rule fired for each output (1 or 0)
    #[arg(long, value_name = "OUT")]
    fired: Option<PathBuf>,
    /// Write the lower bounds of the outputs of an interval type-2 system to this file
    #[arg(long, value_name = "OUT")]
    lower: Option<PathBuf>,
    /// Write the upper bounds of the outputs of an interval type-2 system to this file
    #[arg(long, value_name = "OUT")]
    upper: Option<PathBuf>,
    /// Number of samples of the output ranges for defuzzification [default: set by the file, or else by the dialect]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    samples: Option<u32>,
    /// Centroid method: sampled, or exact (closed form, for piecewise linear sets)
    #[arg(long, value_name = "METHOD", value_parser = ["sampled", "exact"], default_value = "sampled", hide_possible_values = true)]
    centroid: String,
    #[command(flatten)]
    reading: TableArgs,
}

impl Infer {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        if let Some(message) = self.usage_error(console) {
            console::print_error(&message);
            return Ok(ExitCode::from(2));
        }
        let bar = console.bar("inferring");
        let reading = self.reading.settings(&bar.watch(device)).keep_text(true).keep_records(self.append);
        let plan = match self.load() {
            Err(Error::Inference(InferenceError::IntervalSystem { .. })) => {
                return self.infer_intervals(device, console);
            }
            loaded => loaded?,
        };
        if self.lower.is_some() || self.upper.is_some() {
            console::print_error(
                "`--lower` and `--upper` require an interval type-2 system, but this system has no upper sets",
            );
            return Ok(ExitCode::from(2));
        }
        let started = Instant::now();
        bar.stages().begin(Stage::Read);
        let inputs = plan.0.inputs.iter().map(|input| input.name.as_str());
        let reader = open(&reading.preferred_columns(inputs), &self.data)?;
        bar.stages().end();
        let plan = self.plan(plan, reader.precision())?;
        let device = &plan.device_for(reader.rows().unwrap_or(0), device);
        let summary = self.infer_all(&plan, reader, device, &bar)?;
        drop(bar);
        let seconds = started.elapsed().as_secs_f64();
        self.print_summary(&plan, summary, seconds, device, console)?;
        Ok(ExitCode::SUCCESS)
    }

    /// The error message for conflicting output paths.
    fn usage_error(&self, console: &Console) -> Option<String> {
        let others = [
            ("--firing", &self.firing),
            ("--activated", &self.activated),
            ("--fired", &self.fired),
            ("--lower", &self.lower),
            ("--upper", &self.upper),
        ];
        let others = others.iter().filter_map(|(flag, out)| Some((*flag, out.as_deref()?)));
        let outs: Vec<(&str, &Path)> = [("--out", self.out.as_path())].into_iter().chain(others).collect();
        match outs.iter().filter(|(_, out)| *out == Path::new("-")).count() {
            2.. => Some("two tables cannot both use standard output; write one of them to a file".into()),
            1 if console.json() => Some(JSON_NEEDS_OUT.into()),
            _ => path_conflict(&[&self.data, &self.system.file], &outs),
        }
    }

    /// Evaluates an interval type-2 system; each output is the midpoint of its interval.
    fn infer_intervals(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        let others =
            [self.firing.is_some(), self.activated.is_some(), self.fired.is_some(), self.samples.is_some()];
        if others.contains(&true) || self.centroid != "sampled" {
            console::print_error(
                "an interval type-2 system supports only the outputs `--out`, `--lower` and `--upper`, and neither `--samples` \
                 nor `--centroid`",
            );
            return Ok(ExitCode::from(2));
        }
        let loaded = IntervalSystem::load(&self.system.file)?;
        let dialect = self.system.dialect.unwrap_or(loaded.dialect);
        let plan = loaded.system.compile(dialect)?;
        let started = Instant::now();
        let bar = console.bar("inferring");
        let watched = bar.watch(device);
        let reading = self.reading.settings(&watched).keep_text(true).keep_records(self.append);
        bar.begin(Stage::Read, "reading");
        let mut reader = open(&reading, &self.data)?;
        let no_rows = || DataError::NoData { path: self.data.clone(), what: "rows" };
        let rows = reader.next(usize::MAX)?.ok_or_else(no_rows)?;
        let records = reader.records();
        bar.begin(Stage::Compute, "inferring");
        let inferred = plan.infer(&rows, &watched);
        let inferred = inferred.map_err(|error| in_input_table(&self.data, error.into()))?;
        bar.begin(Stage::Write, "writing");
        let tables = [(&self.lower, &inferred.lower), (&self.upper, &inferred.upper)]
            .map(|(path, table)| (path.as_ref(), table, None));
        let outputs = (Some(&self.out), &inferred.outputs, records.as_ref());
        for (path, table, records) in tables.into_iter().chain([outputs]) {
            if let Some(path) = path {
                let mut writer = TableWriter::create(path)?;
                write_appended(&mut writer, records, table)?;
                writer.finish()?;
            }
        }
        let (rows, seconds) = (inferred.outputs.rows() as u64, started.elapsed().as_secs_f64());
        if console.json() {
            let summary = json!({
                "system": self.system.file.to_string_lossy(),
                "data": self.data.to_string_lossy(),
                "out": self.out.to_string_lossy(),
                "rows": rows,
                "type_reduction": plan.system().type_reduction.name(),
                "dialect": dialect.name(),
                "precision": "f64",
                "seconds": seconds,
                "rows_per_second": rows as f64 / seconds,
            });
            console.print_summary_of_files(&summary.to_string(), device)?;
        } else if self.out != Path::new("-") {
            let (rows, reduction) = (count_of(rows, "row"), plan.system().type_reduction.name());
            let (data, out) = (display_path(&self.data), display_path(&self.out));
            let summary = format!("{data}: {rows}; wrote {out} (type reduction {reduction})\n");
            drop(bar);
            console.print_summary_of_files(&summary, device)?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn load(&self) -> fuzzion::Result<(System, Dialect)> {
        let (mut system, dialect) = self.system.load()?;
        if let Some(samples) = self.samples {
            for output in &mut system.outputs {
                output.defuzzifier = output.defuzzifier.with_samples(Some(samples as usize));
            }
        }
        for narrow in system.narrow_sets(dialect).iter().filter(|_| self.centroid == "sampled") {
            console::print_warning(&format!("{narrow}; increase `--samples` or use `--centroid exact`"));
        }
        Ok((system, dialect))
    }

    /// Compiles the system in the precision of the rows.
    fn plan(&self, (system, dialect): (System, Dialect), precision: Precision) -> fuzzion::Result<Plan> {
        match self.centroid.as_str() {
            "exact" => Ok(system.compile_exact(dialect, precision)?),
            _ => Ok(system.compile(dialect, precision)?),
        }
    }

    /// Evaluates the rows chunk by chunk, so that memory use does not depend on the size of the table. Chunks are read,
    /// computed and written at the same time.
    fn infer_all(
        &self,
        plan: &Plan,
        reader: TableReader,
        device: &Device,
        bar: &Bar,
    ) -> fuzzion::Result<RowCounts> {
        let options = InferOptions::default()
            .firing_strengths(self.firing.is_some())
            .set_activations(self.activated.is_some())
            .fired(true); // cheap, and needed to count the rows without a fired rule
        let mut writers = OutputWriters::create(self, device)?;
        let mut previous = vec![f64::NAN; plan.system().outputs.len()];
        let mut summary = RowCounts::new(plan.system());
        let infer =
            |chunk: &mut Chunk, (inferred, records): &mut (Option<InferenceTables>, Option<Records>)| {
                *records = chunk.records.take();
                let rows = chunk.rows();
                let with_texts = plan.system().with_text_inputs(rows)?;
                let rows = with_texts.as_ref().unwrap_or(rows);
                let done = plan.infer_after_into(rows, options, device, &mut previous, inferred);
                done.map_err(|error| in_input_table(&self.data, error.into()))?;
                inferred.iter().for_each(|inferred| summary.add(rows, inferred, plan.system(), device));
                Ok(())
            };
        let write = |(inferred, records): &mut (Option<InferenceTables>, Option<Records>)| {
            inferred.iter().try_for_each(|inferred| writers.write(inferred, records.as_ref()))
        };
        let rows = self.chunk_rows(reader.columns(), device);
        let times = pipeline(chunks_of(reader, rows), infer, write)?;
        bar.stages().add(times);
        if summary.rows == 0 {
            return Err(Error::Data(DataError::NoData { path: self.data.clone(), what: "rows" }));
        }
        bar.begin(Stage::Write, "writing");
        writers.finish()?;
        Ok(summary)
    }

    /// The sizes of the chunks of a table with `columns` columns.
    fn chunk_rows(&self, columns: usize, device: &Device) -> ChunkRows {
        let rows = match device.has_gpu() {
            true => GPU_CHUNK_ROWS,
            false => {
                (CPU_CHUNK_VALUES / columns.max(1)).clamp(*CPU_CHUNK_ROWS.start(), *CPU_CHUNK_ROWS.end())
            }
        };
        // The bytes of a compressed file depend on the chunks, whose sizes must then not depend on the number of threads.
        let is_compressed = |path: &PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("gz"));
        let outputs = [Some(&self.out), self.firing.as_ref(), self.activated.as_ref(), self.fired.as_ref()];
        match outputs.into_iter().flatten().any(is_compressed) {
            true => ChunkRows::Exactly(GPU_CHUNK_ROWS),
            false => ChunkRows::About(rows),
        }
    }

    fn print_summary(
        &self,
        plan: &Plan,
        summary: RowCounts,
        seconds: f64,
        device: &Device,
        console: &Console,
    ) -> fuzzion::Result<()> {
        let names = plan.system().outputs.iter().map(|output| output.variable.name.as_str());
        let warnings = summary.warnings(plan.system(), plan.dialect());
        if console.json() {
            let unfired: serde_json::Map<_, _> =
                names.zip(&summary.unfired).map(|(name, rows)| (name.to_owned(), json!(rows))).collect();
            let json = json!({
                "system": self.system.file.to_string_lossy(),
                "data": self.data.to_string_lossy(),
                "out": self.out.to_string_lossy(),
                "rows": summary.rows,
                "without_a_rule": unfired,
                "warnings": warnings,
                "dialect": plan.dialect().name(),
                "precision": plan.precision().to_string(),
                "seconds": seconds,
                "rows_per_second": summary.rows as f64 / seconds,
            });
            return console.print_summary_of_files(&json.to_string(), device);
        }
        warnings.iter().for_each(|warning| console::print_warning(warning));
        if self.out == Path::new("-") {
            return Ok(());
        }
        let rate = format_rate(summary.rows, MIN_ROWS_OF_RATE, "rows", seconds);
        let rate = rate.map_or_else(String::new, |rate| format!(" ({rate} including I/O)"));
        let mut text = format!(
            "{}: {}; wrote {}{rate}\n",
            display_path(&self.data),
            count_of(summary.rows, "row"),
            display_path(&self.out)
        );
        for (name, rows) in names.zip(&summary.unfired).filter(|(_, rows)| **rows > 0) {
            let rows = count_of(*rows, "row");
            text.push_str(&format!("no rule for `{name}` fired in {rows}\n"));
        }
        console.print_summary_of_files(&text, device)
    }
}

/// The output tables.
struct OutputWriters {
    outputs: TableWriter,
    firing: Option<TableWriter>,
    activated: Option<TableWriter>,
    fired: Option<TableWriter>,
}

impl OutputWriters {
    fn create(args: &Infer, device: &Device) -> fuzzion::Result<Self> {
        let create = |path: &PathBuf| TableWriter::create(path).map(|writer| writer.device(device));
        let table = |path: &Option<PathBuf>| path.as_ref().map(create).transpose();
        Ok(OutputWriters {
            outputs: create(&args.out)?,
            firing: table(&args.firing)?,
            activated: table(&args.activated)?,
            fired: table(&args.fired)?,
        })
    }

    /// Writes a chunk of all tables, the outputs after the text of the rows if given.
    fn write(&mut self, inferred: &InferenceTables, records: Option<&Records>) -> fuzzion::Result<()> {
        let write = |writer: &mut Option<TableWriter>, table: &Option<Table>| match (writer, table) {
            (Some(writer), Some(table)) => writer.write(table),
            _ => Ok(()),
        };
        write_appended(&mut self.outputs, records, &inferred.outputs)?;
        write(&mut self.firing, &inferred.firing_strengths)?;
        write(&mut self.activated, &inferred.set_activations)?;
        Ok(write(&mut self.fired, &inferred.fired)?)
    }

    /// Finishes all tables; the main output is last, so that its existence implies that all are complete.
    fn finish(self) -> fuzzion::Result<()> {
        [self.firing, self.activated, self.fired].into_iter().flatten().try_for_each(TableWriter::finish)?;
        Ok(self.outputs.finish()?)
    }
}
