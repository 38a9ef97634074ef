//! Kills and interrupts commands that write files, and lets their writes fail; no output may be incomplete.

use fuzzion::clustering::Partition;
use fuzzion::inference::System;
use fuzzion::internals::Random;
use fuzzion::sonfin::Model;
use fuzzion::tuning::TunedSystem;
use fuzzion::{Images, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// Longest time until a command ends after a signal, or after its usual time.
const LIMIT: Duration = Duration::from_secs(20);
const ROWS: usize = 20_000;
/// Commands with all kinds of outputs; they run in the folder of the data, and `@` is the folder of the outputs. The last one takes the
/// longest; with fewer runs than commands it is left out.
const COMMANDS: [&str; 27] = [
    "cluster data.csv --clusters 5 --n-init 2 --centers @/c.csv --memberships @/u.npy --labels @/l.csv --plot @/p.svg --model @/m.json",
    "cluster data.csv --clusters 3 --metric gk --append --labels @/l.csv.gz --centers @/c.npy",
    "cluster data.csv --sweep 2..6 --plot @/p.svg",
    "cluster image.pgm --clusters 3 --plot @/i.png",
    "infer tipper.fll --data data.csv --out @/y.csv",
    "infer tipper.fll --data data.csv --append --out @/y.csv.gz --firing @/f.npy",
    "grid tipper.fll --points 200 --out @/g.fld",
    "tune data.csv --target y --sets 4,4 --iterations 20 --model @/m.json --plot @/p.html",
    "tune few.csv --target y --max-rules 5 --model @/m.fll",
    "sonfin fit few.csv --target y --rules 20 --epochs 20 --model @/m.json",
    "sonfin fit data.csv --target y --rules 20 --stream --model @/m.json",
    "calc service*food-[1,2] --data data.csv --out @/y.csv",
    "edges image.pgm @/e.png",
    "edges video.y4m @/e.y4m",
    "data spirals --points 200000 --out @/s.csv",
    "convert tipper.fll @/t.json",
    "cluster video.y4m --clusters 3 --plot @/v.y4m",
    "show tipper.fll --html @/p.html",
    "show tipper.fll --svg @/charts",
    "export tipper.fll --to c --out @/t.c",
    "image --system smooth image.pgm @/s.pgm",
    "sonfin predict sonfin.json data.csv --append --out @/p.csv.gz",
    "sonfin export sonfin.json @/s.fis",
    "tune predict tuned.json data.csv --explain --out @/p.csv",
    "man --out @/pages",
    "edges images @/edges",
    "tour --out @/tour",
];
/// Commands that create models for the others.
const SETUP: [&str; 2] = [
    "sonfin fit few.csv --target y --rules 5 --epochs 2 --model @/sonfin.json",
    "tune few.csv --target y --sets 3,3 --iterations 2 --model @/tuned.json",
];

#[derive(clap::Args)]
pub(crate) struct CommandsArgs {
    /// The program `fuzzion`
    program: PathBuf,
    /// Number of commands of each kind of failure
    #[arg(long, default_value_t = 100)]
    runs: u64,
    /// A folder on a small file system, which is filled to test full disks
    #[arg(long, value_name = "FOLDER")]
    small_disk: Option<PathBuf>,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// How a command is disturbed.
#[derive(Clone, Copy, PartialEq)]
enum Failure {
    Kill,
    Interrupt,
    FileSizeLimit,
    FullDisk,
}

impl Failure {
    fn name(self) -> &'static str {
        match self {
            Failure::Kill => "SIGKILL",
            Failure::Interrupt => "SIGINT",
            Failure::FileSizeLimit => "limit of the file size",
            Failure::FullDisk => "full disk",
        }
    }
}

/// What a command writes if nothing fails.
struct Expected {
    files: BTreeMap<String, Vec<u8>>,
    duration: Duration,
}

struct Tester<'a> {
    args: &'a CommandsArgs,
    program: PathBuf,
    data: PathBuf,
    random: Random,
    findings: u64,
}

