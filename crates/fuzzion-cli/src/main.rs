//! The front door: words become the library's own types, and each command is one call.

mod commands;
mod console;
mod interrupt;
mod page;

use clap::{Parser, Subcommand};
use console::Console;
use fuzzion::Device;
use fuzzion::device::Cpu;
use std::process::ExitCode;

/// Fuzzy computing at scale, on the CPU and on NVIDIA GPUs.
#[derive(Parser)]
#[command(name = "fuzzion", version, propagate_version = true, arg_required_else_help = true)]
struct Words {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Flags that every command takes.
#[derive(clap::Args, Clone)]
struct Global {
    /// Where to compute: cpu, cuda, cuda:N, cuda:N,M or cuda:all (GPUs that share the rows), or best (a GPU if one is usable and the problem large enough)
    #[arg(long, global = true, default_value = "cpu", value_name = "DEVICE")]
    device: String,
    /// Threads of the CPU (default: FUZZION_THREADS, else one per core)
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// Print one JSON object on standard output and nothing else there
    #[arg(long, global = true)]
    json: bool,
    /// No progress bars, and only the outcome
    #[arg(long, short, global = true)]
    quiet: bool,
}

impl Global {
    fn device(&self) -> fuzzion::Result<Device> {
        let named = |error| match error {
            fuzzion::Error::Threads { found, most } => {
                fuzzion::Error::Threads { found: format!("FUZZION_THREADS={found}"), most }
            }
            other => other,
        };
        let from_environment = || Cpu::new().map_err(named);
        let cpu = self.threads.map_or_else(from_environment, |n| Cpu::with_threads(n.into()))?;
        Device::named(&self.device, cpu)
    }
}

#[derive(Subcommand)]
enum Command {
    Head(commands::head::Head),
    Cluster(Box<commands::cluster::Cluster>),
    Infer(Box<commands::infer::Infer>),
    Tune(Box<commands::tune::Tune>),
    Sonfin(commands::sonfin::Sonfin),
    Calc(Box<commands::calc::Calc>),
    Convert(commands::convert::Convert),
    Data(commands::data::Data),
    Grid(commands::grid::Grid),
    Show(commands::show::Show),
    Explain(commands::explain::Explain),
    Export(commands::export::Export),
    Edges(commands::edges::Edges),
    Image(commands::image::Image),
    Devices(commands::devices::Devices),
    Selftest(commands::selftest::Selftest),
    Bench(commands::bench::Bench),
    Tour(commands::tour::Tour),
}

fn main() -> ExitCode {
    let words = Words::parse(); // a wrong word ends here, with exit code 2
    // A fault of ours is one sentence too, and no backtrace.
    std::panic::set_hook(Box::new(|fault| {
        let place = fault.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        if place.contains("/parquet-") {
            return; // caught by the reader, which says that the file is damaged
        }
        let what = fault.payload_as_str().unwrap_or("no message");
        console::complain(&format!("a fault of the program itself{place}: {what}; please report it"));
    }));
    let console = Console::new(words.global.json, words.global.quiet);
    interrupt::listen();
    // Opened for every command, so that a device that cannot be had is said at once.
    let done = words.global.device().and_then(|device| match &words.command {
        Command::Head(head) => head.run(&device, &console),
        Command::Cluster(cluster) => cluster.run(&device, &console),
        Command::Infer(infer) => infer.run(&device, &console),
        Command::Tune(tune) => tune.run(&device, &console),
        Command::Sonfin(sonfin) => sonfin.run(&device, &console),
        Command::Calc(calc) => calc.run(&device, &console),
        Command::Convert(convert) => convert.run(&console),
        Command::Data(data) => data.run(&console),
        Command::Grid(grid) => grid.run(&console),
        Command::Show(show) => show.run(&console),
        Command::Explain(explain) => explain.run(&console),
        Command::Export(export) => export.run(&console),
        Command::Edges(edges) => edges.run(&device, &console),
        Command::Image(image) => image.run(&device, &console),
        Command::Devices(devices) => devices.run(&words.global.device, &console),
        Command::Selftest(selftest) => selftest.run(&device, &console),
        Command::Bench(bench) => bench.run(&device, &console),
        Command::Tour(tour) => tour.run(&device, &console),
    });
    match done {
        Ok(code) => code,
        Err(fuzzion::Error::Interrupted) => {
            console::complain(&fuzzion::Error::Interrupted.to_string());
            ExitCode::from(interrupt::EXIT_CODE)
        }
        Err(error) => {
            console::complain(&error.to_string());
            // A word that names no device is a wrong word like any other.
            let wrong_word = matches!(error, fuzzion::Error::UnknownDevice(_));
            if wrong_word { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}
