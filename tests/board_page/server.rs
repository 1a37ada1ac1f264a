//! `enroc board` as a process.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// The server, ended when dropped.
pub struct Server {
    process: Child,
    /// The address that it printed, with its token.
    pub address: String,
}

impl Server {
    /// Starts it on a free port.
    pub fn start() -> Self {
        Self::start_on(0)
    }

    /// Starts it on this port, or on a free one for 0.
    pub fn start_on(port: u16) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_enroc"))
            .args(["board", "--no-open", "--port", &port.to_string()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("enroc starts");
        let mut lines = BufReader::new(process.stdout.take().expect("its output is piped")).lines();
        let address = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| {
                let start = line.find("http://127.0.0.1:")?;
                line[start..].split_whitespace().next().map(str::to_string)
            })
            .expect("enroc board prints its address");
        std::thread::spawn(move || lines.for_each(drop));
        Self { process, address }
    }

    /// The address without its token.
    pub fn origin(&self) -> &str {
        self.address.split("/#").next().unwrap_or_default()
    }

    pub fn port(&self) -> u16 {
        let digits = self.origin().rsplit(':').next().unwrap_or_default();
        digits.parse().expect("a port")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
