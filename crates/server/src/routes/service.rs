//! Health, metrics and API document.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::extract::Json;
use crate::openapi::Problems;
use crate::problem::{Failure, Kind, Result};

/// The server's health.
#[derive(Serialize, ToSchema)]
pub(crate) struct Health {
    /// Always `ok`; an unhealthy server answers with a problem.
    status: &'static str,
    /// The server's version.
    version: &'static str,
}

/// Health check: succeeds if the server can read from its store.
#[utoipa::path(get, path = "/health", tag = "service",
    responses((status = 200, body = Health), Problems))]
pub(crate) async fn health(State(app): State<Arc<App>>) -> Result<Json<Health>> {
    app.store.check().await.map_err(|_| Failure::new(Kind::Busy, "the database can't be read"))?;
    Ok(Json(Health { status: "ok", version: env!("CARGO_PKG_VERSION") }))
}

/// Prometheus metrics.
#[utoipa::path(get, path = "/metrics", tag = "service",
    responses((status = 200, body = String, content_type = "text/plain"), Problems))]
pub(crate) async fn metrics(State(app): State<Arc<App>>) -> impl IntoResponse {
    let kind = "text/plain; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], app.metrics.text())
}

/// This `OpenAPI` document.
#[utoipa::path(get, path = "/api/openapi.json", tag = "service",
    responses((status = 200, body = Object, content_type = "application/json"), Problems))]
pub(crate) async fn openapi() -> Json<utoipa::openapi::OpenApi> {
    Json(crate::openapi())
}
