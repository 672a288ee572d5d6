//! German sentences.

use chess::Role;

use super::spoken::Spoken;
use crate::report::{Motif, Origin, Whose};

/// A sentence for a claim.
pub(super) fn sentence(s: &Spoken<'_>) -> String {
    match s.claim.whose {
        Whose::Allowed => allowed(s),
        Whose::Missed => missed(s),
        Whose::Found => found(s),
    }
}

/// A piece with its article: who, whom, to whom.
struct Named {
    who: &'static str,
    whom: &'static str,
    to: &'static str,
}

const fn named(role: Option<Role>) -> Named {
    match role {
        Some(Role::Pawn) => Named { who: "der Bauer", whom: "den Bauern", to: "dem Bauern" },
        Some(Role::Knight) => {
            Named { who: "der Springer", whom: "den Springer", to: "dem Springer" }
        }
        Some(Role::Bishop) => Named { who: "der Läufer", whom: "den Läufer", to: "dem Läufer" },
        Some(Role::Rook) => Named { who: "der Turm", whom: "den Turm", to: "dem Turm" },
        Some(Role::Queen) => Named { who: "die Dame", whom: "die Dame", to: "der Dame" },
        Some(Role::King) => Named { who: "der König", whom: "den König", to: "dem König" },
        None => Named { who: "die Figur", whom: "die Figur", to: "der Figur" },
    }
}

/// A sentence begins with a capital.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn allowed(s: &Spoken<'_>) -> String {
    let (played, line, key) = (&s.played, s.line(), s.to_key());
    let piece = named(s.target(0).map(|(role, _)| role));
    let square = s.target(0).map_or("", |(_, at)| at);
    let second = named(s.target(1).map(|(role, _)| role));
    let amount = amount(s.claim.gain);
    match s.claim.motif {
        Motif::Mate => s.pick(&[
            format!("{played} erlaubt ein Matt in {}: {line}.", s.claim.gain),
            format!("Nach {played} ist es Matt in {}: {line}.", s.claim.gain),
        ]).to_owned(),
        Motif::BackRank => format!("{played} lässt die Grundreihe ohne Schutz: {line}."),
        Motif::EngineMate => {
            format!("Nach {played} findet die Engine ein Matt in {}: {line}.", s.claim.gain)
        }
        Motif::Stalemate => format!("{played} führt zum Patt: ein halber Punkt ist weg."),
        Motif::Hanging => dropped(s, &piece, square, &key),
        Motif::Exchange => format!("{played} verrechnet sich beim Abtausch auf {square}: {line} kostet {amount}."),
        Motif::Fork => s.pick(&[
            format!("{played} läuft in eine Gabel: {key} greift {} an und gewinnt {} auf {square}.", second.whom, piece.whom),
            format!("{played} erlaubt eine Gabel: Nach {key} sind {} und {} zugleich angegriffen.", piece.who, second.who),
        ]).to_owned(),
        Motif::Skewer => format!(
            "{played} erlaubt einen Spieß: Nach {key} muss {} weichen, und {} dahinter fällt.",
            second.who, piece.who
        ),
        Motif::Discovered => format!(
            "{played} erlaubt einen Abzug: {key} öffnet die Linie auf {} auf {square}.", piece.whom
        ),
        Motif::Trapped => s.pick(&[
            format!("{played} lässt {} auf {square} in die Falle gehen: Nach {key} bleibt kein sicheres Feld.", piece.whom),
            format!("Nach {played} hat {} auf {square} kein Feld mehr: {line}.", piece.who),
        ]).to_owned(),
        Motif::RemovedDefender => format!(
            "{played} überlässt {} auf {square} einem einzigen Verteidiger: {key} schlägt ihn, und {} fällt.",
            piece.whom, piece.who
        ),
        Motif::Deflection => format!(
            "{played} erlaubt eine Ablenkung: {key} zieht {} weg, und {} auf {square} fällt.", second.whom, piece.who
        ),
        Motif::Overload => format!(
            "Nach {played} ist {} überlastet: {key}, und {} auf {square} fällt.", second.who, piece.who
        ),
        Motif::Pin if s.claim.targets.len() > 1 => format!(
            "{played} vergisst die Fesselung: Nach {key} kann {} nicht zurückschlagen.", second.who
        ),
        Motif::Pin => format!("{played} tut nichts für {} auf {square} in der Fesselung: {line}.", piece.whom),
        Motif::PassedPawn => format!("{played} lässt den Bauern durch: {line}."),
        Motif::Material => s.pick(&[
            format!("{played} verliert {amount}: {line}."),
            format!("{played} kostet {amount}: {line}."),
        ]).to_owned(),
        Motif::EngineMaterial => s.pick(&[
            format!("In der Variante der Engine kostet {played} {amount}: {line}."),
            format!("{played} dürfte am Ende {amount} kosten: {line}."),
        ]).to_owned(),
        Motif::Repetition => format!("{played} erlaubt eine Zugwiederholung: {line}."),
        Motif::Win => format!("{played} gibt den Gewinn aus der Hand: {line}."),
        Motif::Draw => s.pick(&[
            format!("{played} verliert eine haltbare Stellung: {line}."),
            format!("Bis hierhin war es zu halten; nach {played} ist es verloren: {line}."),
        ]).to_owned(),
        Motif::BadTrade => format!("{played} tauscht die falschen Figuren: Nach {line} steht der Gegner besser."),
        Motif::ExposedKing => format!("{played} lässt den König ohne Schutz: {line}."),
        _ => placed_worse(s),
    }
}