/// Whether there were no findings.
pub(crate) fn run(args: &CommandsArgs) -> io::Result<bool> {
    let folder = tempfile::tempdir()?;
    write_data(folder.path())?;
    let mut tester = Tester {
        args,
        program: args.program.canonicalize()?,
        data: folder.path().to_path_buf(),
        random: Random::new(args.seed),
        findings: 0,
    };
    for command in SETUP {
        tester.undisturbed(command, folder.path())?;
    }
    let run = |command: &&str| tester.undisturbed(command, tempfile::tempdir()?.path());
    let commands = &COMMANDS[..COMMANDS.len().min(args.runs as usize)];
    let expected: Vec<Expected> = commands.iter().map(run).collect::<io::Result<_>>()?;
    let failures = [Failure::Kill, Failure::Interrupt, Failure::FileSizeLimit, Failure::FullDisk];
    for failure in failures {
        if failure == Failure::FullDisk && args.small_disk.is_none() {
            continue;
        }
        let [mut failed, mut complete] = [0, 0];
        for run in 0..args.runs {
            let index = run as usize % commands.len();
            let success = tester.disturb(failure, commands[index], &expected[index])?;
            *if success { &mut complete } else { &mut failed } += 1;
        }
        println!(
            "{}: {failed} commands failed, {complete} were complete, {} findings",
            failure.name(),
            tester.findings
        );
    }
    Ok(tester.findings == 0)
}

/// The inputs of the commands.
fn write_data(folder: &Path) -> io::Result<()> {
    let mut random = Random::new(7);
    let mut rows = |number: usize| {
        let mut text = String::from("service,food,y\n");
        for _ in 0..number {
            let (service, food) = (random.between(0.0, 10.0), random.between(0.0, 10.0));
            text += &format!("{service:.3},{food:.3},{:.5}\n", (service * food / 10.0).sin());
        }
        text
    };
    fs::write(folder.join("data.csv"), rows(ROWS))?;
    fs::write(folder.join("few.csv"), rows(300))?;
    fs::write(folder.join("tipper.fll"), include_bytes!("../../fuzzion/examples/systems/tipper.fll"))?;
    let pixels: Vec<u8> = (0..600 * 400u32).map(|i| (i % 1000 * (i % 977) / 7 % 251) as u8).collect();
    let image = [b"P5 600 400 255\n".as_slice(), &pixels].concat();
    fs::write(folder.join("image.pgm"), &image)?;
    fs::create_dir(folder.join("images"))?;
    for i in 0..8 {
        fs::write(folder.join(format!("images/{i}.pgm")), &image)?;
    }
    let mut video = b"YUV4MPEG2 W600 H400 F25:1 Cmono\n".to_vec();
    for _ in 0..20 {
        video.extend_from_slice(b"FRAME\n");
        video.extend_from_slice(&pixels);
    }
    fs::write(folder.join("video.y4m"), video)
}

