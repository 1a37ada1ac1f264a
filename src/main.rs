//! The `enroc` program.

fn main() -> std::process::ExitCode {
    enroc::cli::main()
}
