//! The `OpenAPI` document.

use std::collections::BTreeMap;

use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Content, Ref, RefOr, Response};
use utoipa::{IntoResponses, Modify, OpenApi};

use crate::routes;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Riga",
        description = "Games, analysis and storage of Riga. Errors are problem documents (RFC 9457). \
            docs/protocol.md describes the WebSocket protocol.",
        license(name = "GPL-3.0-or-later", identifier = "GPL-3.0-or-later"),
    ),
    components(schemas(
        wire::Problem,
        wire::ClientMessage,
        wire::ServerMessage,
        wire::AnalysisMessage,
        wire::Analysed,
        wire::AnalysedLines,
    )),
    modifiers(&Problems, &Keys),
    security((), ("session" = [], "csrf" = []))
)]
pub(crate) struct Document;

/// The `OpenAPI` 3.1 document of the whole API.
pub fn openapi() -> utoipa::openapi::OpenApi {
    routes::documented().split_for_parts().1
}

/// Every problem response: status, component name and description.
const PROBLEMS: [(&str, &str, &str); 13] = [
    ("400", "InvalidRequest", "Invalid request."),
    ("401", "NotSignedIn", "Sign-in required, or wrong name or password."),
    ("403", "Forbidden", "Not allowed, or the request comes from another site."),
    ("404", "NotFound", "Not found."),
    ("405", "MethodNotAllowed", "Method not allowed."),
    ("409", "Conflict", "Already taken, changed in the meantime, still in progress, or over."),
    ("413", "TooLarge", "Too large."),
    ("415", "MediaType", "Unsupported media type."),
    ("422", "Unprocessable", "Invalid position, illegal move, or nothing to analyse."),
    ("429", "TooManyRequests", "Too many requests."),
    ("500", "Internal", "A bug. Nothing was changed."),
    ("503", "Busy", "The server is busy, or its database is unavailable."),
    ("507", "DiskFull", "The server's disk is full."),
];

/// The problem responses, defined once and referenced by every route.
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

/// The authentication schemes.
struct Keys;

impl Modify for Keys {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let session =
            "Set by POST /api/session and POST /api/account. With HTTPS it is named `__Host-riga`.";
        let csrf = "The token from GET /api/me, for state-changing requests on a public server.";
        let components = document.components.get_or_insert_default();
        let keys = [
            ("session", ApiKey::Cookie(ApiKeyValue::with_description("riga", session))),
            ("csrf", ApiKey::Header(ApiKeyValue::with_description("x-csrf-token", csrf))),
        ];
        for (name, key) in keys {
            components.add_security_scheme(name, SecurityScheme::ApiKey(key));
        }
        let worker = HttpBuilder::new()
            .scheme(HttpAuthScheme::Bearer)
            .description(Some("The worker token, if the server has one."))
            .build();
        components.add_security_scheme("worker", SecurityScheme::Http(worker));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_desk_for_workers_is_in_the_document() {
        let document = serde_json::to_value(openapi()).expect("it can be written");
        for path in ["claim", "extend", "finish", "give_up"] {
            let route = &document["paths"][format!("/api/desk/{path}")]["post"];
            assert_eq!(route["security"][0]["worker"], serde_json::json!([]), "{path}");
            let body = &route["requestBody"]["content"]["application/json"]["schema"]["$ref"];
            let name = body.as_str().and_then(|path| path.strip_prefix("#/components/schemas/"));
            let schema = &document["components"]["schemas"][name.expect("a schema with a name")];
            assert!(schema["properties"].is_object(), "{path}: {schema}");
        }
        assert_eq!(document["components"]["securitySchemes"]["worker"]["scheme"], "bearer");
    }
}
