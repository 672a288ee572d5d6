//! Request extractors that answer invalid input with a problem document.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::problem::{Failure, Kind};

/// A JSON body, read or written.
pub(crate) struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Json<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        let axum::Json(value) =
            axum::Json::from_request(request, app).await.map_err(|rejection: JsonRejection| {
                failure(rejection.status(), rejection.body_text())
            })?;
        Ok(Self(value))
    }
}

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> axum::response::Response {
        axum::Json(self.0).into_response()
    }
}

/// The query string.
pub(crate) struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<Arc<App>> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let query = axum::extract::Query::from_request_parts(parts, app).await;
        let axum::extract::Query(value) = query.map_err(|rejection: QueryRejection| {
            Failure::new(Kind::InvalidRequest, rejection.body_text())
        })?;
        Ok(Self(value))
    }
}

/// The path parameters. Invalid ones answer "not found".
pub(crate) struct Path<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<Arc<App>> for Path<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Failure> {
        let path = axum::extract::Path::from_request_parts(parts, app).await;
        let axum::extract::Path(value) = path.map_err(|rejection: PathRejection| {
            Failure::new(Kind::NotFound, rejection.body_text())
        })?;
        Ok(Self(value))
    }
}

/// A text body.
pub(crate) struct Text(pub Bytes);

impl FromRequest<Arc<App>> for Text {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        let body = Bytes::from_request(request, app).await;
        body.map(Self)
            .map_err(|rejection: BytesRejection| failure(rejection.status(), rejection.body_text()))
    }
}

fn failure(status: StatusCode, detail: String) -> Failure {
    let kind = match status {
        StatusCode::PAYLOAD_TOO_LARGE => Kind::TooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Kind::MediaType,
        _ => Kind::InvalidRequest,
    };
    Failure::new(kind, detail)
}
