//! The document of the interface.

use std::collections::BTreeMap;

use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use utoipa::openapi::{Content, Ref, RefOr, Response};
use utoipa::{IntoResponses, Modify, OpenApi};

use crate::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Riga",
        description = "Games, analysis and storage of Riga. Errors are problem documents (RFC 9457). \
            docs/protocol.md tells what is said on the sockets.",
        license(name = "GPL-3.0-or-later", identifier = "GPL-3.0-or-later"),
    ),
    components(schemas(
        wire::Problem,
        wire::ClientMessage,
        wire::ServerMessage,
        wire::AnalysisMessage,
        wire::Analysed,
        wire::Thoughts,
    )),
    modifiers(&Problems, &Keys),
    security((), ("session" = [], "csrf" = []))
)]
pub(crate) struct Document;

/// The document of the whole interface, `OpenAPI` 3.1.
pub fn openapi() -> utoipa::openapi::OpenApi {
    routes::all(0).split_for_parts().1
}

/// Every problem that any route can answer with: its status, its name in the document of the interface, and what it
/// says.
const PROBLEMS: [(&str, &str, &str); 12] = [
    ("400", "InvalidRequest", "The request can't be read."),
    ("401", "NotSignedIn", "Somebody must have signed in, or the password is wrong."),
    ("403", "Forbidden", "It is not yours, or the request comes from another site."),
    ("404", "NotFound", "There is no such thing."),
    ("405", "MethodNotAllowed", "This can't be done with it."),
    ("409", "Conflict", "Somebody else has it, it has changed, or it is over."),
    ("413", "TooLarge", "It is too large."),
    ("415", "MediaType", "The body is of another kind than expected."),
    ("422", "Unprocessable", "The position can't be played, or the move is not legal."),
    ("429", "TooManyRequests", "That is too much at a time."),
    ("500", "Internal", "A bug. Nothing was changed."),
    ("503", "Busy", "The server is busy."),
];

/// The problems in the document of the interface: told once, named by every route.
pub(crate) struct Problems;

impl IntoResponses for Problems {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        let named = |name| RefOr::Ref(Ref::from_response_name(name));
        PROBLEMS.map(|(status, name, _)| (status.to_owned(), named(name))).into()
    }
}

impl Modify for Problems {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let schema = Ref::from_schema_name("Problem");
        let content = Content::new(Some(schema));
        let components = document.components.get_or_insert_default();
        for (_, name, description) in PROBLEMS {
            let response = Response::builder()
                .description(description)
                .content("application/problem+json", content.clone())
                .build();
            components.responses.insert(name.to_owned(), response.into());
        }
    }
}

/// How a visitor shows who they are.
struct Keys;

impl Modify for Keys {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let session = "What POST /api/session and POST /api/account set. With https it is called `__Host-riga`.";
        let csrf =
            "On a public server: the value that GET /api/me tells, for whatever changes something.";
        let components = document.components.get_or_insert_default();
        let keys = [
            ("session", ApiKey::Cookie(ApiKeyValue::with_description("riga", session))),
            ("csrf", ApiKey::Header(ApiKeyValue::with_description("x-csrf-token", csrf))),
        ];
        for (name, key) in keys {
            components.add_security_scheme(name, SecurityScheme::ApiKey(key));
        }
    }
}