/// What a move does to the own king, pawns and pieces.
fn placed_worse(s: &Spoken<'_>) -> String {
    let (played, line) = (&s.played, s.line());
    match s.claim.motif {
        Motif::KingSafety => s
            .pick(&[
                format!("{played} macht den König unsicherer: {line}."),
                format!("Nach {played} steht der König unsicherer: {line}."),
            ])
            .to_owned(),
        Motif::Passer => s
            .pick(&[
                format!("{played} gibt dem Gegner einen starken Freibauern: {line}."),
                format!(
                    "Nach {played} bekommt der Gegner einen weit vorgerückten Freibauern: {line}."
                ),
            ])
            .to_owned(),
        Motif::Structure => s
            .pick(&[
                format!("{played} verdirbt die Bauernstellung: {line}."),
                format!("{played} führt zu schwachen Bauern: {line}."),
            ])
            .to_owned(),
        Motif::Activity => s
            .pick(&[
                format!("{played} nimmt den eigenen Figuren Platz: {line}."),
                format!("Nach {played} haben die eigenen Figuren weniger Felder: {line}."),
            ])
            .to_owned(),
        Motif::KingActivity => {
            format!("{played} lässt den gegnerischen König herein: {line}.")
        }
        Motif::BishopPair => format!("{played} gibt das Läuferpaar her: {line}."),
        Motif::Prophylaxis => s
            .pick(&[
                format!("Nach {played} kommt {}, was {} verhindert hätte.", s.to_key(), s.better),
                format!("{played} erlaubt {line}; {} hätte das verhindert.", s.better),
            ])
            .to_owned(),
        _ => format!("{played}: {line}."),
    }
}

fn dropped(s: &Spoken<'_>, piece: &Named, square: &str, key: &str) -> String {
    let played = &s.played;
    if !s.wins_target() {
        return format!("{played} kostet {}: {}.", amount(s.claim.gain), s.line());
    }
    match s.claim.origin {
        Origin::Placed => s
            .pick(&[
                format!("{played} stellt {} ein: Nach {key} gibt es nichts dafür.", piece.whom),
                format!("{played} lässt {} einfach schlagen: {key}.", piece.whom),
            ])
            .to_owned(),
        Origin::Undefended => s
            .pick(&[
                format!("{played} nimmt {} auf {square} die Deckung: {key}.", piece.to),
                format!(
                    "{} auf {square} brauchte diese Deckung: {played} {key} gewinnt Material.",
                    capital(piece.who)
                ),
            ])
            .to_owned(),
        Origin::Ignored => s
            .pick(&[
                format!("{played} übersieht den Angriff auf {} auf {square}: {key}.", piece.whom),
                format!(
                    "{} auf {square} war schon angegriffen; {played} tut nichts dagegen: {key}.",
                    capital(piece.who)
                ),
            ])
            .to_owned(),
        Origin::Opened => {
            format!("{played} öffnet die Linie auf {} auf {square}: {key}.", piece.whom)
        }
        Origin::Plain => s
            .pick(&[
                format!("{played} lässt {} auf {square} hängen: {key}.", piece.whom),
                format!("Nach {played} geht {} auf {square} einfach verloren: {key}.", piece.who),
            ])
            .to_owned(),
    }
}

