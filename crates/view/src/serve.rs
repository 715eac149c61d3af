//! Serves a page to browsers on this machine.

use levada_graph::{Code, Error, Result};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

/// The maximum number of bytes read from a request.
const LONGEST: u64 = 16 << 10;
/// How long a browser may take to send its request, and to read the answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A page at a local address.
pub struct Server {
    listener: TcpListener,
    page: String,
}

impl Server {
    /// Binds a port; 0 for any free one.
    ///
    /// # Errors
    /// `UNAVAILABLE` if the port is in use or not permitted.
    pub fn bind(port: u16, page: String) -> Result<Server> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|e| {
            Error::new(Code::Unavailable, format!("port {port} cannot be used: {e}"))
                .help("--serve without a number takes any that is free")
        })?;
        Ok(Server { listener, page })
    }

    /// The address that it listens on.
    pub fn address(&self) -> Option<SocketAddr> {
        self.listener.local_addr().ok()
    }

    /// Answers one request after the other, until `go_on` returns false after an answer.
    pub fn run(&self, mut go_on: impl FnMut() -> bool) {
        for stream in self.listener.incoming() {
            // A browser that disconnects is not an error.
            let _ = stream.and_then(|stream| self.answer(stream));
            if !go_on() {
                return;
            }
        }
    }

    fn answer(&self, stream: TcpStream) -> std::io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        let mut reader = BufReader::new(stream.try_clone()?.take(LONGEST));
        let mut request = String::new();
        reader.read_line(&mut request)?;
        let (mut line, mut host) = (String::new(), None);
        while reader.read_line(&mut line)? > 2 {
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("host")
            {
                host = Some(value.trim().to_owned());
            }
            line.clear();
        }
        // A page from elsewhere that resolves its name to this machine must not read the graph.
        let is_local = host.as_deref().is_some_and(|host| {
            let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
            name == "localhost" || name == "127.0.0.1"
        });
        let mut words = request.split_whitespace();
        let (method, path) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let (status, body) = match (method, path.split('?').next()) {
            _ if !is_local => ("403 Forbidden", "this page is for this machine only\n"),
            ("GET" | "HEAD", Some("/")) => ("200 OK", self.page.as_str()),
            ("GET" | "HEAD", _) => ("404 Not Found", "there is only /\n"),
            _ => ("405 Method Not Allowed", "only GET and HEAD\n"),
        };
        let kind = if status.starts_with("200") { "text/html" } else { "text/plain" };
        let mut stream = stream;
        write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
             X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
            body.len()
        )?;
        if method != "HEAD" {
            stream.write_all(body.as_bytes())?;
        }
        stream.flush()
    }
}
