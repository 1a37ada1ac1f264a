//! What strangers and broken clients may try with the board's server: it refuses them, and goes on.
#![cfg(feature = "board")]

mod served;

use serde_json::json;
use served::{Answer, HANGS, Served, endless};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

/// That the server answers its page.
fn is_sound(served: &Served) {
    assert_eq!(served.ask("/api/position", &json!({ "state": {} }))["turn"], "w");
}

#[test]
fn the_page_comes_with_its_headers_and_nothing_else_does() {
    let served = Served::start();
    for path in ["/", "/index.html"] {
        let page = served.get(path);
        assert_eq!(page.status, 200, "{page:?}");
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self';",
            "require-trusted-types-for 'script'",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "content-type: text/html; charset=utf-8",
        ] {
            assert!(page.head.contains(header), "{header}: {}", page.head);
        }
    }
    for path in [
        "/../Cargo.toml",
        "/js/../../mod.rs",
        "/%2e%2e/mod.rs",
        "/..%2fmod.rs",
        "//etc/passwd",
        "/etc/passwd",
        "/js",
        "/js/",
        "/index.html/",
        "/INDEX.HTML",
        "/\\..\\mod.rs",
    ] {
        assert_ne!(served.get(path).status, 200, "{path}");
    }
    let headers = format!("Host: {}\r\n", served.host());
    let posted = served.send(&Served::request("POST", "/", &headers, "x"));
    assert_eq!((posted.status, posted.code().as_str()), (405, "method"));
}

#[test]
fn strangers_are_refused() {
    let served = Served::start();
    let (host, token) = (served.host(), &served.token);
    let call = |headers: &str| {
        let headers = format!("Content-Type: application/json\r\n{headers}");
        let answer = served.send(&Served::request(
            "POST",
            "/api/position",
            &headers,
            r#"{"state":{}}"#,
        ));
        match answer.status {
            200 => String::new(),
            _ => answer.code(),
        }
    };
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let own = format!("Host: {host}\r\n");
    assert_eq!(call(&format!("{own}{bearer}")), "");
    assert_eq!(call(&format!("{own}{bearer}Origin: http://{host}\r\n")), "");
    for (headers, code) in [
        (format!("Host: evil.example\r\n{bearer}"), "host"),
        (format!("Host: evil.example:{}\r\n{bearer}", served.port), "host"),
        (bearer.clone(), "host"),
        (format!("{own}{own}{bearer}"), "host"),
        (format!("{own}{bearer}Origin: http://evil.example\r\n"), "origin"),
        (format!("{own}{bearer}Origin: null\r\n"), "origin"),
        (format!("{own}{bearer}Origin: https://{host}\r\n"), "origin"),
        (format!("{own}{bearer}Sec-Fetch-Site: cross-site\r\n"), "origin"),
        (own.clone(), "token"),
        (
            format!("{own}Authorization: Bearer {}\r\n", "0".repeat(32)),
            "token",
        ),
        (format!("{own}Authorization: Bearer {}\r\n", &token[1..]), "token"),
        (format!("{own}Authorization: Basic {token}\r\n"), "token"),
        (format!("{own}Cookie: token={token}\r\n"), "token"),
    ] {
        assert_eq!(call(&headers), code, "{headers}");
    }
    // the page, too, is for this host only
    let page = served.send(&Served::request("GET", "/", "Host: evil.example\r\n", ""));
    assert_eq!(page.code(), "host");
    is_sound(&served);
}

