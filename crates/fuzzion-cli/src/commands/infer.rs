//! `fuzzion infer`

use super::paths::clash;
use super::reading::{Reading, of_inputs};
use super::systems::SystemWords;
use super::words::{counted, shown};
use crate::console::{self, Console, with_prefix};
use fuzzion::data::{Precision, TableReader, TableWriter};
use fuzzion::inference::type2::IntervalSystem;
use fuzzion::inference::{Dialect, Inferred, Plan, System, Want};
use fuzzion::{Device, Error, Progress, Table};
use serde_json::json;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Rows that are read, inferred and written at a time.
const PIECE: usize = 1 << 20;

/// Run a fuzzy system over every row of a table
#[derive(clap::Args)]
#[command(
    after_help = "Reads FLL (.fll), MATLAB (.fis), IEC 61131-7 (.fcl) and Fuzzion's own JSON (.json). Inputs are the \
columns of their names; a table without names has them in order. Other columns are ignored. A missing value gives \
what the dialect says for its row.

An .fll whose first line is `# dialect: fuzzion` may also use else, not ( … ), Mean, scale, upper and type-reduction.

Examples:
  fuzzion infer tipper.fis --data meals.csv --out tips.csv       one column per output
  fuzzion infer tipper.fll --data meals.csv --firing rules.csv   also how strongly each rule fired
  zcat big.csv.gz | fuzzion infer valve.fcl --data - --precision f32 --device cuda --out valve.npy"
)]
pub(crate) struct Infer {
    #[command(flatten)]
    system: SystemWords,
    /// The table: CSV, TSV (also .gz), NPY, or `-` for standard input
    #[arg(long, value_name = "IN")]
    data: PathBuf,
    /// Where to write a column for each output: .csv, .tsv or .npy
    #[arg(long, value_name = "OUT", default_value = "-")]
    out: PathBuf,
    /// Where to write how strongly each rule fired
    #[arg(long, value_name = "OUT")]
    firing: Option<PathBuf>,
    /// Where to write how strongly each set of each output was concluded
    #[arg(long, value_name = "OUT")]
    activated: Option<PathBuf>,
    /// Where to write whether any rule about an output fired: 1 or 0
    #[arg(long, value_name = "OUT")]
    fired: Option<PathBuf>,
    /// Where to write the lower ends of an interval type-2 system's outputs
    #[arg(long, value_name = "OUT")]
    lower: Option<PathBuf>,
    /// Where to write their upper ends
    #[arg(long, value_name = "OUT")]
    upper: Option<PathBuf>,
    /// Samples of every output's range (default: what the file says, else the dialect's)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    samples: Option<u32>,
    /// How centroids are found: over samples, or in closed form for sets of straight lines
    #[arg(long, value_name = "HOW", value_parser = ["sampled", "exact"], default_value = "sampled")]
    centroid: String,
    #[command(flatten)]
    reading: Reading,
}

impl Infer {
    pub(crate) fn run(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        if let Some(sentence) = self.misdirected(console) {
            console::complain(&sentence);
            return Ok(ExitCode::from(2));
        }
        let standard_output = self.out == Path::new("-");
        let bar = console.bar("inferring");
        let step = |done, total| bar.step(done, total);
        let reading = self.reading.settings(device, Progress::new(&step)).keep_text(true);
        let plan = match self.load() {
            Err(Error::IntervalSystem { .. }) => return self.interval(device, console),
            loaded => loaded?,
        };
        if self.lower.is_some() || self.upper.is_some() {
            console::complain(
                "`--lower` and `--upper` are for interval type-2 systems, and this one has no upper sets",
            );
            return Ok(ExitCode::from(2));
        }
        let begun = Instant::now();
        let mut reader = reading.open(&self.data)?;
        let plan = self.plan(plan, reader.precision())?;
        let told = match self.all(&plan, &mut reader, device) {
            // A reader that has gone (`fuzzion infer … | head`) has seen what it wanted.
            Err(Error::File { cause, .. }) if standard_output && cause.kind() == ErrorKind::BrokenPipe => {
                return Ok(ExitCode::SUCCESS);
            }
            told => told?,
        };
        drop(bar);
        let seconds = begun.elapsed().as_secs_f64();
        self.tell(&plan, told, seconds, device, console)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Why the tables cannot go where they are to go.
    fn misdirected(&self, console: &Console) -> Option<String> {
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
            2.. => Some("two tables cannot share standard output; name a file for one of them".into()),
            1 if console.json() => {
                Some("`--json` and a table cannot share standard output; name a file with `--out`".into())
            }
            _ => clash(&[&self.data, &self.system.file], &outs),
        }
    }

