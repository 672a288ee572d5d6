//! Compares reports with those of a file.

use game::Game;
use serde_json::Value;

use ::review::GameReport;

/// Where two reports of a game differ, in words; none if they are the same.
pub fn difference(game: &Game, old: &GameReport, new: &GameReport) -> Option<String> {
    if old == new {
        return None;
    }
    let place = old.moves.iter().zip(&new.moves).position(|(old, new)| old != new);
    if let Some(ply) = place {
        let fields = fields(&value(&old.moves[ply]), &value(&new.moves[ply]));
        return Some(format!("{}: {fields}", name(game, old, ply)));
    }
    Some(fields(&value(old), &value(new)))
}

fn value(part: &impl serde::Serialize) -> Value {
    serde_json::to_value(part).unwrap_or_default()
}

/// The names of the fields that differ.
fn fields(old: &Value, new: &Value) -> String {
    let (Some(old), Some(new)) = (old.as_object(), new.as_object()) else { return String::new() };
    let names = old.iter().filter(|(name, value)| new.get(*name) != Some(value));
    names.map(|(name, _)| name.replace('_', " ")).collect::<Vec<_>>().join(", ")
}

/// A move with its number: `14... Qxe5`.
fn name(game: &Game, report: &GameReport, ply: usize) -> String {
    let line = game.line();
    let san = &report.moves[ply].played.san;
    match line.positions().nth(ply) {
        Some(position) => format!("{} {san}", position.move_number()),
        None => san.clone(),
    }
}

#[cfg(test)]
mod tests {
    use ::review::{Effort, Label, Plan, review};
    use engine::{Engine, search_thread};

    use super::*;

    #[test]
    fn a_difference_is_named() {
        let mut game = Game::default();
        for text in ["e4", "e5"] {
            let m = game.position().parse_san(text).expect("legal");
            game.play(m).expect("the game goes on");
        }
        let one = game.clone();
        let search = move || {
            let plan = Plan { effort: Effort::Nodes(50), ..Plan::default() };
            review(&one, &mut Engine::default(), &plan, "Riga").expect("a report")
        };
        let thread = search_thread("test").spawn(search).expect("a thread");
        let report = thread.join().expect("no panic");
        assert_eq!(difference(&game, &report, &report), None);
        let mut other = report.clone();
        other.engine = "another".to_owned();
        assert_eq!(difference(&game, &report, &other).as_deref(), Some("engine"));
        other.moves[1].label = Label::Blunder;
        other.moves[1].accuracy = 1.5;
        let text = difference(&game, &report, &other);
        assert_eq!(text.as_deref(), Some("1... e5: accuracy, label"));
    }
}