fn missed(s: &Spoken<'_>) -> String {
    let (best, line) = (s.best(), s.line());
    let piece = named(s.target(0).map(|(role, _)| role));
    let square = s.target(0).map_or("", |(_, at)| at);
    let second = named(s.target(1).map(|(role, _)| role));
    let amount = amount(s.claim.gain);
    match s.claim.motif {
        Motif::Mate => s
            .pick(&[
                format!("{best} setzt in {} Zügen matt: {line}.", s.claim.gain),
                format!("Es gab ein Matt in {}: {line}.", s.claim.gain),
            ])
            .to_owned(),
        Motif::BackRank => format!("{best} setzt auf der Grundreihe matt: {line}."),
        Motif::EngineMate => format!("Die Engine findet ein Matt in {}: {line}.", s.claim.gain),
        Motif::Hanging if s.wins_target() => s
            .pick(&[
                format!("{} auf {square} war zu haben: {line}.", capital(piece.who)),
                format!("{best} gewinnt einfach {}.", piece.whom),
            ])
            .to_owned(),
        Motif::Hanging | Motif::Exchange => {
            format!("{best} gewinnt {amount} auf {square}: {line}.")
        }
        Motif::Fork => format!(
            "{best} war die Chance zu einer Gabel, {} und {}: {line}.",
            piece.who, second.who
        ),
        Motif::Skewer => format!(
            "Ein Spieß war möglich: {} muss weichen, und {} dahinter fällt: {line}.",
            capital(second.who),
            piece.who
        ),
        Motif::Discovered => format!("Ein Abzug gewinnt {}: {line}.", piece.whom),
        Motif::Trapped => format!("{} auf {square} war zu fangen: {line}.", capital(piece.who)),
        Motif::RemovedDefender => format!(
            "Wer zuerst den Verteidiger schlägt, gewinnt {} auf {square}: {line}.",
            piece.whom
        ),
        Motif::Deflection => {
            format!("{} war von {} auf {square} abzulenken: {line}.", capital(second.who), piece.to)
        }
        Motif::Overload => format!("{} hatte zwei Aufgaben zugleich: {line}.", capital(second.who)),
        Motif::Pin => format!("Die Fesselung gewinnt Material: {line}."),
        Motif::PassedPawn => format!("Der Bauer hätte laufen können: {line}."),
        Motif::Material => s
            .pick(&[
                format!("{best} gewinnt {amount}: {line}."),
                format!("{best} hätte {amount} gewonnen: {line}."),
            ])
            .to_owned(),
        Motif::EngineMaterial => s
            .pick(&[
                format!("In der Variante der Engine gewinnt {best} {amount}: {line}."),
                format!("{best} dürfte am Ende {amount} gewinnen: {line}."),
            ])
            .to_owned(),
        Motif::Repetition => format!("{best} erzwingt eine Zugwiederholung: {line}."),
        Motif::Win => s
            .pick(&[
                format!("{best} hält den Gewinn fest: {line}."),
                format!("Der Gewinn war {best}: {line}."),
            ])
            .to_owned(),
        Motif::ExposedKing => format!("{best} geht dem König an den Kragen: {line}."),
        Motif::FasterMate => {
            format!("Es gab ein schnelleres Matt, in {} Zügen: {line}.", s.claim.gain)
        }
        _ => placed_better(s),
    }
}

/// What a better move does to the opponent's king, pawns and pieces.
fn placed_better(s: &Spoken<'_>) -> String {
    let (best, line) = (s.best(), s.line());
    match s.claim.motif {
        Motif::KingSafety => s
            .pick(&[
                format!("{best} nimmt dem gegnerischen König Deckung: {line}."),
                format!("{best} macht dem gegnerischen König das Leben schwer: {line}."),
            ])
            .to_owned(),
        Motif::Passer => format!("{best} führt zu einem starken Freibauern: {line}."),
        Motif::Structure => format!("{best} lässt dem Gegner schwache Bauern: {line}."),
        Motif::Activity => s
            .pick(&[
                format!("{best} lässt den gegnerischen Figuren weniger Platz: {line}."),
                format!("{best} nimmt den gegnerischen Figuren Felder: {line}."),
            ])
            .to_owned(),
        Motif::KingActivity => format!("{best} bringt den König zu den Bauern: {line}."),
        Motif::BishopPair => format!("{best} nimmt dem Gegner das Läuferpaar: {line}."),
        _ => format!("{best} war besser: {line}."),
    }
}

fn found(s: &Spoken<'_>) -> String {
    let played = &s.played;
    match s.claim.motif {
        Motif::Sacrifice => format!("{played} gibt Material, und es geht auf: {}.", s.line()),
        _ => s
            .pick(&[
                format!("{played} ist hier der einzige gute Zug."),
                format!("Nur {played} geht hier."),
            ])
            .to_owned(),
    }
}

/// Material in words.
pub(super) const fn amount(pawns: u32) -> &'static str {
    match pawns {
        0 | 1 => "einen Bauern",
        2 => "Material für zwei Bauern",
        3 => "eine Figur",
        4 => "eine Figur und einen Bauern",
        5 => "einen Turm",
        6..=8 => "viel Material",
        _ => "Material für eine Dame",
    }
}

/// The one thing to work on, by motif.
pub(super) const fn lesson(motif: Motif) -> &'static str {
    match motif {
        Motif::Mate | Motif::BackRank | Motif::EngineMate => "Matts, eigene und drohende",
        Motif::Hanging => "Figuren, die sich schlagen lassen",
        Motif::Exchange => "Abtausche vorher durchzählen",
        Motif::Fork => "Gabeln",
        Motif::Skewer | Motif::Discovered | Motif::Pin => {
            "Linien zwischen Figuren: Fesselung, Spieß, Abzug"
        }
        Motif::Trapped => "Rückzugsfelder für Figuren",
        Motif::RemovedDefender | Motif::Deflection | Motif::Overload => {
            "was jeder Verteidiger hält"
        }
        Motif::PassedPawn | Motif::Passer => "Freibauern",
        Motif::Win | Motif::Draw | Motif::Stalemate | Motif::Repetition => {
            "das Ergebnis festhalten"
        }
        Motif::ExposedKing | Motif::KingSafety => "Königssicherheit",
        Motif::KingActivity => "aktive Könige im Endspiel",
        Motif::Prophylaxis => "was der Gegner spielen möchte",
        Motif::Structure => "Bauernstruktur",
        Motif::Activity => "Figurenaktivität",
        _ => "erzwungene Varianten zu Ende rechnen",
    }
}
