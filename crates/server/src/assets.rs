//! The web interface, embedded in the binary.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::problem::{Failure, Kind};

/// All embedded files.
const ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// An embedded file.
struct Asset {
    path: &'static str,
    bytes: &'static [u8],
    /// Whether it is compressed with gzip.
    gzip: bool,
}

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
    if let Some(asset) = find(path) {
        return asset.response(&headers);
    }
    let wants_page = headers
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .is_some_and(|accept| accept.contains("text/html"));
    if path.starts_with("/api/") || (!wants_page && path != "/") {
        return Failure::new(Kind::NotFound, format!("no such page: {path}")).into_response();
    }
    match find("/index.html") {
        Some(page) => page.response(&headers),
        None => (StatusCode::OK, Html(NOT_BUILT)).into_response(),
    }
}

fn find(path: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.path == path)
}

impl Asset {
    fn response(&self, request: &HeaderMap) -> Response {
        // File names under /assets/ contain a content hash.
        let cache = if self.path.starts_with("/assets/") {
            "public, max-age=31536000, immutable"
        } else {
            "no-cache"
        };
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static(kind(self.path))),
            (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
            (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
            // An isolated page may share memory with its workers: that stops the engine at once.
            (HeaderName::from_static("cross-origin-opener-policy"), SAME_ORIGIN),
            (HeaderName::from_static("cross-origin-embedder-policy"), REQUIRE_CORP),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
        ];
        if !self.gzip {
            return (headers, self.bytes).into_response();
        }
        if takes_gzip(request) {
            let packed = [(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))];
            return (headers, packed, self.bytes).into_response();
        }
        match self.unpacked() {
            Some(bytes) => (headers, bytes).into_response(),
            None => Failure::new(Kind::Internal, "a damaged file").into_response(),
        }
    }

    /// The contents of a compressed file: deflated, between a header of ten bytes and checksum and
    /// length.
    fn unpacked(&self) -> Option<Vec<u8>> {
        let deflated = self.bytes.get(10..self.bytes.len().checked_sub(8)?)?;
        miniz_oxide::inflate::decompress_to_vec(deflated).ok()
    }
}

/// Whether a client understands gzip, as all browsers do.
fn takes_gzip(request: &HeaderMap) -> bool {
    let mut accepted = request.get_all(header::ACCEPT_ENCODING).iter();
    accepted.any(|value| value.to_str().is_ok_and(names_gzip))
}

fn names_gzip(accepted: &str) -> bool {
    accepted.split(',').any(|coding| {
        let (name, quality) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = quality.trim().strip_prefix("q=").and_then(|q| q.parse().ok()) == Some(0.0);
        name.trim().eq_ignore_ascii_case("gzip") && !refused
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_files_are_whole() {
        for asset in ASSETS.iter().filter(|asset| asset.gzip) {
            let length = asset.unpacked().expect("it can be unpacked").len() as u32;
            assert!(asset.bytes.ends_with(&length.to_le_bytes()), "{}", asset.path);
        }
    }

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for (accepted, expected) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("gzip;q=0", false),
            ("gzip; q=0.0", false),
            ("identity", false),
            ("x-gzipped", false),
        ] {
            assert_eq!(names_gzip(accepted), expected, "{accepted}");
        }
    }
}
