//! Request extractors that answer invalid input with a problem document.

use std::fmt::{self, Formatter};
use std::marker::PhantomData;
use std::sync::Arc;

use axum::body::{Bytes, HttpBody};
use axum::extract::rejection::{BytesRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::IntoResponse;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::app::App;
use crate::problem::{Failure, Kind};

/// A JSON body, read or written.
pub(crate) struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Json<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        let Object(value) = read(request, app).await?;
        Ok(Self(value))
    }
}

/// A JSON body that may be missing, which means the default.
pub(crate) struct JsonOrDefault<T>(pub T);

impl<T: DeserializeOwned + Default> FromRequest<Arc<App>> for JsonOrDefault<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &Arc<App>) -> Result<Self, Failure> {
        if request.body().is_end_stream() {
            return Ok(Self(T::default()));
        }
        let Object(value) = read(request, app).await?;
        Ok(Self(value))
    }
}

async fn read<T: DeserializeOwned>(request: Request, app: &Arc<App>) -> Result<T, Failure> {
    let body = axum::Json::from_request(request, app).await;
    let refused = |rejection: JsonRejection| failure(rejection.status(), rejection.body_text());
    body.map(|axum::Json(value)| value).map_err(refused)
}

/// A value written as a JSON object. By itself, serde also reads a list of the fields' values.
struct Object<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }

        reader.deserialize_map(Fields(PhantomData))
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
