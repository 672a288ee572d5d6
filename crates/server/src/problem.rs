//! Errors as problem documents (RFC 9457).

use axum::Json;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use store::StoreError;
use wire::{Fault, Field};

/// Problem types; docs/protocol.md lists them.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    InvalidRequest,
    NotSignedIn,
    WrongPassword,
    Forbidden,
    ForeignOrigin,
    NotFound,
    MethodNotAllowed,
    Taken,
    Changed,
    InProgress,
    Reviewed,
    Over,
    TooLarge,
    MediaType,
    InvalidPosition,
    IllegalMove,
    NothingToSay,
    TooManyRequests,
    Internal,
    Busy,
    StoreFails,
    DiskFull,
}

impl Kind {
    const fn parts(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            Self::InvalidRequest => (StatusCode::BAD_REQUEST, "invalid-request", "Invalid request"),
            Self::NotSignedIn => (StatusCode::UNAUTHORIZED, "not-signed-in", "Sign-in required"),
            Self::WrongPassword => {
                (StatusCode::UNAUTHORIZED, "wrong-password", "Wrong name or password")
            }
            Self::Forbidden => (StatusCode::FORBIDDEN, "forbidden", "Not allowed"),
            Self::ForeignOrigin => {
                (StatusCode::FORBIDDEN, "foreign-origin", "The request comes from another site")
            }
            Self::NotFound => (StatusCode::NOT_FOUND, "not-found", "Not found"),
            Self::MethodNotAllowed => {
                (StatusCode::METHOD_NOT_ALLOWED, "method-not-allowed", "Method not allowed")
            }
            Self::Taken => (StatusCode::CONFLICT, "taken", "Already taken"),
            Self::Changed => (StatusCode::CONFLICT, "changed", "Changed in the meantime"),
            Self::InProgress => {
                (StatusCode::CONFLICT, "in-progress", "The game is still in progress")
            }
            Self::Reviewed => (StatusCode::CONFLICT, "reviewed", "Already reviewed"),
            Self::Over => (StatusCode::CONFLICT, "over", "The game is over"),
            Self::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "too-large", "Too large"),
            Self::MediaType => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", "Unsupported media type")
            }
            Self::InvalidPosition => {
                (StatusCode::UNPROCESSABLE_ENTITY, "invalid-position", "Invalid position")
            }
            Self::IllegalMove => (StatusCode::UNPROCESSABLE_ENTITY, "illegal-move", "Illegal move"),
            Self::NothingToSay => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "nothing-to-say",
                "The game is over: there is nothing to analyse",
            ),
            Self::TooManyRequests => {
                (StatusCode::TOO_MANY_REQUESTS, "too-many-requests", "Too many requests")
            }
            Self::Internal => {
                (StatusCode::INTERNAL_SERVER_ERROR, "internal", "Internal server error")
            }
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy", "The server is busy"),
            Self::StoreFails => {
                (StatusCode::SERVICE_UNAVAILABLE, "store-fails", "The database is unavailable")
            }
            Self::DiskFull => {
                (StatusCode::INSUFFICIENT_STORAGE, "disk-full", "The server's disk is full")
            }
        }
    }
}

/// Seconds after which to try again when the store has failed.
const RETRY: u64 = 2;

/// An error response.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub kind: Kind,
    pub detail: String,
    pub fields: Vec<Field>,
    /// Seconds after which to try again.
    pub retry_after: Option<u64>,
}

pub(crate) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), fields: Vec::new(), retry_after: None }
    }

    /// A field of the request is invalid.
    pub fn field(kind: Kind, name: &str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        let field = Field { name: name.to_owned(), detail: detail.clone(), fault: None };
        Self { fields: vec![field], ..Self::new(kind, detail) }
    }

    /// Attaches a machine-readable code to the first invalid field.
    pub fn because(mut self, fault: Fault) -> Self {
        if let Some(field) = self.fields.first_mut() {
            field.fault = Some(fault);
        }
        self
    }

    pub fn not_found(what: &str) -> Self {
        Self::new(Kind::NotFound, format!("there is no such {what}"))
    }

    /// The game isn't over.
    pub fn in_progress() -> Self {
        Self::new(Kind::InProgress, "only a game that is over can be reviewed or deleted")
    }

    pub fn too_fast(seconds: u64) -> Self {
        let detail = format!("try again in {seconds} s");
        Self { retry_after: Some(seconds), ..Self::new(Kind::TooManyRequests, detail) }
    }

    /// The problem document.
    pub fn document(&self) -> wire::Problem {
        let (status, slug, title) = self.kind.parts();
        wire::Problem {
            kind: format!("/problems/{slug}"),
            title: title.to_owned(),
            status: status.as_u16(),
            detail: self.detail.clone(),
            fields: self.fields.clone(),
        }
    }
}

