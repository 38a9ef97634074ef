//! The command `fuzzion`: parses the arguments into library types and runs the selected command. The binary and the Python
//! package call [`run`].

mod arguments;
mod commands;
mod console;
mod format;
mod interrupt;
mod opening;
mod page;
mod usage;
mod version;

use clap::{CommandFactory as _, Parser, Subcommand};
use console::Console;
use fuzzion::data::DataError;
use fuzzion::device::{Cpu, DeviceError};
use fuzzion::{Device, Error};
use opening::OpeningDevice;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::OnceLock;

/// The program that runs this command, to start it again.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Fuzzy computing at scale, on the CPU and on NVIDIA GPUs.
#[derive(Parser)]
#[command(name = "fuzzion", version, long_version = version::LONG.as_str())]
#[command(propagate_version = true, arg_required_else_help = true)]
struct Args {
    #[command(flatten)]
    global: GlobalArgs,
    #[command(subcommand)]
    command: Command,
}

/// Options for all commands.
#[derive(clap::Args, Clone)]
struct GlobalArgs {
    /// Device: cpu, cuda, cuda:N, cuda:N,M or cuda:all (work split across GPUs), or best (a GPU if one is usable and the problem is large enough)
    #[arg(long, global = true, default_value = "cpu", value_name = "DEVICE")]
    device: String,
    /// Number of CPU threads [default: FUZZION_THREADS, or one per core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// Print a single JSON object to standard output
    #[arg(long, global = true)]
    json: bool,
    /// Hide progress bars and print only the final result
    #[arg(long, short, global = true)]
    quiet: bool,
}

impl GlobalArgs {
    /// Opens the device.
    fn device(&self) -> fuzzion::Result<Device> {
        Ok(Device::named(&self.device, self.cpu()?)?)
    }

    /// Begins to open the device.
    fn opening_device(&self) -> fuzzion::Result<OpeningDevice> {
        let name = self.device.clone();
        Ok(OpeningDevice::begin(self.cpu()?, move |cpu| Ok(Device::named(&name, cpu)?)))
    }

    fn cpu(&self) -> fuzzion::Result<Cpu> {
        let named = |error| match error {
            DeviceError::ThreadCount { found, most } => {
                DeviceError::ThreadCount { found: format!("FUZZION_THREADS={found}"), most }
            }
            other => other,
        };
        let from_environment = || Cpu::new().map_err(named);
        Ok(self.threads.map_or_else(from_environment, |n| Cpu::with_threads(n.into()))?)
    }
}

#[derive(Subcommand)]
enum Command {
    Head(commands::table::head::Head),
    Cluster(Box<commands::cluster::Cluster>),
    Infer(Box<commands::systems::infer::Infer>),
    Tune(Box<commands::tune::TuneCommand>),
    Sonfin(commands::sonfin::Sonfin),
    Calc(Box<commands::calc::Calc>),
    Convert(commands::systems::convert::Convert),
    Data(commands::table::data::Data),
    Grid(commands::systems::grid::Grid),
    Show(commands::systems::show::Show),
    Explain(Box<commands::systems::explain::Explain>),
    Export(commands::systems::export::Export),
    Edges(commands::images::Edges),
    Image(commands::images::Image),
    Devices(commands::machine::devices::Devices),
    Doctor(commands::machine::doctor::Doctor),
    Selftest(commands::machine::selftest::Selftest),
    Bench(commands::machine::bench::Bench),
    Tour(commands::tour::Tour),
    #[cfg(feature = "studio")]
    Studio(commands::studio::Studio),
    Completions(commands::shell::completions::Completions),
    Man(commands::shell::man::Man),
}

/// Runs the command with these arguments, of which the first is the program, and returns its exit code. It installs a Ctrl-C
/// handler and a panic hook, so that a process can run only one command; an invalid command line exits the process.
///
/// ```
/// let code = fuzzion_cli::run(["fuzzion", "data", "truck", "--points", "3"].map(Into::into));
/// assert_eq!(code, 0);
/// ```
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args: Vec<OsString> = args.into_iter().map(standard_output).collect();
    if let Some(program) = args.first() {
        // A path must not depend on the current folder; a name is searched for in PATH.
        let path = PathBuf::from(program);
        let path =
            if path.components().count() > 1 { std::path::absolute(&path).unwrap_or(path) } else { path };
        let _ = PROGRAM.set(path);
    }
    let code = run_command(args);
    // The standard library has no conversion.
    (0..=u8::MAX).find(|number| ExitCode::from(*number) == code).unwrap_or(1)
}