#[test]
fn what_is_too_large_is_refused() {
    let served = Served::start();
    let headers = served.headers(1);
    let large = "x".repeat(10 << 20);
    let request = Served::request("POST", "/api/pgn/read", &headers, &large);
    assert_eq!(served.send(&request).status, 413);
    // the same without saying how long it is
    let head = format!("POST /api/pgn/read HTTP/1.1\r\n{headers}Transfer-Encoding: chunked\r\n\r\n");
    let chunked = format!("{head}{:x}\r\n{large}\r\n0\r\n\r\n", large.len());
    assert_eq!(served.send(chunked.as_bytes()).status, 413);
    let header = format!("{headers}X-Long: {}\r\n", "x".repeat(100_000));
    let answer = served.send(&Served::request("POST", "/api/position", &header, "{}"));
    assert_eq!(answer.status, 431);
    let many = format!("{headers}{}", "X-Many: x\r\n".repeat(1_000));
    let answer = served.send(&Served::request("POST", "/api/position", &many, "{}"));
    assert_eq!(answer.status, 431);
    let deep = format!("{{\"state\":{}", "[".repeat(500_000));
    let answer = served.send(&Served::request("POST", "/api/position", &headers, &deep));
    assert_eq!((answer.status, answer.code().as_str()), (400, "json"));
    let typed = headers.replace("application/json", "text/plain");
    let answer = served.send(&Served::request("POST", "/api/position", &typed, "{}"));
    assert_eq!((answer.status, answer.code().as_str()), (415, "content_type"));
    let answer = served.send(b"\x16\x03\x01\x02\x00 this is not HTTP \r\n\r\n");
    assert_eq!(answer.status, 400);
    is_sound(&served);
}

#[test]
fn a_thousand_connections_leave_the_page_its_own() {
    let served = Served::start();
    let mut analysis = served.stream(1, "/api/search", &endless());
    analysis.until("info");
    let idle: Vec<TcpStream> = (0..1000)
        .map(|number| {
            let mut stream = served.connect();
            if number % 2 == 0 {
                // the server may have closed it already
                let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
            }
            stream
        })
        .collect();
    is_sound(&served);
    analysis.until("info");
    drop(idle);
    is_sound(&served);
}

#[test]
fn slow_ones_are_cut_off() {
    let served = Served::start();
    let mut head = served.connect();
    let mut body = served.connect();
    let request = Served::request("POST", "/api/position", &served.headers(1), "{\"state\":{}}");
    let (most, _) = request.split_at(request.len() - 4);
    body.write_all(most).expect("the server reads");
    // a byte now and then
    let slow = thread::spawn(move || {
        let deadline = Instant::now() + HANGS;
        for byte in b"GET / HTTP/1.1\r\nHost: x\r\n".iter().cycle() {
            assert!(Instant::now() < deadline, "a slow connection is kept");
            if head.write_all(&[*byte]).is_err() {
                return;
            }
            thread::sleep(Duration::from_millis(300));
        }
    });
    is_sound(&served);
    let mut answer = String::new();
    let _ = body.read_to_string(&mut answer);
    assert!(
        answer.starts_with("HTTP/1.1 408 ") && answer.contains("too_slow"),
        "{answer}"
    );
    slow.join().expect("it is cut off");
    is_sound(&served);
}

#[test]
fn html_stays_text() {
    let served = Served::start();
    let html = "<img src=x onerror=alert(1)>";
    let is_text = |answer: &Answer| {
        assert!(
            answer.head.contains("content-type: application/json"),
            "{answer:?}"
        );
        assert!(
            answer.head.contains("x-content-type-options: nosniff"),
            "{answer:?}"
        );
    };
    let refused = served.call(1, "/api/position", &json!({ "state": { "start": html } }));
    assert_eq!((refused.status, refused.code().as_str()), (400, "fen_fields"));
    is_text(&refused);
    let pgn = format!("[White \"{html}\"]\n\n1. e4 {{{html}}} *");
    let read = served.call(1, "/api/pgn/read", &json!({ "text": pgn }));
    is_text(&read);
    let game = read.json()["games"][0].clone();
    assert_eq!(game["tags"][0], json!(["White", html]));
    assert_eq!(game["nodes"][0]["comment"], html);
    let nowhere = served.get("/<script>alert(1)</script>");
    assert!(!nowhere.body.contains("script"), "{nowhere:?}");
}