const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let (status, ..) = self.kind.parts();
        let mut response = (status, Json(self.document())).into_response();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, PROBLEM_JSON);
        let extra: Option<(HeaderName, HeaderValue)> = match self.kind {
            Kind::NotSignedIn | Kind::WrongPassword => {
                Some((header::WWW_AUTHENTICATE, HeaderValue::from_static("Cookie")))
            }
            _ => self.retry_after.map(|seconds| (header::RETRY_AFTER, seconds.into())),
        };
        if let Some((name, value)) = extra {
            headers.insert(name, value);
        }
        response
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let kind = match &error {
            StoreError::NotFound(_) => Kind::NotFound,
            StoreError::Taken(_) => Kind::Taken,
            StoreError::Stale { .. } => Kind::Changed,
            StoreError::Over => Kind::Over,
            StoreError::Unrated => Kind::Busy,
            StoreError::Refused { .. } => Kind::InvalidRequest,
            error if error.is_outage() => {
                tracing::error!(%error, "store error");
                let kind = match error {
                    StoreError::Full(_) => Kind::DiskFull,
                    _ => Kind::StoreFails,
                };
                let detail = "the server can't read or save at the moment; try again soon";
                return Self { retry_after: Some(RETRY), ..Self::new(kind, detail) };
            }
            _ => {
                // Database errors belong in the log, not in a response.
                tracing::error!(%error, "store error");
                return Self::new(Kind::Internal, "the database failed; nothing was changed");
            }
        };
        match name_fault(&error) {
            Some(fault) => Self::field(kind, "name", error.to_string()).because(fault),
            None => Self::new(kind, error.to_string()),
        }
    }
}

/// What is wrong with a name, as a code.
fn name_fault(error: &StoreError) -> Option<Fault> {
    let code = match error {
        StoreError::Taken(name) => return Some(Fault::new("name_taken", [name.clone()])),
        StoreError::Refused { what: "name", why } => match *why {
            "is empty" => "name_empty",
            "is too long" => "name_long",
            "mixes letters of different scripts" => "name_scripts",
            "has several spaces in a row" => "name_spaces",
            "needs a letter or a digit" => "name_letter",
            _ => "name_characters",
        },
        _ => return None,
    };
    Some(Fault::new(code, []))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_name_has_a_code() {
        let long = "a".repeat(41);
        for (name, code) in [
            ("", "name_empty"),
            (&*long, "name_long"),
            ("Аnna", "name_scripts"),
            ("A  B", "name_spaces"),
            ("-", "name_letter"),
            ("A&B", "name_characters"),
            ("A\u{7}B", "name_characters"),
        ] {
            let failure = Failure::from(store::user_name(name).expect_err(name));
            let fault = failure.fields[0].fault.as_ref().expect("a code");
            assert_eq!((&*failure.fields[0].name, &*fault.code), ("name", code), "{name}");
        }
    }

    #[test]
    fn an_outage_of_the_store_is_told_with_the_time_to_try_again() {
        for (error, status) in [
            (StoreError::Unavailable("silence".to_owned()), 503),
            (StoreError::Moved("riga.db was deleted".to_owned()), 503),
            (StoreError::Full("no space".to_owned()), 507),
        ] {
            let failure = Failure::from(error);
            assert_eq!(failure.document().status, status);
            let response = failure.into_response();
            assert_eq!(response.headers()[header::RETRY_AFTER], "2");
        }
        let other = StoreError::Damaged { what: "a game".to_owned() };
        assert_eq!(Failure::from(other).document().status, 500);
    }
}