/// The argument, with `-` for the path `/dev/stdout`, so that it is not mixed with a summary.
fn standard_output(arg: OsString) -> OsString {
    match arg.to_str().and_then(|text| text.strip_suffix("/dev/stdout")) {
        Some("") => "-".into(),
        Some(option) if option.starts_with("--") && option.ends_with('=') => format!("{option}-").into(),
        _ => arg,
    }
}

/// The program that runs this command.
fn program() -> PathBuf {
    PROGRAM.get().cloned().unwrap_or_else(|| "fuzzion".into())
}

fn run_command(args: Vec<OsString>) -> ExitCode {
    let (args, command) = arguments::parse::<Args>(args);
    // A panic prints one sentence instead of a backtrace.
    std::panic::set_hook(Box::new(|panic| {
        let location =
            panic.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        if location.contains("/parquet-") {
            return; // the reader catches it and reports a damaged file
        }
        let message = panic.payload_as_str().unwrap_or("no message");
        console::print_error(&format!("internal error{location}: {message}; please report it"));
    }));
    let console = Console::new(args.global.json, args.global.quiet);
    interrupt::install();
    match execute(&args, &console) {
        Ok(code) => code,
        Err(Error::Interrupted) => {
            console::print_error(&Error::Interrupted.to_string());
            interrupt::exit_code()
        }
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            console::print_error(&arguments::message(&error, &command));
            // An unknown device name is a usage error, as in the argument parser.
            let is_usage_error = matches!(error, Error::Device(DeviceError::UnknownDevice(_)));
            if is_usage_error { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}

/// Runs the command. The device is opened for every command, so that an unavailable one is reported immediately.
fn execute(args: &Args, console: &Console) -> fuzzion::Result<ExitCode> {
    let device = || args.global.device();
    match &args.command {
        // The GPU is opened while the table is read.
        Command::Tune(tune) => tune.run(|| args.global.opening_device(), console),
        Command::Head(head) => head.run(&device()?, console),
        Command::Cluster(cluster) => cluster.run(&device()?, console),
        Command::Infer(infer) => infer.run(&device()?, console),
        Command::Sonfin(sonfin) => sonfin.run(&device()?, console),
        Command::Calc(calc) => calc.run(&device()?, console),
        Command::Convert(convert) => device().and_then(|_| convert.run(console)),
        Command::Data(data) => device().and_then(|_| data.run(console)),
        Command::Grid(grid) => grid.run(&device()?, console),
        Command::Show(show) => show.run(&device()?, console),
        Command::Explain(explain) => explain.run(&device()?, console),
        Command::Export(export) => device().and_then(|_| export.run(console)),
        Command::Edges(edges) => edges.run(&device()?, console),
        Command::Image(image) => image.run(&device()?, console),
        Command::Devices(devices) => device().and_then(|_| devices.run(&args.global.device, console)),
        Command::Selftest(selftest) => selftest.run(&device()?, console),
        Command::Bench(bench) => bench.run(&device()?, console),
        Command::Tour(tour) => tour.run(&device()?, console),
        #[cfg(feature = "studio")]
        Command::Studio(studio) => studio.run(&device()?, console),
        Command::Doctor(doctor) => doctor.run(console),
        Command::Completions(completions) => completions.run(Args::command(), console),
        Command::Man(man) => man.run(Args::command(), console),
    }
}

/// Whether the reader of standard output or another pipe has ended, as in `fuzzion … | head`, which is not an error.
fn is_closed_pipe(error: &Error) -> bool {
    matches!(error, Error::Data(DataError::File { doing: "write", cause, .. }) if cause.kind() == ErrorKind::BrokenPipe)
}
