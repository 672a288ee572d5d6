//! The web interface, embedded in the binary.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::problem::{Failure, Kind};

/// Paths and contents of all embedded files.
const ASSETS: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// Placeholder page if the web interface wasn't built.
const NOT_BUILT: &str = "<!doctype html><meta charset=utf-8><title>Riga</title><h1>Riga</h1>\
    <p>This binary was built without the web interface. Run <code>make run</code>, which builds both.\
    <p>The API is documented at <a href=/api/openapi.json>/api/openapi.json</a>.";

/// Only same-origin resources, and no framing. WebAssembly is compiled from them, too.
const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'";

const SAME_ORIGIN: HeaderValue = HeaderValue::from_static("same-origin");
const REQUIRE_CORP: HeaderValue = HeaderValue::from_static("require-corp");

/// Serves a file, or the app's index page for any other path.
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
        return Failure::new(Kind::NotFound, format!("no such page: {path}")).into_response();
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
    // File names under /assets/ contain a content hash.
    let cache = if path.starts_with("/assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind(path))),
        (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
        // An isolated page may share memory with its workers: that stops the engine at once.
        (HeaderName::from_static("cross-origin-opener-policy"), SAME_ORIGIN),
        (HeaderName::from_static("cross-origin-embedder-policy"), REQUIRE_CORP),
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
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}
