//! Who asks.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use store::{Secret, Session, User, UserId};

use crate::access::Who;
use crate::app::App;
use crate::guard::household;
use crate::pool::Owner;
use crate::problem::{Failure, Kind, Result};

/// Who asks: the guard finds it out once for each request.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    pub address: IpAddr,
    pub signed_in: Option<SignedIn>,
    /// The secret of a seat, from the header `x-seat`.
    pub seat: Option<Secret>,
}

/// Somebody who has signed in, or chosen a profile.
#[derive(Clone, Debug)]
pub(crate) struct SignedIn {
    pub user: User,
    pub session: Session,
    pub token: Secret,
}

impl Visitor {
    pub fn user(&self) -> Option<&User> {
        self.signed_in.as_ref().map(|signed_in| &signed_in.user)
    }

    pub fn user_id(&self) -> Option<UserId> {
        self.user().map(|user| user.id)
    }

    /// The user, who must have signed in.
    pub fn known(&self) -> Result<&User> {
        let nobody = || Failure::new(Kind::NotSignedIn, "choose a profile or sign in first");
        self.user().ok_or_else(nobody)
    }

    /// For whom the engine thinks when this visitor asks.
    pub fn owner(&self) -> Owner {
        self.user_id().map_or_else(|| Owner::Address(household(self.address)), Owner::User)
    }

    /// As somebody who looks at a game.
    pub fn who(&self) -> Who {
        Who { user: self.user_id(), secret: self.seat.clone() }
    }

    /// Whether whoever had signed in when they asked still has.
    pub async fn is_still_signed_in(&self, app: &App) -> bool {
        let Some(signed_in) = &self.signed_in else { return true };
        // A store in trouble is no reason to send anybody away.
        !matches!(app.store.session(&signed_in.token).await, Ok(None))
    }
}

impl FromRequestParts<Arc<App>> for Visitor {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self> {
        let visitor = parts.extensions.get::<Self>().cloned();
        Ok(visitor.expect("the guard stands before every route"))
    }
}
