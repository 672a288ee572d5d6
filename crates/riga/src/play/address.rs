//! Where a game on a server is, by options or by its link.

use anyhow::Result;
use clap::Args;

use crate::arguments::misuse;
use crate::http::server_url;

/// Where a game on a server is.
#[derive(Args)]
pub struct Address {
    /// Play or watch a game on a server; needs --game
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// The game's id, or its whole link
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// The secret of your seat; without one you watch
    #[arg(long, value_name = "SECRET")]
    seat: Option<String>,
    /// The link of an invitation, or its secret: what follows #seat= in the link
    #[arg(long, value_name = "LINK", conflicts_with = "seat")]
    invitation: Option<String>,
}

/// A game on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// The server's URL, without a slash at the end.
    pub base: String,
    pub game: String,
    pub entrance: Entrance,
}

/// How to get into a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrance {
    Watch,
    /// By the secret of a seat.
    Seat(String),
    /// By the secret of an invitation, which works once.
    Invitation(String),
}

impl Address {
    /// The game that is meant, if there is one. Options say more than links.
    pub fn target(&self) -> Result<Option<Target>> {
        let read = |text: &Option<String>, alone: fn(&str) -> Link| {
            text.as_deref().map(|text| Link::parse(text).unwrap_or_else(|| alone(text)))
        };
        let server = read(&self.server, Link::server);
        let game = read(&self.game, Link::game);
        let seat = read(&self.seat, Link::secret);
        let invitation = read(&self.invitation, Link::secret);
        // The id is that of --game, whatever the link behind --server says.
        let links: Vec<&Link> =
            [&game, &server, &seat, &invitation].into_iter().flatten().collect();
        if links.is_empty() {
            return Ok(None);
        }
        let own_server = server.as_ref().and_then(|link| link.server.as_ref());
        let Some(url) = own_server.or_else(|| links.iter().find_map(|link| link.server.as_ref()))
        else {
            return misuse("a game on a server needs --server URL, or its whole link");
        };
        let base = server_url(url)?;
        let Some(id) = links.iter().find_map(|link| link.game.as_ref()) else {
            return misuse("--server needs --game ID, or the game's link");
        };
        if id.is_empty() || !id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return misuse(format!(
                "--game {id} is neither a game's id, which has letters and digits, nor its link"
            ));
        }
        let entrance = if let Some(seat) = &seat {
            Entrance::Seat(seat.seat_secret()?)
        } else if let Some(invitation) = &invitation {
            Entrance::Invitation(invitation.seat_secret()?)
        } else if let Some(link) = links.iter().find(|link| link.secret.is_some()) {
            // Only invitations are sent as links.
            Entrance::Invitation(link.seat_secret()?)
        } else {
            Entrance::Watch
        };
        Ok(Some(Target { base, game: id.clone(), entrance }))
    }
}

/// The link of a game, such as `https://chess.example.org/play/ID#seat=SECRET`, or a part of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Link {
    server: Option<String>,
    game: Option<String>,
    /// What follows the `#`.
    secret: Option<String>,
}

impl Link {
    /// None if it is not the whole link of a game.
    fn parse(text: &str) -> Option<Self> {
        let Self { game: page, secret, .. } = Self::game(text);
        let page = page?;
        let page = page.split('?').next().unwrap_or_default().trim_end_matches('/');
        let (folder, game) = page.rsplit_once('/')?;
        let server = ["/play", "/analysis"].into_iter().find_map(|end| folder.strip_suffix(end))?;
        let (server, game) = (server.to_owned(), game.to_owned());
        server.contains("://").then_some(Self { server: Some(server), game: Some(game), secret })
    }

    fn server(text: &str) -> Self {
        Self { server: Some(text.to_owned()), ..Self::default() }
    }

    fn game(text: &str) -> Self {
        let (game, secret) = match text.trim().split_once('#') {
            Some((game, secret)) => (game, Some(secret.to_owned())),
            None => (text.trim(), None),
        };
        Self { server: None, game: Some(game.to_owned()), secret }
    }

    fn secret(text: &str) -> Self {
        let text = text.trim();
        let secret = text.strip_prefix('#').unwrap_or(text);
        Self { secret: Some(secret.to_owned()), ..Self::default() }
    }

    /// The secret without `seat=`.
    fn seat_secret(&self) -> Result<String> {
        let text = self.secret.as_deref().unwrap_or_default();
        let secret = text.strip_prefix("seat=").unwrap_or(text);
        if secret.is_empty() || !secret.bytes().all(|byte| byte.is_ascii_graphic()) {
            return misuse("the secret of a seat is missing: it follows #seat= in the link");
        }
        Ok(secret.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(options: [&str; 4]) -> Result<Option<Target>> {
        let [server, game, seat, invitation] =
            options.map(|text| (!text.is_empty()).then(|| text.to_owned()));
        Address { server, game, seat, invitation }.target()
    }

    fn invited(options: [&str; 4]) -> Target {
        target(options).expect("an address").expect("a game")
    }

    const LINK: &str = "https://a.org/play/G4me#seat=s3cret";

    #[test]
    fn an_invitation_is_a_link_or_any_part_of_it_with_the_secret() {
        let wanted = Target {
            base: "https://a.org".to_owned(),
            game: "G4me".to_owned(),
            entrance: Entrance::Invitation("s3cret".to_owned()),
        };
        for invitation in ["s3cret", "seat=s3cret", "#seat=s3cret", LINK] {
            assert_eq!(invited(["https://a.org/", "G4me", "", invitation]), wanted, "{invitation}");
        }
        for options in [
            ["", "", "", LINK],
            ["", LINK, "", ""],
            [LINK, "", "", ""],
            ["https://a.org", "G4me#seat=s3cret", "", ""],
            ["", "https://a.org/play/G4me/?x=1", "", "#seat=s3cret"],
        ] {
            assert_eq!(invited(options), wanted, "{options:?}");
        }
        let seat = Entrance::Seat("s3cret".to_owned());
        assert_eq!(invited(["", "", LINK, ""]), Target { entrance: seat, ..wanted.clone() });
        let watched = Target { entrance: Entrance::Watch, ..wanted.clone() };
        assert_eq!(invited(["", "https://a.org/analysis/G4me", "", ""]), watched);
    }

    #[test]
    fn options_say_more_than_a_link() {
        let there = invited(["http://b.org/chess", "0ther", "", LINK]);
        assert_eq!((&*there.base, &*there.game), ("http://b.org/chess", "0ther"));
        assert_eq!(there.entrance, Entrance::Invitation("s3cret".to_owned()));
    }

    #[test]
    fn what_is_missing_or_wrong_is_told() {
        assert!(target(["", "", "", ""]).is_ok_and(|target| target.is_none()));
        for (options, told) in [
            (["https://a.org", "", "", ""], "--game"),
            (["", "G4me", "", ""], "--server"),
            (["", "", "s3cret", ""], "--server"),
            (["https://a.org", "../etc", "", ""], "--game ../etc"),
            (["https://a.org", "G4me", "", "#seat="], "secret"),
            (["", "", "", "https://a.org/play/G4me"], "#seat="),
            (["a.org", "G4me", "", ""], "is not a URL"),
        ] {
            let error = target(options).expect_err(told).to_string();
            assert!(error.contains(told), "{error}");
        }
    }
}
