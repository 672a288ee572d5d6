//! The claims of the corpus: positions from games between Riga's levels, each looked at by a person.
//!
//! A line of `tests/corpus/CLAIM.txt` is `+` or `-`, then the position, the scores of the better move
//! and of the one played (`#` for mates in plies), the line played, the better line, and the game,
//! separated by semicolons. `+ allowed` or `+ missed` means that the claim is true and is the reason;
//! `-` that it isn't, though the motif may be on the board.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use chess::{Line, Move, Position};
use engine::{MatePlies, Score};
use review::{Evidence, Motif, Whose};

/// The share of claims that must be right, and of true ones that must be made.
const PRECISION: f64 = 0.95;
const RECALL: f64 = 0.8;

/// A move of the corpus.
struct Entry {
    /// Who gains, if the claim is true.
    truth: Option<Whose>,
    evidence: Evidence,
    text: String,
}

impl Entry {
    fn read(text: &str) -> Option<Self> {
        let fields: Vec<&str> = text.split(';').map(str::trim).collect();
        let [truth, fen, best, score, played, better, _game] = fields[..] else { return None };
        let truth = match truth.split_once(' ') {
            Some(("+", whose)) => Some(whose.parse().ok()?),
            _ if truth == "-" => None,
            _ => return None,
        };
        let root: Position = fen.parse().ok()?;
        let line = |text: &str| -> Option<Vec<Move>> {
            let mut line = Line::new(root.clone());
            for san in text.split_whitespace() {
                line.play(line.position().parse_san(san).ok()?).ok()?;
            }
            Some(line.moves().collect())
        };
        let (played, better) = (line(played)?, line(better)?);
        let (best_score, played_score) = (number(best)?, number(score)?);
        let evidence = Evidence { root, played, better, best_score, played_score };
        Some(Self { truth, evidence, text: text.to_owned() })
    }
}

fn number(text: &str) -> Option<Score> {
    match text.strip_prefix('#') {
        Some(plies) => plies.parse().ok().map(|plies| Score::Mate(MatePlies(plies))),
        None => text.parse().ok().map(Score::Cp),
    }
}

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let entries = std::fs::read_dir(folder).expect("the corpus");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files
}

fn entries(path: &Path) -> Vec<Entry> {
    let text = std::fs::read_to_string(path).expect("text");
    let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| Entry::read(line).unwrap_or_else(|| panic!("unreadable: {line}"))).collect()
}

#[test]
fn claims_of_the_corpus_are_right() {
    let mut table = String::new();
    let mut bad = String::new();
    for path in files() {
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let motif: Motif = name.parse().expect("a file is named after a claim");
        let entries = entries(&path);
        let (mut right, mut wrong, mut overlooked) = (0, 0, 0);
        for entry in &entries {
            let claims = entry.evidence.claims();
            let claimed: Vec<Whose> =
                claims.iter().filter(|claim| claim.motif == motif).map(|one| one.whose).collect();
            let is_right = match entry.truth {
                Some(truth) if claimed.contains(&truth) => {
                    right += 1;
                    true
                }
                Some(_) if claimed.is_empty() => {
                    overlooked += 1;
                    false
                }
                _ => {
                    wrong += usize::from(!claimed.is_empty());
                    claimed.is_empty()
                }
            };
            if !is_right {
                let _ = writeln!(bad, "{name} {claimed:?}: {}", entry.text);
            }
        }
        let share = |part: usize, rest: usize| part as f64 / (part + rest).max(1) as f64;
        let (precision, recall) = (share(right, wrong), share(right, overlooked));
        let positives = entries.iter().filter(|entry| entry.truth.is_some()).count();
        let negatives = entries.len() - positives;
        let _ = writeln!(
            table,
            "| {name} | {positives} | {negatives} | {:.0} % | {:.0} % |",
            100.0 * precision,
            100.0 * recall
        );
        assert!(precision >= PRECISION && recall >= RECALL, "{name}\n{bad}{table}");
    }
    println!("{table}{bad}");
}
