//! HTTP to a server of Riga: its address, the client, and what the server's problems say.

use anyhow::{Context, Result};
use http_body_util::Full;
use hyper::body::Bytes;
use hyper::{StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

use crate::arguments::{Usage, misuse};

/// A client for HTTP and HTTPS.
pub type Client = legacy::Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// The URL given with `--server`, without a slash at the end.
pub fn server_url(server: &str) -> Result<String> {
    let base = server.trim_end_matches('/');
    let uri: Uri = base.parse().map_err(|error| Usage(format!("--server {server}: {error}")))?;
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none() {
        return misuse(format!("--server {server} is not a URL such as https://chess.example.org"));
    }
    Ok(base.to_owned())
}

/// A client that trusts the system's certificates.
pub fn client() -> Result<Client> {
    let connector = HttpsConnectorBuilder::new()
        .with_native_roots()
        .context("reading the system's certificates")?
        .https_or_http()
        .enable_http1()
        .build();
    Ok(legacy::Client::builder(TokioExecutor::new()).build(connector))
}

/// The detail of a problem document, or the status of an answer that is none.
pub fn problem(status: StatusCode, body: &[u8]) -> String {
    let problem: serde_json::Value = serde_json::from_slice(body).unwrap_or_default();
    match problem["detail"].as_str() {
        None | Some("") => status.to_string(),
        Some(detail) => detail.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_needed() {
        for wrong in ["", "chess.example.org", "ftp://chess.example.org", "https://"] {
            let Err(error) = server_url(wrong) else { panic!("{wrong}: not a URL") };
            assert!(error.is::<Usage>(), "{error}");
        }
        let base = server_url("https://chess.example.org/").expect("a URL");
        assert_eq!(base, "https://chess.example.org");
    }
}
