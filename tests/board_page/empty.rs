//! A page with nothing in it, from a server that does nothing else: what the browser itself takes for a page.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

const PAGE: &str = "<!doctype html><title>empty</title><p>.</p>";

/// Serves the empty page on a port of its own as long as the test runs, with this line as a header; its address.
pub fn serve_empty_page(header: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            // one read holds the whole question of a browser; what it does with the answer is its own affair
            let _ = stream.read(&mut [0; 8192]);
            let length = PAGE.len();
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {length}\r\n{header}Connection: close\r\n\r\n{PAGE}"
            );
        }
    });
    format!("http://{address}/")
}
