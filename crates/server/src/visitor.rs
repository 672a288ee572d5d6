//! The visitor making a request.

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use store::{Secret, Session, User, UserId};

use crate::access::Who;
use crate::app::App;
use crate::connection::Connection;
use crate::guard::address_prefix;
use crate::pool::Owner;
use crate::problem::{Failure, Kind, Result};

/// The visitor making a request, identified once per request by the guard.
#[derive(Clone, Debug)]
pub(crate) struct Visitor {
    pub address: IpAddr,
    pub signed_in: Option<SignedIn>,
    /// The secret of a seat, from the `x-seat` header.
    pub seat: Option<Secret>,
    /// The connection of the request.
    pub connection: Arc<Connection>,
}

/// A visitor who has signed in or selected a profile.
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

    /// The user; fails if the visitor hasn't signed in.
    pub fn known(&self) -> Result<&User> {
        let nobody = || Failure::new(Kind::NotSignedIn, "sign in or select a profile first");
        self.user().ok_or_else(nobody)
    }

    /// The owner of searches requested by this visitor.
    pub fn owner(&self) -> Owner {
        self.user_id().map_or_else(|| Owner::Address(address_prefix(self.address)), Owner::User)
    }

    /// The visitor's identity for access checks.
    pub fn who(&self) -> Who {
        Who { user: self.user_id(), secret: self.seat.clone() }
    }

    /// Whether the session of this visitor still exists, if there was one.
    pub async fn is_still_signed_in(&self, app: &App) -> store::Result<bool> {
        let Some(signed_in) = &self.signed_in else { return Ok(true) };
        Ok(app.store.session(&signed_in.token).await?.is_some())
    }
}

impl FromRequestParts<Arc<App>> for Visitor {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self> {
        let visitor = parts.extensions.get::<Self>().cloned();
        Ok(visitor.expect("the guard runs before every route"))
    }
}
