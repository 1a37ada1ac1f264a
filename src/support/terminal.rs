//! Printing to standard output and standard error.

use super::foreign::visible;
use super::log::{self, Direction};
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::OnceLock;

/// Why the first line that could not be printed was not.
static LOST: OnceLock<io::Error> = OnceLock::new();

/// Prints a line, flushes it and notes it in the log if there is one. If that fails the computation goes on, for its result
/// may be a file; the program asks for [`failure`] at its end.
pub fn say(line: impl Display) {
    let line = line.to_string();
    let line = visible(&line);
    log::note(Direction::Out, &line);
    let mut output = io::stdout().lock();
    note_error(writeln!(output, "{line}").and_then(|()| output.flush()));
}

/// Prints a line to standard error.
pub fn complain(line: impl Display) {
    // there is nobody left to tell if this fails
    let _ = writeln!(io::stderr(), "{}", visible(&line.to_string()));
}

/// Remembers that something could not be printed to standard output.
pub fn note_error(done: io::Result<()>) {
    if let Err(error) = done {
        let _ = LOST.set(error);
    }
}

/// Does this on a thread of its own once nobody can read standard output any more, which work that prints seldom would
/// notice late. Elsewhere than on Linux the next line notices it.
pub fn when_lost(act: impl FnOnce() + Send + 'static) {
    #[cfg(all(target_os = "linux", feature = "play"))]
    let _ = std::thread::Builder::new()
        .name("reader".to_string())
        .spawn(move || {
            if wait_until_lost() {
                note_error(Err(io::ErrorKind::BrokenPipe.into()));
                act();
            }
        });
    #[cfg(not(all(target_os = "linux", feature = "play")))]
    drop(act);
}

/// Waits until the reader of standard output has gone away; `false` if that cannot be told.
#[cfg(all(target_os = "linux", feature = "play"))]
fn wait_until_lost() -> bool {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::io::Errno;
    let output = io::stdout();
    // errors are told without being asked for
    let mut watched = [PollFd::new(&output, PollFlags::empty())];
    while poll(&mut watched, None) == Err(Errno::INTR) {}
    watched[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
}

/// Whether a line could not be printed, so that nobody reads those that follow.
pub fn is_lost() -> bool {
    LOST.get().is_some()
}

/// Why lines could not be printed; `None` if the reader went away, as `head` does, which is no fault.
pub fn failure() -> Option<&'static io::Error> {
    LOST.get()
        .filter(|error| error.kind() != io::ErrorKind::BrokenPipe)
}
