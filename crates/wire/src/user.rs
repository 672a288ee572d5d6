//! Users and their statistics.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct User {
    /// The user id.
    pub id: i64,
    /// The name.
    pub name: String,
    /// When the user was created.
    pub created: i64,
}

/// Creates a profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewUser {
    /// The name.
    #[schema(min_length = 1, max_length = 40, example = "Mikhail")]
    pub name: String,
}

/// Creates an account on a public server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Credentials {
    /// The name.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
    /// The password, at least 8 characters.
    pub password: Password,
}

/// Changes a user; absent fields stay the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserPatch {
    /// The new name.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 40)]
    pub name: Option<String>,
    /// Settings of the web interface, which the server stores without reading them.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub settings: Option<serde_json::Value>,
}

/// Signs in on a public server, or selects a profile on a local one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SignIn {
    /// The name.
    #[schema(min_length = 1, max_length = 40)]
    pub name: String,
    /// The password, on a public server.
    #[serde(default)]
    pub password: Option<Password>,
}

/// Changes the password.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPassword {
    /// The current password.
    pub old: Password,
    /// The new password, at least 8 characters.
    pub new: Password,
}

/// Deletes the account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteAccount {
    /// The current password.
    pub password: Password,
}

/// A password.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(value_type = String, max_length = 1000, format = Password)]
pub struct Password(pub String);

impl std::fmt::Debug for Password {
    /// Keeps the password out of logs.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Password(..)")
    }
}

/// The current user.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Me {
    /// The user, if signed in.
    pub user: Option<User>,
    /// Settings of the web interface.
    #[schema(value_type = Object)]
    pub settings: serde_json::Value,
    /// Whether the server is public, so that users sign in with a password.
    pub public: bool,
    /// Send it as `x-csrf-token` with every state-changing request, on a public server.
    pub csrf: Option<String>,
}

/// Games won, drawn and lost.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Tally {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

/// The tally of a category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TallyRow {
    /// The category: a level, a side, a speed, an opening or a month.
    pub of: String,
    /// The tally.
    pub record: Tally,
}

/// A user's statistics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Statistics {
    /// All finished games.
    pub total: Tally,
    /// By the level of the engine.
    pub levels: Vec<TallyRow>,
    /// With White and with Black.
    pub sides: Vec<TallyRow>,
    /// By speed.
    pub speeds: Vec<TallyRow>,
    /// The most played openings.
    pub openings: Vec<TallyRow>,
    /// By month, in chronological order.
    pub months: Vec<TallyRow>,
    /// By time control, the most played first.
    pub time_controls: Vec<TallyRow>,
    /// The rating, if any rated games were played.
    pub rating: Option<RatingPoint>,
}

/// A rating at a point in time.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RatingPoint {
    /// When.
    pub at: i64,
    /// The rating.
    pub rating: f64,
    /// The rating deviation: the true strength is within twice this with a probability of 95 %.
    pub deviation: f64,
}
