//! A game on a server as its messages tell it, for showing. The server judges it.

use std::time::Duration;

use anyhow::{Context, Result, bail};
use chess::{Color, Move, Outcome, Position};
use game::live::{End, LiveGame, Moment, Offer, Record, Sides, Terms};
use game::{GameResult, TimeControl, Variant};
use tui::Seen;
use wire::{ClockView, GameView, OutcomeView, PlayedMove, PlayerView, ServerMessage, Status};

/// A game on a server.
pub struct Mirror {
    record: Record,
    names: [String; 2],
    sides: Sides,
    variant: Variant,
    clock: Option<ClockView>,
    version: u64,
}

impl Mirror {
    /// The whole game, as `state` tells it.
    pub fn new(view: &GameView, sides: &[Color]) -> Result<Self> {
        let start: Position = view.start.parse().context("the start position")?;
        let control: Option<TimeControl> =
            view.time.as_deref().map(str::parse).transpose().context("the time control")?;
        // A game from a file has a time control, but not always clocks.
        let timed = view.clock.is_some();
        let terms = Terms {
            start: start.clone(),
            control: control.filter(|_| timed),
            engine: None,
            rated: view.rated,
            waiting: view.status == Status::Waiting,
        };
        let mut mirror = Self {
            record: Record::new(terms),
            names: [name(&view.white), name(&view.black)],
            sides: sides.iter().copied().collect(),
            variant: view.rules,
            clock: view.clock,
            version: view.version,
        };
        let mut position = start;
        for played in &view.moves {
            position = mirror.play(played, &position)?;
        }
        mirror.record.offer = view.offer;
        mirror.record.end = match (&view.outcome, view.status) {
            (Some(outcome), _) => Some(end(outcome)?),
            (None, Status::Finished) => {
                let result = view.result.parse::<GameResult>().unwrap_or(GameResult::Unknown);
                Some(End::Closed(result))
            }
            (None, _) => None,
        };
        Ok(mirror)
    }

    /// Plays a move of the server's; returns the position after it.
    fn play(&mut self, played: &PlayedMove, before: &Position) -> Result<Position> {
        let m: Move = before.parse_move(&played.uci).with_context(|| played.uci.clone())?;
        self.record.moves.push(m);
        if self.record.terms.control.is_some() {
            let left = played.clock.context("a clock time is missing")?;
            self.record.lefts.push(Duration::from_millis(left));
        }
        Ok(before.after(m))
    }

    fn position(&self) -> Position {
        let start = self.record.terms.start.clone();
        self.record.moves.iter().fold(start, |position, &m| position.after(m))
    }

    /// Hears a change; returns whether it was one. Fails if a change is missing: join again then.
    pub fn hear(&mut self, message: &ServerMessage) -> Result<bool> {
        let (version, offer) = match message {
            ServerMessage::Played { version, ply, played, clock, outcome, standing, .. } => {
                if *ply as usize != self.record.moves.len() {
                    bail!("a move is missing");
                }
                let before = self.position();
                self.play(played, &before)?;
                self.clock = *clock;
                self.record.end = outcome.as_ref().map(end).transpose()?;
                (version, standing.offer)
            }
            ServerMessage::TookBack { version, plies, clock, standing, .. } => {
                self.record.moves.truncate(*plies as usize);
                self.record.lefts.truncate(*plies as usize);
                self.clock = *clock;
                (version, standing.offer)
            }
            ServerMessage::Offered { version, standing, .. } => (version, standing.offer),
            ServerMessage::Ended { version, outcome, clock, standing } => {
                self.clock = *clock;
                self.record.end = Some(end(outcome)?);
                (version, standing.offer)
            }
            ServerMessage::Seated { version, white, black, standing } => {
                self.names = [name(white), name(black)];
                self.record.terms.waiting = false;
                (version, standing.offer)
            }
            _ => return Ok(false),
        };
        if *version != self.version + 1 {
            bail!("a change is missing");
        }
        self.version = *version;
        self.set_offer(offer);
        Ok(true)
    }

    fn set_offer(&mut self, offer: Option<Offer>) {
        self.record.offer = offer.filter(|_| self.record.end.is_none());
    }

