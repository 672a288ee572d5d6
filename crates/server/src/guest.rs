//! Players without an account, and their names.

use store::{Player, StoreError, user_name};

use crate::app::App;
use crate::problem::Result;
use crate::visitor::Visitor;

/// Names that no account may have: what the web interface calls players without a name, and the
/// engine's.
const RESERVED: [&str; 5] = ["guest", "gast", "friend", "freund", "riga"];

/// Checks that a user may take a name.
pub(crate) fn check_reserved(name: &str) -> Result<()> {
    let name = user_name(name)?;
    if RESERVED.contains(&name.to_lowercase().as_str()) {
        return Err(StoreError::Taken(name).into());
    }
    Ok(())
}

/// The visitor as a player: the user, or a guest with the given name.
pub(crate) async fn player(app: &App, visitor: &Visitor, name: Option<&str>) -> Result<Player> {
    match (visitor.user(), name) {
        (Some(user), _) => Ok(Player::User { id: user.id, name: user.name.clone() }),
        (None, Some(name)) => guest(app, name).await,
        (None, None) => Ok(Player::Guest { name: "Guest".to_owned() }),
    }
}

/// A guest with a name, which must not be mistaken for an account's.
pub(crate) async fn guest(app: &App, name: &str) -> Result<Player> {
    let name = user_name(name)?;
    if app.config.public().is_some() && app.store.is_taken(&name).await? {
        return Err(StoreError::Taken(name).into());
    }
    Ok(Player::Guest { name })
}