impl Tester<'_> {
    fn command(&self, arguments: &str, outputs: &Path, limit: Option<usize>) -> Command {
        let limit = limit.map_or(String::new(), |blocks| format!("ulimit -f {blocks}; "));
        // Background jobs ignore SIGINT, and so would the program.
        let mut command = Command::new("env");
        command.args(["--default-signal=INT", "sh"]);
        command.arg("-c").arg(format!("{limit}exec \"$0\" \"$@\"")).arg(&self.program);
        command.args(arguments.split(' ').map(|word| word.replace('@', &outputs.to_string_lossy())));
        command.args(["--threads", "2"]).current_dir(&self.data);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// Runs a command that writes to `folder`.
    fn undisturbed(&self, arguments: &str, folder: &Path) -> io::Result<Expected> {
        let start = Instant::now();
        let output = self.command(arguments, folder, None).output()?;
        let duration = start.elapsed();
        if !output.status.success() {
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(io::Error::other(format!("`{arguments}` fails: {message}")));
        }
        Ok(Expected { files: files(folder)?, duration })
    }

    fn finding(&mut self, failure: Failure, arguments: &str, problem: &str) {
        self.findings += 1;
        println!("{}: `{arguments}`: {problem}", failure.name());
    }

    /// Runs a command that fails at a random time; whether it was successful.
    fn disturb(&mut self, failure: Failure, arguments: &str, expected: &Expected) -> io::Result<bool> {
        let folder = match (&self.args.small_disk, failure) {
            (Some(disk), Failure::FullDisk) => tempfile::tempdir_in(disk)?,
            _ => tempfile::tempdir()?,
        };
        let largest = expected.files.values().map(Vec::len).max().unwrap_or(0);
        let bytes = self.random.bits() as usize % largest.max(1);
        let blocks = (failure == Failure::FileSizeLimit).then_some(bytes / 512);
        let filler = match (&self.args.small_disk, failure) {
            (Some(disk), Failure::FullDisk) => Some(fill_disk(disk, bytes)?),
            _ => None,
        };
        let mut child = self.command(arguments, folder.path(), blocks).spawn()?;
        let mut limit = LIMIT;
        if matches!(failure, Failure::Kill | Failure::Interrupt) {
            thread::sleep(expected.duration.mul_f64(self.random.between(0.0, 0.9)));
            send(&child, if failure == Failure::Kill { "KILL" } else { "INT" })?;
        } else {
            limit += 5 * expected.duration; // the machine may be busier than before
        }
        let Some(status) = wait(&mut child, limit)? else {
            self.finding(failure, arguments, "the command does not end");
            return Ok(false);
        };
        drop(filler);
        let mut message = String::new();
        if let Some(stderr) = &mut child.stderr {
            io::Read::read_to_string(stderr, &mut message)?;
        }
        self.check(failure, arguments, folder.path(), expected, (status, message.trim_end()))?;
        Ok(status.success())
    }

    /// Checks what a command that has ended left in `folder`.
    fn check(
        &mut self,
        failure: Failure,
        arguments: &str,
        folder: &Path,
        expected: &Expected,
        (status, message): (ExitStatus, &str),
    ) -> io::Result<()> {
        let found = files(folder)?;
        for (name, bytes) in &found {
            let file = name.rsplit('/').next().unwrap_or(name);
            let temporary = file.starts_with('.') && file.ends_with(".tmp");
            let reference = expected.files.get(name);
            if temporary && failure == Failure::Kill {
                continue; // removed by the next command that writes to the folder
            }
            let problem = match reference {
                None => "is not an output",
                Some(reference) if reference == bytes => continue,
                Some(reference) if is_complete(&folder.join(name), reference) => continue,
                Some(_) => "is incomplete",
            };
            self.finding(failure, arguments, &format!("{name} {problem}"));
        }
        let names: BTreeSet<&String> = found.keys().collect();
        if status.success() && !expected.files.keys().all(|name| names.contains(name)) {
            self.finding(failure, arguments, &format!("the command succeeds with {names:?} only"));
        }
        let allowed: &[i32] = if failure == Failure::Interrupt { &[0, 130] } else { &[0, 1] };
        // A signal that arrives before the program has started ends it without an exit status.
        if failure != Failure::Kill && status.code().is_some_and(|code| !allowed.contains(&code)) {
            self.finding(failure, arguments, &format!("{status}: {message}"));
        }
        let lines = message.lines().filter(|line| line.starts_with("fuzzion:")).count();
        let fails = status.code() == Some(1);
        if message.contains("panicked") || (fails && lines != 1) {
            self.finding(failure, arguments, &format!("{status}: {message}"));
        }
        Ok(())
    }
}

/// Paths and contents of the files in `folder` and its folders, relative to it.
fn files(folder: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        if path.is_dir() {
            found.extend(files(&path)?.into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else {
            found.insert(name, fs::read(path)?);
        }
    }
    Ok(found)
}

/// Whether a file that an interrupted fit wrote can be read, and has all rows.
fn is_complete(path: &Path, reference: &[u8]) -> bool {
    let name = path.to_string_lossy();
    if name.ends_with(".json") {
        return Partition::load(path).is_ok() || Model::load(path).is_ok() || TunedSystem::load(path).is_ok();
    }
    if name.ends_with(".fll") {
        return System::load(path).is_ok();
    }
    if name.ends_with(".png") {
        return Images::read(path).is_ok();
    }
    if name.ends_with(".svg") || name.ends_with(".html") {
        let text = fs::read_to_string(path).unwrap_or_default();
        return text.trim_end().ends_with("</svg>") || text.trim_end().ends_with("</html>");
    }
    let complete = tempfile::tempdir().ok().and_then(|folder| {
        let complete = folder.path().join(path.file_name()?);
        fs::write(&complete, reference).ok()?;
        Table::read(complete).ok()
    });
    matches!((Table::read(path), complete), (Ok(found), Some(complete)) if found.rows() == complete.rows())
}

/// Fills the disk of `folder` except for about `free` bytes; the file that does is removed on drop.
fn fill_disk(folder: &Path, free: usize) -> io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    let zeros = vec![0; 4096];
    let mut written = 0u64;
    while io::Write::write_all(&mut file, &zeros).is_ok() {
        written += zeros.len() as u64;
    }
    file.as_file().set_len(written.saturating_sub(free as u64))?;
    Ok(file)
}

fn send(child: &Child, signal: &str) -> io::Result<()> {
    // The command may have ended.
    Command::new("kill")
        .args(["-s", signal, &child.id().to_string()])
        .stderr(Stdio::null())
        .status()
        .map(drop)
}

/// Waits for the end; `None` if it took longer than `limit` and the command was killed.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(Duration::from_millis(2));
    }
}
