//! A game in progress: moves, clocks, offers, takebacks, premoves, rematches, and its end. There is
//! no I/O and no system clock here: the caller says who does what, and when.
//!
//! [`LiveGame::judge`] turns a [`Command`] into an [`Event`]; [`LiveGame::apply`] carries it out. A
//! caller with a store writes the event in between; others call [`LiveGame::act`].
//!
//! ```
//! use chess::Color;
//! use game::live::{Command, LiveGame, Moment, Refusal, Sides, Terms};
//!
//! let mut game = LiveGame::new(Terms { control: "60+1".parse().ok(), ..Terms::default() });
//! let (white, black) = (Sides::One(Color::White), Sides::One(Color::Black));
//! game.act(white, &Command::play(0, "e4"), Moment(0))?;
//! assert_eq!(game.act(white, &Command::play(1, "d4"), Moment(100)), Err(Refusal::NotYourTurn));
//! game.act(black, &Command::play(1, "e5"), Moment(2_000))?;
//! // White lets its time run out.
//! let flag = game.deadline().expect("a clock runs");
//! assert_eq!(flag, Moment(2_000 + 61_000));
//! let event = game.due(flag).expect("the flag has fallen");
//! game.apply(&event, flag);
//! assert_eq!(game.outcome().expect("it is over").to_string(), "Black wins by time");
//! # Ok::<(), Refusal>(())
//! ```

mod actions;
mod apply;
mod command;
mod ending;
mod event;
mod judge;
mod live_game;
mod moment;
mod offers;
mod pace;
mod rated;
mod record;
mod refusal;
mod sides;

pub use actions::Action;
pub use command::{Command, Entered};
pub use ending::End;
pub(crate) use ending::on_time;
pub use event::{Ended, Event, Played, Premove, TookBack};
pub use live_game::LiveGame;
pub use moment::Moment;
pub use offers::{Offer, OfferKind, Outlook};
pub use rated::RatedTerms;
pub use record::{Record, RestoreError, Terms};
pub use refusal::Refusal;
pub use sides::Sides;
