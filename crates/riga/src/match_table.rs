//! The result table of a match, as text and as JSON.

use std::fmt::Write;

use lab::elo::{Pairs, Sample, Tally};
use lab::sprt::{Accepted, EloModel};
use lab::tournament::{End, Faults, Pairing, Standings, Tournament};
use serde_json::{Value, json};

/// The whole table.
pub fn text(tournament: &Tournament, standings: &Standings) -> String {
    let names: Vec<&str> = tournament.contestants.iter().map(|c| c.name.as_str()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|&a, &b| share(standings.of(b).0).total_cmp(&share(standings.of(a).0)));
    let mut text = format!(
        "{:width$}  {:>5} {:>5} {:>5} {:>5} {:>7} {:>18} {:>7}  faults\n",
        "engine", "games", "won", "drawn", "lost", "score", "Elo (95 %)", "LOS"
    );
    for i in order {
        let (games, pairs) = standings.of(i);
        let _ = writeln!(
            text,
            "{:width$}  {:>5} {:>5} {:>5} {:>5} {:>7} {:>18} {:>7}  {}",
            names[i],
            games.games(),
            games.wins,
            games.draws,
            games.losses,
            percent(share(games)),
            elo(&pairs.sample()),
            percent(pairs.sample().los()),
            faults(&standings.faults[i])
        );
    }
    for pairing in standings.pairings.iter().filter(|pairing| pairing.games.games() > 0) {
        let _ = writeln!(text, "{}", pairing_line(pairing, &names));
    }
    if let Some(test) = test_line(tournament, standings) {
        let _ = writeln!(text, "{test}");
    }
    text.trim_end().to_owned()
}

/// The state of the match in one line.
pub fn line(tournament: &Tournament, standings: &Standings) -> String {
    let names: Vec<&str> = tournament.contestants.iter().map(|c| c.name.as_str()).collect();
    let mut text = format!("{}/{} games", standings.games(), tournament.pairs() * 2);
    match standings.pairings.as_slice() {
        [only] => {
            let _ = write!(text, ": {}", pairing_line(only, &names));
        }
        _ => {
            for (i, name) in names.iter().enumerate() {
                let (games, pairs) = standings.of(i);
                let sample = pairs.sample();
                let _ = write!(text, "; {name} {} ({})", percent(share(games)), elo(&sample));
            }
        }
    }
    if let Some(test) = test_line(tournament, standings) {
        let _ = write!(text, "; {test}");
    }
    text
}

fn pairing_line(pairing: &Pairing, names: &[&str]) -> String {
    let [first, second] = pairing.contestants.map(|i| names[i]);
    let Tally { wins, draws, losses } = pairing.games;
    let sample = pairing.pairs.sample();
    let Pairs(counts) = pairing.pairs;
    format!(
        "{first} - {second}: +{wins} ={draws} -{losses} ({}), Elo {}, nElo {}, LOS {}, \
         pairs {counts:?}",
        percent(share(pairing.games)),
        elo(&sample),
        with_error(sample.normalised_elo(), sample.normalised_error()),
        percent(sample.los()),
    )
}

fn test_line(tournament: &Tournament, standings: &Standings) -> Option<String> {
    let sprt = tournament.sprt.as_ref()?;
    let llr = sprt.llr(&standings.pairings.first()?.pairs);
    let [lower, upper] = sprt.bounds();
    let verdict = match sprt.accepted(llr) {
        None => "goes on",
        Some(Accepted::H0) => "H0 accepted",
        Some(Accepted::H1) => "H1 accepted",
    };
    Some(format!(
        "SPRT [{}, {}]: LLR {llr:.2} ({lower:.2}, {upper:.2}), {verdict}",
        sprt.elo0, sprt.elo1
    ))
}

/// The score as a fraction of the games.
fn share(games: Tally) -> f64 {
    if games.games() == 0 { 0.5 } else { games.points() / games.games() as f64 }
}

fn percent(part: f64) -> String {
    if part.is_nan() { "-".to_owned() } else { format!("{:.1} %", part * 100.0) }
}

fn elo(sample: &Sample) -> String {
    with_error(sample.elo(), sample.elo_error())
}

/// A value and its error, where they are known.
fn with_error(value: f64, error: f64) -> String {
    match (value.is_nan(), error.is_finite()) {
        (true, _) => "-".to_owned(),
        (false, true) => format!("{value:+.1} +- {error:.1}"),
        (false, false) => format!("{value:+.1} +- ?"),
    }
}

fn faults(faults: &Faults) -> String {
    let named = [
        (faults.crashes, "crashes"),
        (faults.time_losses, "time losses"),
        (faults.illegal_moves, "illegal moves"),
        (faults.hangs, "hangs"),
    ];
    let texts: Vec<String> =
        named.iter().filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} {name}")).collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}

