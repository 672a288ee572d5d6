//! The board for the browser, from within the binary.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::problem::{Failure, Kind};

/// Paths and contents of all files.
const ASSETS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// What stands there when the pages were not built.
const NOT_BUILT: &str = "<!doctype html><meta charset=utf-8><title>Riga</title><h1>Riga</h1>\
    <p>This binary was built without the board. Type <code>make run</code>, which builds both.\
    <p>The interface is told at <a href=/api/openapi.json>/api/openapi.json</a>.";

/// Nothing comes from elsewhere, and nobody frames us.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// A file, or for any other page the frame that shows it.
pub(crate) async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if method != Method::GET && method != Method::HEAD {
        return Failure::not_found("page").into_response();
    }
    let path = uri.path();
    if let Some((_, bytes)) = find(path) {
        return file(path, bytes);
    }
    let wants_page = headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"));
    if path.starts_with("/api/") || (!wants_page && path != "/") {
        return Failure::new(Kind::NotFound, format!("there is no {path}")).into_response();
    }
    match find("/index.html") {
        Some((_, page)) => file("/index.html", page),
        None => (StatusCode::OK, Html(NOT_BUILT)).into_response(),
    }
}

fn find(path: &str) -> Option<&'static (&'static str, &'static [u8])> {
    ASSETS.iter().find(|(name, _)| *name == path)
}

fn file(path: &str, bytes: &'static [u8]) -> Response {
    // Names under /assets/ change with their contents.
    let cache = if path.starts_with("/assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind(path))),
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    ];
    (headers, bytes).into_response()
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
