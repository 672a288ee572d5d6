//! Names of enum values. Each value has one name, shared by the database, JSON and the interface.

/// The text is not one of the names.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not one of {}", .known.join(", "))]
pub struct UnknownName {
    /// The text.
    pub text: String,
    /// The known names.
    pub known: &'static [&'static str],
}

impl UnknownName {
    /// Only the start of a long text is kept.
    pub fn new(text: &str, known: &'static [&'static str]) -> Self {
        Self { text: text.chars().take(40).collect(), known }
    }
}

/// Names the values of an enum. It gets `ALL`, `as_str`, [`Display`](std::fmt::Display) and
/// [`FromStr`](std::str::FromStr). If a schema is given, by name and description, the
/// name is also its JSON form in crates with the feature `json`, and the schema is there with the feature `schema`.
///
/// ```
/// #[derive(Copy, Clone, Debug, PartialEq)]
/// pub enum Pace { Slow, Quick }
///
/// chess::names! { Pace { Slow = "slow", Quick = "quick" } }
///
/// assert_eq!(Pace::Quick.to_string(), "quick");
/// assert_eq!("slow".parse(), Ok(Pace::Slow));
/// assert_eq!("x".parse::<Pace>().unwrap_err().to_string(), "`x` is not one of slow, quick");
/// ```
#[macro_export]
macro_rules! names {
    ($kind:ident { $($variant:ident = $name:literal),+ $(,)? }) => {
        impl $kind {
            /// All values, in order.
            pub const ALL: [Self; [$($name),+].len()] = [$(Self::$variant),+];

            /// The name.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }
        }

        impl ::std::fmt::Display for $kind {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl ::std::str::FromStr for $kind {
            type Err = $crate::UnknownName;

            fn from_str(text: &str) -> ::std::result::Result<Self, $crate::UnknownName> {
                match text {
                    $($name => Ok(Self::$variant),)+
                    _ => Err($crate::UnknownName::new(text, &[$($name),+])),
                }
            }
        }
    };
    ($kind:ident, schema $schema:literal $description:literal {
        $($variant:ident = $name:literal),+ $(,)?
    }) => {
        $crate::names! { $kind { $($variant = $name),+ } }

        #[cfg(feature = "json")]
        impl ::serde::Serialize for $kind {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(feature = "json")]
        impl<'de> ::serde::Deserialize<'de> for $kind {
            fn deserialize<D: ::serde::Deserializer<'de>>(reader: D) -> ::std::result::Result<Self, D::Error> {
                let text = ::std::borrow::Cow::<str>::deserialize(reader)?;
                text.parse().map_err(::serde::de::Error::custom)
            }
        }

        #[cfg(feature = "schema")]
        impl ::utoipa::PartialSchema for $kind {
            fn schema() -> ::utoipa::openapi::RefOr<::utoipa::openapi::Schema> {
                ::utoipa::openapi::ObjectBuilder::new()
                    .schema_type(::utoipa::openapi::schema::Type::String)
                    .description(Some($description))
                    .enum_values(Some([$($name),+]))
                    .into()
            }
        }

        #[cfg(feature = "schema")]
        impl ::utoipa::ToSchema for $kind {
            fn name() -> ::std::borrow::Cow<'static, str> {
                $schema.into()
            }
        }
    };
}
