//! HTTP to a server of Riga: the client, and what the server's problems say.

use anyhow::{Context, Result};
use http_body_util::Full;
use hyper::StatusCode;
use hyper::body::Bytes;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;

/// A client for HTTP and HTTPS.
pub type Client = legacy::Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

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
