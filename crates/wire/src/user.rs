//! People: who they are, and how they have played.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A person who plays here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct User {
    /// The number of the person.
    pub id: i64,
    /// The name.
    pub name: String,
    /// When it was made.
    pub created: i64,
}

/// Makes a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewUser {
    /// The name.
    #[schema(min_length = 1, max_length = 40, example = "Mikhail")]
    pub name: String,
}

/// Makes an account, where the server is public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// The name.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
    /// The password; 8 characters or more.
    pub password: Password,
}

/// Changes a person; what is absent stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserPatch {
    /// Another name.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// Settings of the board, which the server keeps and doesn't read.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub settings: Option<serde_json::Value>,
}

/// Chooses a profile, where the server is local; signs in, where it is public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The name.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
    /// The password, where the server is public.
    #[serde(default)]
    pub password: Option<Password>,
}

/// Sets another password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// The one so far.
    pub old: Password,
    /// The new one; 8 characters or more.
    pub new: Password,
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(value_type = String, max_length = 1000, format = Password)]
pub struct Password(pub String);

impl std::fmt::Debug for Password {
    /// It has no place in a log.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(..)")
    }
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The person, if known.
    pub user: Option<User>,
    /// Settings of the board.
    #[schema(value_type = Object)]
    pub settings: serde_json::Value,
    /// Whether people sign in with a password here.
    pub public: bool,
    /// To be sent back as `x-csrf-token` with whatever changes something, where the server is public.
    pub csrf: Option<String>,
}

/// Games won, drawn and lost.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Record {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

/// The record against, with or in something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Tally {
    /// What: a level, a side, a speed, an opening or a month.
    pub of: String,
    /// How the games ended.
    pub record: Record,
}

/// How a person has played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Statistics {
    /// All finished games.
    pub total: Record,
    /// By the level of the engine.
    pub levels: Vec<Tally>,
    /// With White, and with Black.
    pub sides: Vec<Tally>,
    /// By speed.
    pub speeds: Vec<Tally>,
    /// The openings played most.
    pub openings: Vec<Tally>,
    /// By month, the first one first.
    pub months: Vec<Tally>,
    /// By time control, the one played most first.
    pub time_controls: Vec<Tally>,
    /// The rating, if any game counted.
    pub rating: Option<RatingPoint>,
}

/// A rating at some time.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingPoint {
    /// When.
    pub at: i64,
    /// The rating.
    pub rating: f64,
    /// How sure it is: the truth is within twice this with a chance of 95 %.
    pub deviation: f64,
}
