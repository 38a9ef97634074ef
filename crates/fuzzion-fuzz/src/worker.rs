//! A process that reads damaged files. The current input is always on disk, so that it is known if the process ends.

use crate::corpus::{self, Corpus};
use crate::mutate::mutate;
use crate::targets::{Input, Outcome, extension, is_sentence};
use fuzzion::Device;
use fuzzion::device::Cpu;
use fuzzion::internals::Random;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// Longest time to read one input, also without optimization and on a busy machine.
const LIMIT: Duration = Duration::from_secs(10);
/// The exit status if an input takes longer.
pub(crate) const TOO_SLOW: i32 = 3;

#[derive(clap::Args)]
pub(crate) struct WorkerArgs {
    #[arg(long)]
    pub(crate) seed: u64,
    #[arg(long)]
    pub(crate) seconds: f64,
    #[arg(long)]
    pub(crate) inputs: u64,
    #[arg(long)]
    pub(crate) only: String,
    /// Folder for the current input
    #[arg(long)]
    pub(crate) folder: PathBuf,
    /// Folder for inputs that fail
    #[arg(long)]
    pub(crate) findings: PathBuf,
    /// Read the files of the corpus without damage first
    #[arg(long)]
    pub(crate) corpus: bool,
}

/// Ends the process if an input takes too long.
struct Watchdog {
    start: Instant,
    /// Milliseconds from `start` until the current input.
    input: AtomicU64,
}

impl Watchdog {
    fn begin_input(&self) {
        self.input.store(self.start.elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    fn watch(&self) {
        loop {
            thread::sleep(LIMIT / 20);
            let input = Duration::from_millis(self.input.load(Ordering::Relaxed));
            if self.start.elapsed() > input + LIMIT {
                std::process::exit(TOO_SLOW);
            }
        }
    }
}

struct Worker<'a> {
    args: &'a WorkerArgs,
    device: Device,
    random: Random,
    watchdog: &'static Watchdog,
    findings: u64,
}

/// Reads inputs and prints the numbers of inputs and of valid ones for each target; whether there were no findings.
pub(crate) fn run(args: &WorkerArgs) -> io::Result<bool> {
    let corpora = corpus::load(&args.only)?;
    let watchdog: &'static Watchdog =
        Box::leak(Box::new(Watchdog { start: Instant::now(), input: AtomicU64::new(0) }));
    thread::spawn(|| watchdog.watch());
    std::panic::set_hook(Box::new(|_| {})); // panics are reported as findings
    let device = Device::from(Cpu::with_threads(1).map_err(io::Error::other)?);
    let mut worker = Worker { args, device, random: Random::new(args.seed), watchdog, findings: 0 };
    let mut counts = vec![[0u64; 2]; corpora.len()];
    if args.corpus {
        for (corpus, count) in corpora.iter().zip(&mut counts) {
            for file in &corpus.files {
                worker.read(corpus, &file.bytes, extension(&file.path), count)?;
            }
        }
    }
    let mut inputs = 0;
    while inputs < args.inputs && watchdog.start.elapsed().as_secs_f64() < args.seconds {
        let index = inputs as usize % corpora.len();
        let corpus = &corpora[index];
        let [file, other] = [worker.random.bits(), worker.random.bits()]
            .map(|bits| &corpus.files[bits as usize % corpus.files.len()]);
        let bytes = mutate(&file.bytes, &other.bytes, corpus.target.is_text, &mut worker.random);
        worker.read(corpus, &bytes, extension(&file.path), &mut counts[index])?;
        inputs += 1;
    }
    for (corpus, [inputs, accepted]) in corpora.iter().zip(&counts) {
        println!("{}\t{inputs}\t{accepted}", corpus.target.name);
    }
    Ok(worker.findings == 0)
}

impl Worker<'_> {
    fn read(
        &mut self,
        corpus: &Corpus,
        bytes: &[u8],
        extension: &str,
        count: &mut [u64; 2],
    ) -> io::Result<()> {
        let path = self.args.folder.join(format!("input.{extension}"));
        fs::write(&path, bytes)?;
        self.watchdog.begin_input();
        let input = Input { path: &path, bytes, device: &self.device };
        let random = &mut self.random;
        let result = catch_unwind(AssertUnwindSafe(|| (corpus.target.check)(&input, random)));
        count[0] += 1;
        let problem = match result {
            Ok(Ok(Outcome::Accepted)) => {
                count[1] += 1;
                return Ok(());
            }
            Ok(Ok(Outcome::Rejected(message))) if is_sentence(&message) => return Ok(()),
            Ok(Ok(Outcome::Rejected(message))) => format!("not one sentence: {message}"),
            Ok(Err(violation)) => violation,
            Err(payload) => {
                let text = payload.downcast_ref::<String>().cloned();
                let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
                format!("panic: {}", text.unwrap_or_default())
            }
        };
        self.findings += 1;
        let kept = keep(&path, bytes, corpus.target.name, &self.args.findings)?;
        println!("finding\t{}: {}\t{}", corpus.target.name, problem.escape_debug(), kept.display());
        Ok(())
    }
}

/// Copies an input to the folder `findings`.
pub(crate) fn keep(input: &Path, bytes: &[u8], target: &str, findings: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(findings)?;
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    let name = format!("{}-{:016x}.{}", target.replace(' ', "-"), hasher.finish(), extension(input));
    let path = findings.join(name);
    fs::write(&path, bytes)?;
    Ok(path)
}