/// The table as one JSON object. Infinite and unknown values are `null`.
pub fn json(tournament: &Tournament, standings: &Standings, end: Option<&End>) -> Value {
    let engines: Vec<Value> = tournament
        .contestants
        .iter()
        .enumerate()
        .map(|(i, contestant)| {
            let (games, pairs) = standings.of(i);
            let faults = &standings.faults[i];
            let mut value = figures(games, &pairs);
            value["name"] = contestant.name.clone().into();
            value["settings"] = contestant.to_string().into();
            value["crashes"] = faults.crashes.into();
            value["time_losses"] = faults.time_losses.into();
            value["illegal_moves"] = faults.illegal_moves.into();
            value["hangs"] = faults.hangs.into();
            value
        })
        .collect();
    let pairings: Vec<Value> = standings
        .pairings
        .iter()
        .map(|pairing| {
            let mut value = figures(pairing.games, &pairing.pairs);
            value["engines"] =
                pairing.contestants.map(|i| tournament.contestants[i].name.clone()).to_vec().into();
            let Tally { wins, draws, losses } = pairing.as_white;
            value["first_as_white"] = json!({ "wins": wins, "draws": draws, "losses": losses });
            value
        })
        .collect();
    let sprt = tournament.sprt.as_ref().zip(standings.pairings.first()).map(|(sprt, pairing)| {
        let llr = sprt.llr(&pairing.pairs);
        json!({
            "model": match sprt.model {
                EloModel::Logistic => "logistic",
                EloModel::Normalised => "normalised",
            },
            "elo0": sprt.elo0,
            "elo1": sprt.elo1,
            "alpha": sprt.alpha,
            "beta": sprt.beta,
            "llr": llr,
            "bounds": sprt.bounds(),
            "accepted": sprt.accepted(llr).map(|accepted| match accepted {
                Accepted::H0 => "H0",
                Accepted::H1 => "H1",
            }),
        })
    });
    json!({
        "end": match end {
            None => "failed",
            Some(End::Finished) => "finished",
            Some(End::Decided(_)) => "decided",
            Some(End::Stopped) => "interrupted",
        },
        "games": standings.games(),
        "engines": engines,
        "pairings": pairings,
        "endings": standings.endings,
        "sprt": sprt,
    })
}

fn figures(games: Tally, pairs: &Pairs) -> Value {
    let sample = pairs.sample();
    let Tally { wins, draws, losses } = games;
    json!({
        "wins": wins,
        "draws": draws,
        "losses": losses,
        "score": sample.mean,
        "pairs": pairs.0,
        "elo": sample.elo(),
        "elo_error": sample.elo_error(),
        "los": sample.los(),
        "normalised_elo": sample.normalised_elo(),
        "normalised_elo_error": sample.normalised_error(),
    })
}

#[cfg(test)]
mod tests {
    use lab::adjudication::Adjudication;
    use lab::openings::OpeningSuite;
    use lab::sprt::Sprt;
    use lab::tournament::{Contestant, Control, Format};

    use super::*;

    fn tournament() -> Tournament {
        let control = Control { depth: Some(1), ..Control::default() };
        let contestant = |text| Contestant::parse(text, &control).expect("a contestant");
        Tournament {
            contestants: ["cmd=self,name=new", "cmd=self,name=old"].map(contestant).to_vec(),
            format: Format::RoundRobin,
            rounds: 300,
            openings: OpeningSuite::default(),
            concurrency: 1,
            adjudication: Adjudication::default(),
            margin: std::time::Duration::ZERO,
            tablebases: None,
            sprt: Some(Sprt::new(0.0, 5.0, EloModel::Logistic)),
            event: String::new(),
            pgn: None,
            state: None,
        }
    }

    #[test]
    fn the_table_shows_the_figures_of_the_pairs() {
        let tournament = tournament();
        let mut standings = Standings::new(&tournament);
        standings.pairings[0].games = Tally { wins: 200, draws: 260, losses: 140 };
        standings.pairings[0].pairs = Pairs([20, 60, 100, 80, 40]);
        standings.faults[1].crashes = 2;
        let text = text(&tournament, &standings);
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        for part in [
            "new 600 200 260 140 55.0 % +34.9 +- 22.0 99.9 % none",
            "old 600 140 260 200 45.0 % -34.9 +- 22.0 0.1 % 2 crashes",
            "new - old: +200 =260 -140 (55.0 %), Elo +34.9 +- 22.0, nElo +44.4 +- 27.8, LOS 99.9 %, \
             pairs [20, 60, 100, 80, 40]",
            "SPRT [0, 5]: LLR 1.27 (-2.94, 2.94), goes on",
        ] {
            assert!(words.contains(part), "{part} in\n{text}");
        }
        assert!(line(&tournament, &standings).starts_with("600/600 games: new - old: +200"));
        let value = json(&tournament, &standings, Some(&End::Decided(Accepted::H1)));
        assert_eq!((&value["end"], &value["games"]), (&json!("decided"), &json!(600)));
        assert_eq!(value["engines"][1]["crashes"], 2);
        assert_eq!(value["sprt"]["accepted"], Value::Null);
    }

    #[test]
    fn a_table_without_games_has_no_figures() {
        let tournament = tournament();
        let standings = Standings::new(&tournament);
        let table = text(&tournament, &standings);
        assert!(!table.contains("NaN") && !table.contains("inf"), "{table}");
        assert_eq!(json(&tournament, &standings, None)["pairings"][0]["elo"], Value::Null);
    }
}
