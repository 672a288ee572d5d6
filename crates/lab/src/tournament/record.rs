//! Games as PGN, with the engines' scores, depths and times.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use engine::{MatePlies, Score};
use game::live::Moment;
use game::{Day, Game};

use super::{Contestant, Ending, Fault, Played, PlayedMove};

/// The PGN of a game, followed by a blank line.
pub fn to_pgn(event: &str, round: &str, contestants: [&Contestant; 2], played: &Played) -> String {
    let mut game = Game::new(played.line.start().clone());
    for (ply, m) in played.line.moves().enumerate() {
        let node = game.tree.add(game.tree.end(), m).expect("the line is legal");
        let comment = match ply.checked_sub(played.opening) {
            None => "book".to_owned(),
            Some(own) => played.moves.get(own).map(comment).unwrap_or_default(),
        };
        game.tree.comment_mut(node).append(&comment);
    }
    game.result = played.ending.result();
    let [white, black] = contestants;
    let tags = &mut game.tags;
    tags.set("Event", event);
    tags.set("Site", "?");
    tags.set("Date", &date(SystemTime::now()));
    tags.set("Round", round);
    tags.set("White", &white.name);
    tags.set("Black", &black.name);
    if white.control == black.control {
        tags.set("TimeControl", &control_tag(white));
    } else {
        tags.set("WhiteTimeControl", &control_tag(white));
        tags.set("BlackTimeControl", &control_tag(black));
    }
    tags.set("PlyCount", &played.line.len().to_string());
    let termination = match &played.ending {
        Ending::Rules(_) => "normal",
        Ending::Referee(_) | Ending::Tables(_) => "adjudication",
        Ending::Fault { fault: Fault::TimeLoss, .. } => "time forfeit",
        Ending::Fault { fault: Fault::IllegalMove, .. } => "rules infraction",
        Ending::Fault { .. } => "abandoned",
    };
    tags.set("Termination", termination);
    let end = game.tree.end();
    // A brace would end the comment.
    game.tree.comment_mut(end).append(&played.ending.to_string().replace(['{', '}'], "|"));
    format!("{game}\n")
}

fn control_tag(contestant: &Contestant) -> String {
    match &contestant.control.clock {
        Some(clock) => clock.to_string(),
        None => contestant.control.to_string(),
    }
}

/// `+0.35/14 0.123s`: the score for the side that moved, the depth and the time.
fn comment(played: &PlayedMove) -> String {
    let time = played.time.as_secs_f64();
    match played.score {
        None => format!("{time:.3}s"),
        Some(Score::Mate(plies @ MatePlies(n))) => {
            let sign = if n > 0 { '+' } else { '-' };
            format!("{sign}M{}/{} {time:.3}s", plies.moves().abs(), played.depth)
        }
        Some(score) => format!("{score}/{} {time:.3}s", played.depth),
    }
}

/// The UTC date in PGN format.
fn date(now: SystemTime) -> String {
    let since = now.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    Day::of(Moment(since.as_millis() as i64)).to_string()
}

#[cfg(test)]
mod tests {
    use chess::{Color, Line};
    use game::pgn::Reader;

    use super::*;
    use crate::tournament::Control;

    fn contestant(text: &str) -> Contestant {
        Contestant::parse(text, &Control::default()).expect("a contestant")
    }

    #[test]
    fn a_game_is_written_with_scores_depths_and_times() {
        let mut line = Line::default();
        let mut moves = Vec::new();
        for (text, score) in [
            ("f3", None),
            ("e5", Some(Score::Cp(35))),
            ("g4", Some(Score::Mate(MatePlies(-2)))),
            ("Qh4", Some(Score::Mate(MatePlies(1)))),
        ] {
            let m = line.position().parse_san(text).expect("a move");
            line.play(m).expect("legal");
            let time = Duration::from_micros(123_400);
            moves.push(PlayedMove { m, score, depth: 14, nodes: 0, time });
        }
        let ending = Ending::Rules(line.outcome().expect("mate"));
        let played = Played { line, opening: 1, moves: moves.split_off(1), ending };
        let [white, black] = ["cmd=a,tc=8+0.08", "cmd=b,nodes=100"].map(contestant);
        let pgn = to_pgn("Test", "3.1", [&white, &black], &played);
        let game = Reader::new(pgn.as_bytes()).games().next().expect("a game").expect("good PGN");
        let texts: Vec<&str> = game
            .tree
            .main_nodes()
            .map(|node| game.tree.comment(node).map_or("", |comment| comment.text()))
            .collect();
        let mate = "+M1/14 0.123s Black wins by checkmate";
        assert_eq!(texts, ["book", "+0.35/14 0.123s", "-M1/14 0.123s", mate]);
        for (tag, value) in [
            ("Event", "Test"),
            ("Round", "3.1"),
            ("White", "a"),
            ("Black", "b"),
            ("WhiteTimeControl", "8+0.08"),
            ("BlackTimeControl", "nodes=100"),
            ("Termination", "normal"),
            ("PlyCount", "4"),
        ] {
            assert_eq!(game.tags.get(tag), Some(value), "{tag}");
        }
        assert_eq!(game.result.as_str(), "0-1");
        assert!(pgn.ends_with("0-1\n\n"));
    }

    #[test]
    fn a_fault_is_told_even_with_braces_in_it() {
        let white = contestant("cmd=a,depth=1");
        let text = "it wrote: {x}".to_owned();
        let ending = Ending::Fault { by: Color::White, fault: Fault::Crash, text, drawn: false };
        let played = Played { line: Line::default(), opening: 0, moves: Vec::new(), ending };
        let pgn = to_pgn("Test", "1", [&white, &white], &played);
        let game = Reader::new(pgn.as_bytes()).games().next().expect("a game").expect("good PGN");
        assert_eq!(game.tags.get("Termination"), Some("abandoned"));
        assert!(pgn.contains("White: crash (it wrote: |x|)"), "{pgn}");
        assert_eq!(game.result.as_str(), "0-1");
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (1_704_067_199, "2023.12.31"),
            (4_107_542_400, "2100.03.01"),
        ] {
            assert_eq!(date(UNIX_EPOCH + Duration::from_secs(seconds)), text);
        }
    }
}