    /// The game as it is now. Its clocks stand still, for the board to start: it alone knows its time.
    pub fn seen(&self) -> Result<Seen> {
        const NOW: Moment = Moment(0);
        let mut record = self.record.clone();
        let mut live = LiveGame::restore(record.clone())?;
        // The running clock shows what it shows: since when it runs follows from that.
        if let (Some(view), Some(clock)) = (self.clock, live.clock())
            && let Some(color) = view.running
        {
            let shown = Duration::from_millis(match color {
                Color::White => view.white,
                Color::Black => view.black,
            });
            let used = clock.left(color).saturating_sub(shown);
            record.running_since = Some(Moment(NOW.0 - used.as_millis() as i64));
            live = LiveGame::restore(record)?;
        }
        live.stop_clocks(NOW);
        Ok(Seen { live, names: self.names.clone(), sides: self.sides, variant: self.variant })
    }
}

fn end(view: &OutcomeView) -> Result<End> {
    Ok(End::Over(Outcome::try_from(view)?))
}

fn name(player: &PlayerView) -> String {
    match player.rating {
        Some(rating) => format!("{} ({rating})", player.name),
        None => player.name.clone(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use game::live::Command;
    use game::{Openings, Source, Visibility};
    use wire::{Actions, LiveView, PositionView};

    use super::*;

    pub fn view(live: &LiveGame, now: Moment) -> GameView {
        let player = |name: &str| PlayerView {
            name: name.to_owned(),
            user: None,
            level: None,
            rating: None,
        };
        let rules = Variant::Standard;
        GameView {
            id: "x".to_owned(),
            version: 0,
            rules,
            white: player("Anna"),
            black: player("Bob"),
            time: live.clock().map(|clock| clock.control().to_string()),
            status: Status::new(live),
            source: Source::Played,
            visibility: Visibility::Link,
            created: 0,
            start: live.line().start().to_string(),
            moves: PlayedMove::all(live.line(), live.lefts(), rules),
            position: PositionView::new(live.line(), rules),
            clock: ClockView::new(live, now),
            offer: live.offer(),
            rated: false,
            actions: Actions::new(live, now),
            outcome: live.outcome().map(OutcomeView::from),
            result: live.result().as_str().to_owned(),
            opening: None,
            open: None,
            rematch: None,
        }
    }

    #[test]
    fn a_mirror_shows_what_the_server_plays() {
        let control = Some("60+1".parse().expect("a control"));
        let mut live = LiveGame::new(Terms { control, ..Terms::default() });
        let start = Moment(1_700_000_000_000);
        let mut mirror = Mirror::new(&view(&live, start), &[Color::White]).expect("a game");
        let openings = Openings::new();
        let commands = [
            Command::play(0, "f3"),
            Command::play(1, "e5"),
            Command::play(2, "e4"),
            Command::TakeBack,
            Command::play(2, "g4"),
            Command::play(3, "Qh4"),
        ];
        for (i, command) in commands.iter().enumerate() {
            let at = start.after(Duration::from_millis(100 * i as u64));
            let event = live.act(Sides::Both, command, at).expect("allowed").expect("an event");
            let shown = LiveView {
                live: &live,
                rules: Variant::Standard,
                version: i as u64 + 1,
                rematch: None,
                now: at,
                openings: &openings,
            };
            let message = shown.message(&event).expect("a message");
            assert!(mirror.hear(&message).expect("a change"));
            let mut seen = mirror.seen().expect("a game");
            assert_eq!(seen.live.line(), live.line());
            assert_eq!(seen.live.lefts(), live.lefts());
            // The board's clock has nothing to do with the server's.
            let board = Moment(77_000);
            seen.live.start_clocks(board);
            assert_eq!(seen.live.clock_runs(), live.clock_runs());
            for millis in [0, 2_500] {
                let later = Duration::from_millis(millis);
                assert_eq!(seen.live.left(board.after(later)), live.left(at.after(later)));
                // The same for a connection that is made only then.
                let view = view(&live, at.after(later));
                let late = Mirror::new(&view, &[Color::White]).expect("a game");
                let mut seen = late.seen().expect("a game");
                seen.live.start_clocks(board);
                assert_eq!(seen.live.left(board), live.left(at.after(later)));
            }
            assert_eq!(seen.live.end(), live.end());
            if live.plies() == 4 {
                let missing = ServerMessage::Offered {
                    version: 99,
                    by: None,
                    what: None,
                    standing: wire::Standing::new(&live, at),
                };
                assert!(mirror.hear(&missing).is_err());
            }
        }
        assert!(mirror.seen().expect("a game").live.outcome().is_some());
    }
}
