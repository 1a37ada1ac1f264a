//! Who may ask: only the page that this server gave out, in the browser that has the token.

use super::error::ApiError;
use crate::support::hex::hex;
use hyper::StatusCode;
use hyper::header::{self, HeaderMap, HeaderName};
use rand::TryRngCore;
use rand::rngs::OsRng;

/// Says where the page is from that makes a request; browsers set it, and pages cannot.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The names and the secret of a running server.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The values of `Host` that name this server.
    hosts: [String; 2],
    token: String,
}

impl Guard {
    /// The guard of a server on this port of the loopback interface, with a new token.
    ///
    /// # Errors
    /// If the system has no random numbers.
    pub fn new(port: u16) -> Result<Guard, rand::rand_core::OsError> {
        let mut token = [0; 16];
        OsRng.try_fill_bytes(&mut token)?;
        Ok(Guard {
            hosts: [format!("127.0.0.1:{port}"), format!("localhost:{port}")],
            token: hex(&token),
        })
    }

    /// The token, in hexadecimal digits.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Refuses requests from the pages of other servers: `Host` gives away a page whose domain name was made to resolve
    /// to the loopback interface (DNS rebinding), `Origin` any other page.
    ///
    /// # Errors
    /// [`ApiError`] with the code `host` or `origin`.
    pub fn check_source(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        let refuse = |code, message: &str| Err(ApiError::new(StatusCode::FORBIDDEN, code, message));
        let host = only(headers, &header::HOST);
        let Some(host) = self.hosts.iter().find(|&own| Some(own.as_bytes()) == host) else {
            return refuse("host", "this server answers to 127.0.0.1 and localhost only");
        };
        if headers.contains_key(header::ORIGIN)
            && only(headers, &header::ORIGIN) != Some(format!("http://{host}").as_bytes())
        {
            return refuse("origin", "this server answers to its own page only");
        }
        Ok(())
    }

    /// Refuses calls without the token.
    ///
    /// # Errors
    /// [`ApiError`] with the code `origin` or `token`.
    pub fn check_caller(&self, headers: &HeaderMap) -> Result<(), ApiError> {
        if let Some(site) = headers.get(FETCH_SITE)
            && site != "same-origin"
        {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "origin",
                "this server answers to its own page only",
            ));
        }
        let token = only(headers, &header::AUTHORIZATION).and_then(|value| value.strip_prefix(b"Bearer "));
        match token.is_some_and(|token| equal(token, self.token.as_bytes())) {
            true => Ok(()),
            false => Err(ApiError::new(
                StatusCode::UNAUTHORIZED,
                "token",
                "the token is missing or wrong: open the address that `enroc board` printed",
            )),
        }
    }
}

/// The value of a header that must be there once.
fn only<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a [u8]> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then(|| value.as_bytes())
}

/// Whether two texts are the same, in a time that does not tell where they differ.
fn equal(a: &[u8], b: &[u8]) -> bool {
    let differences = a.iter().zip(b).fold(0, |sum, (a, b)| sum | (a ^ b));
    a.len() == b.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for &(name, value) in lines {
            headers.append(name, value.parse().unwrap());
        }
        headers
    }

    fn code(answer: Result<(), ApiError>) -> &'static str {
        answer.err().map_or("", |error| error.fault.code)
    }

    #[test]
    fn only_this_server_and_its_page_are_sources() {
        let guard = Guard::new(8774).unwrap();
        for (lines, expected) in [
            (&[("host", "127.0.0.1:8774")][..], ""),
            (&[("host", "localhost:8774")], ""),
            (&[], "host"),
            (&[("host", "localhost:8775")], "host"),
            (&[("host", "localhost")], "host"),
            (&[("host", "rebound.example:8774")], "host"),
            (&[("host", "127.0.0.1:8774.evil.example")], "host"),
            (
                &[("host", "localhost:8774"), ("host", "evil.example:8774")],
                "host",
            ),
            (
                &[("host", "localhost:8774"), ("origin", "http://localhost:8774")],
                "",
            ),
            (
                &[("host", "localhost:8774"), ("origin", "http://127.0.0.1:8774")],
                "origin",
            ),
            (
                &[("host", "localhost:8774"), ("origin", "https://localhost:8774")],
                "origin",
            ),
            (&[("host", "localhost:8774"), ("origin", "null")], "origin"),
        ] {
            assert_eq!(code(guard.check_source(&headers(lines))), expected, "{lines:?}");
        }
    }

    #[test]
    fn only_the_token_lets_in() {
        let (guard, other) = (Guard::new(1).unwrap(), Guard::new(1).unwrap());
        assert_ne!(guard.token(), other.token());
        assert_eq!(guard.token().len(), 32);
        let bearer = |token: &str| format!("Bearer {token}");
        for (value, expected) in [
            (bearer(guard.token()), ""),
            (bearer(other.token()), "token"),
            (bearer(&guard.token()[..31]), "token"),
            (bearer(""), "token"),
            (guard.token().to_string(), "token"),
        ] {
            let lines = headers(&[("authorization", &value)]);
            assert_eq!(code(guard.check_caller(&lines)), expected, "{value}");
        }
        assert_eq!(code(guard.check_caller(&HeaderMap::new())), "token");
        let foreign = headers(&[
            ("authorization", &bearer(guard.token())),
            ("sec-fetch-site", "same-site"),
        ]);
        assert_eq!(code(guard.check_caller(&foreign)), "origin");
    }
}
