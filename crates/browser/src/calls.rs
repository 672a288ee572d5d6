//! How a list of calls becomes a function that answers them, and their types for TypeScript.

use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};

use crate::Trouble;

/// Declares the calls of a module: methods of a type that take a question and give an answer.
macro_rules! calls {
    ($on:ty { $($(#[doc = $doc:literal])+ $name:ident($question:ty) -> $answer:ty;)+ }) => {
        impl $on {
            /// Answers a call: JSON in, and JSON out.
            pub fn call(&mut self, name: &str, question: &[u8]) -> Result<Vec<u8>, Trouble> {
                match name {
                    $(stringify!($name) => {
                        let question = crate::calls::read::<$question>(question)?;
                        let answer: $answer = self.$name(question)?;
                        crate::calls::write(&answer)
                    })+
                    _ => Err(Trouble::new(format!("there is no call {name}"))),
                }
            }

            /// The types of all calls.
            pub(crate) fn calls(document: &mut crate::calls::Types) {
                $(document.add::<$question, $answer>(
                    stringify!($name),
                    concat!($($doc),+).trim(),
                );)+
            }
        }
    };
}

pub(crate) use calls;

pub(crate) fn read<T: DeserializeOwned>(json: &[u8]) -> Result<T, Trouble> {
    serde_json::from_slice(json).map_err(|error| Trouble::new(error.to_string()))
}

pub(crate) fn write(answer: &impl Serialize) -> Result<Vec<u8>, Trouble> {
    serde_json::to_vec(answer).map_err(|error| Trouble::new(error.to_string()))
}

/// The types of calls, as schemas.
#[derive(Default)]
pub(crate) struct Types {
    /// Every type, by its name.
    pub schemas: Vec<(String, RefOr<Schema>)>,
    /// An object with a property for each call.
    pub calls: ObjectBuilder,
}

impl Types {
    pub(crate) fn add<Q: ToSchema, A: ToSchema>(&mut self, name: &str, about: &str) {
        let question = self.reference::<Q>();
        let answer = self.reference::<A>();
        let call: Object = ObjectBuilder::new()
            .property("question", question)
            .required("question")
            .property("answer", answer)
            .required("answer")
            .description(Some(about))
            .build();
        self.calls = std::mem::take(&mut self.calls).property(name, call).required(name);
    }

    /// A reference to a type, which is added with all that it needs; a list is one of references.
    pub(crate) fn reference<T: ToSchema>(&mut self) -> RefOr<Schema> {
        self.schemas.push((T::name().into_owned(), T::schema()));
        T::schemas(&mut self.schemas);
        RefOr::Ref(Ref::from_schema_name(T::name()))
    }
}
