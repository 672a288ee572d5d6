//! The types of all calls, as an `OpenAPI` document from which TypeScript types are generated.

use utoipa::openapi::{ComponentsBuilder, Info, OpenApi, Paths};

use crate::Trouble;
use crate::calls::Types;

/// A document without paths: only the types of the calls, and what they consist of.
pub fn document() -> OpenApi {
    let mut components = ComponentsBuilder::new();
    let mut all = Types::default();
    all.reference::<Trouble>();
    #[cfg(feature = "core")]
    {
        crate::Core::calls(&mut all);
        components = components.schema("CoreCalls", std::mem::take(&mut all.calls));
    }
    #[cfg(feature = "engine")]
    {
        crate::Searcher::calls(&mut all);
        all.reference::<crate::ReviewStep>();
        components = components.schema("EngineCalls", std::mem::take(&mut all.calls));
    }
    components = components.schemas_from_iter(all.schemas);
    let mut document = OpenApi::new(Info::new("Riga in the browser", "1"), Paths::new());
    document.components = Some(components.build());
    document
}