    /// An interval type-2 system: an output is the middle of its interval.
    fn interval(&self, device: &Device, console: &Console) -> fuzzion::Result<ExitCode> {
        let others =
            [self.firing.is_some(), self.activated.is_some(), self.fired.is_some(), self.samples.is_some()];
        if others.contains(&true) || self.centroid != "sampled" {
            console::complain(
                "an interval type-2 system takes `--out`, `--lower` and `--upper` alone; leave the others out",
            );
            return Ok(ExitCode::from(2));
        }
        let loaded = IntervalSystem::load(&self.system.file)?;
        let dialect = self.system.dialect.unwrap_or(loaded.dialect);
        let plan = loaded.system.compile(dialect)?;
        let begun = Instant::now();
        let bar = console.bar("inferring");
        let step = |done, total| bar.step(done, total);
        let reading = self.reading.settings(device, Progress::new(&step)).keep_text(true);
        let inferred = plan.infer_with(&reading.read(&self.data)?, device, Progress::new(&step));
        let inferred = inferred.map_err(|error| of_inputs(&self.data, error))?;
        drop(bar);
        let tables = [(&self.lower, &inferred.lower), (&self.upper, &inferred.upper)]
            .map(|(path, table)| (path.as_ref(), table));
        for (path, table) in tables.into_iter().chain([(Some(&self.out), &inferred.outputs)]) {
            if let Some(path) = path {
                let mut writer = TableWriter::create(path)?;
                writer.write(table)?;
                writer.finish()?;
            }
        }
        let (rows, seconds) = (inferred.outputs.rows() as u64, begun.elapsed().as_secs_f64());
        if console.json() {
            console.say_json(&json!({
                "system": self.system.file.to_string_lossy(),
                "data": self.data.to_string_lossy(),
                "out": self.out.to_string_lossy(),
                "rows": rows,
                "type_reduction": plan.system().type_reduction.name(),
                "dialect": dialect.name(),
                "precision": "f64",
                "device": device.to_string(),
                "seconds": seconds,
                "rows_per_second": rows as f64 / seconds,
            }))?;
        } else if self.out != Path::new("-") {
            let (rows, reduction) = (counted(rows, "row"), plan.system().type_reduction.name());
            console.say(&format!(
                "{}: {rows}, written to {} (intervals reduced by {reduction})\n",
                shown(&self.data),
                shown(&self.out)
            ))?;
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
        Ok((system, dialect))
    }

    /// In the precision of the rows.
    fn plan(&self, (system, dialect): (System, Dialect), precision: Precision) -> fuzzion::Result<Plan> {
        match self.centroid.as_str() {
            "exact" => system.compile_exact(dialect, precision),
            _ => system.compile(dialect, precision),
        }
    }

    /// Piece by piece, so that a table of any size takes little memory.
    fn all(&self, plan: &Plan, reader: &mut TableReader<'_>, device: &Device) -> fuzzion::Result<Told> {
        let want = Want {
            firing: self.firing.is_some(),
            activated: self.activated.is_some(),
            fired: true, // it costs little, and rows without a rule are counted
        };
        let mut outs = Outs::create(self)?;
        let mut previous = vec![f64::NAN; plan.system().outputs.len()];
        let mut told = Told { rows: 0, unfired: vec![0; previous.len()] };
        while let Some(piece) = reader.next(PIECE)? {
            let inferred = plan.infer_after(&piece, want, device, Progress::none(), &mut previous);
            let inferred = inferred.map_err(|error| of_inputs(&self.data, error))?;
            told.add(&inferred);
            outs.write(&inferred)?;
        }
        outs.finish()?;
        Ok(told)
    }

    fn tell(
        &self,
        plan: &Plan,
        told: Told,
        seconds: f64,
        device: &Device,
        console: &Console,
    ) -> fuzzion::Result<()> {
        let names = plan.system().outputs.iter().map(|output| output.variable.name.as_str());
        if console.json() {
            let unfired: serde_json::Map<_, _> =
                names.zip(&told.unfired).map(|(name, rows)| (name.to_owned(), json!(rows))).collect();
            return console.say_json(&json!({
                "system": self.system.file.to_string_lossy(),
                "data": self.data.to_string_lossy(),
                "out": self.out.to_string_lossy(),
                "rows": told.rows,
                "without_a_rule": unfired,
                "dialect": plan.dialect().name(),
                "precision": plan.precision().to_string(),
                "device": device.to_string(),
                "seconds": seconds,
                "rows_per_second": told.rows as f64 / seconds,
            }));
        }
        if self.out == Path::new("-") {
            return Ok(());
        }
        let rate = with_prefix(told.rows as f64 / seconds);
        let mut text = format!(
            "{}: {}, written to {} ({rate}rows/s with reading and writing)\n",
            shown(&self.data),
            counted(told.rows, "row"),
            shown(&self.out)
        );
        for (name, rows) in names.zip(&told.unfired).filter(|(_, rows)| **rows > 0) {
            let rows = counted(*rows, "row");
            text.push_str(&format!("no rule about `{name}` fired in {rows}\n"));
        }
        console.say(&text)
    }
}

/// What is said at the end.
struct Told {
    rows: u64,
    /// For each output the rows in which no rule about it fired.
    unfired: Vec<u64>,
}

impl Told {
    fn add(&mut self, inferred: &Inferred) {
        self.rows += inferred.outputs.rows() as u64;
        let Some(fired) = &inferred.fired else { return };
        for row in fired.to_f64().chunks_exact(self.unfired.len().max(1)) {
            for (unfired, fired) in self.unfired.iter_mut().zip(row) {
                *unfired += u64::from(*fired == 0.0);
            }
        }
    }
}

/// The files that are written.
struct Outs {
    outputs: TableWriter,
    firing: Option<TableWriter>,
    activated: Option<TableWriter>,
    fired: Option<TableWriter>,
}

impl Outs {
    fn create(words: &Infer) -> fuzzion::Result<Self> {
        let table = |path: &Option<PathBuf>| path.as_ref().map(TableWriter::create).transpose();
        Ok(Outs {
            outputs: TableWriter::create(&words.out)?,
            firing: table(&words.firing)?,
            activated: table(&words.activated)?,
            fired: table(&words.fired)?,
        })
    }

    fn write(&mut self, inferred: &Inferred) -> fuzzion::Result<()> {
        let put = |writer: &mut Option<TableWriter>, table: &Option<Table>| match (writer, table) {
            (Some(writer), Some(table)) => writer.write(table),
            _ => Ok(()),
        };
        self.outputs.write(&inferred.outputs)?;
        put(&mut self.firing, &inferred.firing)?;
        put(&mut self.activated, &inferred.activated)?;
        put(&mut self.fired, &inferred.fired)
    }

    /// The outputs appear last: where they are, all is complete.
    fn finish(self) -> fuzzion::Result<()> {
        [self.firing, self.activated, self.fired].into_iter().flatten().try_for_each(TableWriter::finish)?;
        self.outputs.finish()
    }
}
