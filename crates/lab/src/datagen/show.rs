//! Training data as text.

use engine::MatePlies;
use game::{Eval, Game as Pgn};
use nnue::data::{Game, PackedScore, Sample};

/// A position as `FEN;result;score`, both from White's point of view; `lab::tune` reads this
/// format.
pub fn sample_line(sample: &Sample) -> String {
    let Sample { position, .. } = sample;
    format!("{position};{:.1};{}", sample.result_for_white(), sample.score_for_white().value())
}

/// A game as PGN, with the scores as comments. `number` becomes its round.
pub fn to_pgn(game: &Game, number: u64) -> Pgn {
    let mut pgn = Pgn::new(game.start().clone());
    for (name, value) in [
        ("Event", "Riga self-play"),
        ("White", "Riga"),
        ("Black", "Riga"),
        ("Round", &number.to_string()),
        ("Termination", game.ending().name()),
    ] {
        pgn.tags.set(name, value);
    }
    for &m in game.moves() {
        let end = pgn.tree.end();
        pgn.tree.add(end, m).expect("the moves of a game are legal");
    }
    let nodes: Vec<_> = pgn.tree.main_nodes().skip(game.opening()).collect();
    for (node, score) in nodes.into_iter().zip(game.scores()) {
        pgn.tree.comment_mut(node).eval = Some(eval(*score));
    }
    pgn.result = game.winner().into();
    pgn
}

fn eval(score: PackedScore) -> Eval {
    match score.mate_plies() {
        None => Eval::Centipawns { value: i32::from(score.value()), depth: None },
        Some(plies) => Eval::Mate { moves: MatePlies(plies).moves(), depth: None },
    }
}

#[cfg(test)]
mod tests {
    use chess::{Color, Line};
    use nnue::data::Ending;

    use super::*;

    #[test]
    fn a_game_is_shown_as_pgn_and_as_positions() {
        let mut line = Line::default();
        for text in ["f3", "e5", "g4", "Qh4#"] {
            let m = line.position().parse_san(text).expect("a legal move");
            line.play(m).expect("a legal move");
        }
        let scores = vec![PackedScore::cp(-80), PackedScore::mate(-1)];
        let black = Some(Color::Black);
        let moves = line.moves().collect();
        let game = Game::new(line.start().clone(), moves, scores, black, Ending::Checkmate)
            .expect("a sound game");
        let text = to_pgn(&game, 7).to_string();
        assert!(text.contains("[Round \"7\"]"), "{text}");
        assert!(text.contains("[Termination \"checkmate\"]"), "{text}");
        let moves = "1. f3 e5 2. g4 { [%eval -0.80] } 2... Qh4# { [%eval #-1] } 0-1\n";
        assert!(text.ends_with(moves), "{text}");
        let lines: Vec<String> = game.samples().map(|sample| sample_line(&sample)).collect();
        assert_eq!(
            lines,
            [
                "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2;0.0;-80",
                "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2;0.0;-31999",
            ]
        );
    }
}
