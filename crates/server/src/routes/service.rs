//! Health, metrics and API document.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::extract::Json;
use crate::guard::{names_this_machine, shows_token};
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};
use crate::visitor::Visitor;

/// The server's health.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `ok`; an unhealthy server answers with a problem.
    status: &'static str,
    /// The server's version.
    version: &'static str,
}

/// Health check: succeeds if the server can read from its store, and write as far as it has tried.
#[utoipa::path(get, path = "/health", tag = "service",
    responses((status = 200, body = Health), Problems))]
pub(crate) async fn health(State(app): State<Arc<App>>) -> Result<Json<Health>> {
    app.store.check().await?;
    app.store.check_disk()?;
    Ok(Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") }))
}

/// Prometheus metrics, for this machine and for holders of the metrics token.
#[utoipa::path(get, path = "/metrics", tag = "service",
    responses((status = 200, body = String, content_type = "text/plain"), Problems))]
pub(crate) async fn metrics(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<impl IntoResponse> {
    let token = app.config.public().and_then(|public| public.metrics_token.as_deref());
    if !is_local(visitor.connection.peer, &headers) && !shows_token(token, &headers) {
        let detail = "metrics are for this machine, or for requests with the metrics token";
        return Err(Failure::new(Kind::Forbidden, detail));
    }
    let kind = "text/plain; version=1.0.0; charset=utf-8";
    Ok(([(header::CONTENT_TYPE, kind)], app.metrics.text()))
}

/// Whether a request comes from this machine, and not through a proxy on it: it asks for this machine
/// by name and has no header of a proxy.
fn is_local(peer: SocketAddr, headers: &HeaderMap) -> bool {
    let proxied = |name: &str| {
        name.starts_with("x-forwarded")
            || ["forwarded", "via", "x-real-ip", "cf-connecting-ip"].contains(&name)
    };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    peer.ip().to_canonical().is_loopback()
        && host.is_none_or(names_this_machine)
        && !headers.keys().any(|name| proxied(name.as_str()))
}

/// This `OpenAPI` document.
#[utoipa::path(get, path = "/api/openapi.json", tag = "service",
    responses((status = 200, body = Object, content_type = "application/json"), Problems))]
pub(crate) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(crate::openapi())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(name: &'static str, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name.parse().expect("a name"), value.parse().expect("a value"))])
    }

    #[test]
    fn requests_through_a_proxy_are_not_local() {
        let none = HeaderMap::new();
        assert!(is_local(SocketAddr::from(([127, 0, 0, 1], 1)), &none));
        assert!(!is_local(SocketAddr::from(([10, 0, 0, 1], 1)), &none));
        let proxied = headers("x-forwarded-for", "127.0.0.1");
        assert!(!is_local(SocketAddr::from(([127, 0, 0, 1], 1)), &proxied));
        for (name, value) in [
            ("x-forwarded-proto", "https"),
            ("cf-connecting-ip", "1.2.3.4"),
            ("host", "chess.example.org"),
            ("host", "10.0.0.1:8000"),
        ] {
            let proxied = headers(name, value);
            assert!(!is_local(SocketAddr::from(([127, 0, 0, 1], 1)), &proxied), "{name}");
        }
        for host in ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "[::1]", "LOCALHOST"] {
            assert!(is_local(SocketAddr::from(([127, 0, 0, 1], 1)), &headers("host", host)));
        }
    }
}
