//! The server: it listens on the loopback interface, and nowhere else.

use super::api;
use super::board::Board;
use super::closing::Closing;
use super::connections::{Connections, Slot};
use super::gallery::Offer;
use super::guard::Guard;
use super::sessions::IDLE;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::{Ipv4Addr, TcpListener as Listener};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use thiserror::Error;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

/// The port if none is given. It is fixed because what the browser keeps for the page belongs to it.
pub const PORT: u16 = 8774;

/// How long the head of a request may take, and an open connection may wait for one.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// The most bytes of a request's head.
const LONGEST_HEAD: usize = 16 << 10;
/// The most lines of it.
const MOST_HEADERS: usize = 64;
/// How often sessions are looked for that are over.
const SWEEPS: Duration = Duration::from_secs(30);
/// How long the connections have to end when the server does.
const FAREWELL: Duration = Duration::from_secs(2);

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServerError {
    /// Another program listens there.
    #[error(
        "port {0} is taken, perhaps by another `enroc board`: end that one, or choose another port with --port"
    )]
    PortTaken(u16),
    /// The port cannot be used.
    #[error("cannot listen on port {0}: {1}; choose another port with --port")]
    Port(u16, io::Error),
    /// The system refuses something else.
    #[error("cannot start the server: {0}")]
    System(#[from] io::Error),
}

/// A server that listens and does not answer yet.
pub struct Server {
    listener: Listener,
    port: u16,
    board: Arc<Board>,
}

impl Server {
    /// Listens on a port of the loopback interface; 0 takes any that is free. The offer is what can be played against
    /// and compared beside the built-in nets.
    ///
    /// # Errors
    /// [`ServerError`] if the port cannot be used.
    pub fn bind(port: u16, offer: Offer) -> Result<Server, ServerError> {
        let listener = Listener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => ServerError::PortTaken(port),
            _ => ServerError::Port(port, error),
        })?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let guard = Guard::new(port).map_err(io::Error::other)?;
        Ok(Server {
            listener,
            port,
            board: Arc::new(Board::new(guard, offer)),
        })
    }

    /// The address to open, with the token.
    pub fn address(&self) -> String {
        format!(
            "http://127.0.0.1:{}/#token={}",
            self.port,
            self.board.guard.token()
        )
    }

    /// Answers until `stop` is there, then ends what runs.
    ///
    /// # Errors
    /// [`ServerError::System`] if the system does not let it run.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<(), ServerError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(4)
            .build()?;
        runtime.block_on(self.serve(stop))?;
        runtime.shutdown_timeout(FAREWELL);
        Ok(())
    }

    async fn serve(self, stop: impl Future<Output = ()>) -> io::Result<()> {
        let listener = TcpListener::from_std(self.listener)?;
        let connections = Connections::default();
        let mut sweeps = tokio::time::interval(SWEEPS);
        let mut stop = pin!(stop);
        loop {
            let stream = tokio::select! {
                () = &mut stop => break,
                _ = sweeps.tick() => {
                    self.board.sessions.sweep(IDLE);
                    continue;
                }
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(_) => {
                        // out of file handles, most likely: others have to close first
                        tokio::time::sleep(Duration::from_millis(50)).await;
                        continue;
                    }
                },
            };
            if let Some((place, closed)) = connections.enter() {
                let board = Arc::clone(&self.board);
                tokio::spawn(connect(stream, board, place, closed, self.board.close.listen()));
            }
        }
        drop(listener);
        self.board.close.close(FAREWELL).await;
        Ok(())
    }
}

/// Serves one connection until it ends, has to give way, or the server closes.
async fn connect(
    stream: TcpStream,
    board: Arc<Board>,
    place: Slot,
    give_way: oneshot::Receiver<()>,
    mut closing: Closing,
) {
    let _ = stream.set_nodelay(true);
    let place = Arc::new(place);
    let service = service_fn(move |request| {
        let answer = api::answer(Arc::clone(&board), Arc::clone(&place), request);
        async move { Ok::<_, Infallible>(answer.await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_headers(MOST_HEADERS)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    let mut connection = pin!(connection);
    // errors of a connection are ignored: they are the client's, and there is nobody left to tell
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = give_way => return,
        () = closing.wait() => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// Ends when the user interrupts the program, or the system ends it.
pub async fn interrupted() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut ended) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = ended.recv() => {}
            }
            return;
        }
    }
    // without a handler the signal ends the program by itself
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
