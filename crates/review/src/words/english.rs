//! English sentences.

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

fn allowed(s: &Spoken<'_>) -> String {
    let (played, line, key) = (&s.played, s.line(), s.to_key());
    let (piece, square) = s.target(0).map_or(("piece", ""), |(role, at)| (role.name(), at));
    let second = s.target(1).map_or("other piece", |(role, _)| role.name());
    let amount = amount(s.claim.gain);
    match s.claim.motif {
        Motif::Mate => s.pick(&[
            format!("{played} allows mate in {}: {line}.", s.claim.gain),
            format!("After {played} it is mate in {}: {line}.", s.claim.gain),
        ]).to_owned(),
        Motif::BackRank => format!("{played} leaves the back rank without cover: {line}."),
        Motif::EngineMate => {
            format!("After {played} the engine finds mate in {}: {line}.", s.claim.gain)
        }
        Motif::Stalemate => format!("{played} leads to stalemate: half a point gone."),
        Motif::Hanging => dropped(s, piece, square, &key),
        Motif::Exchange => format!("{played} miscounts the exchange on {square}: {line} costs {amount}."),
        Motif::Fork => s.pick(&[
            format!("{played} runs into a fork: {key} attacks the {second} and wins the {piece} on {square}."),
            format!("{played} allows a fork: after {key} the {piece} and the {second} are attacked at once."),
        ]).to_owned(),
        Motif::Skewer => format!(
            "{played} allows a skewer: after {key} the {second} must go, and the {piece} behind it falls."
        ),
        Motif::Discovered => format!(
            "{played} allows a discovered attack: {key} opens the line to the {piece} on {square}."
        ),
        Motif::Trapped => s.pick(&[
            format!("{played} gets the {piece} on {square} trapped: after {key} it has no safe square."),
            format!("After {played} the {piece} on {square} has nowhere to go: {line}."),
        ]).to_owned(),
        Motif::RemovedDefender => format!(
            "{played} leaves the {piece} on {square} to one defender: {key} takes it away, and the {piece} falls."
        ),
        Motif::Deflection => format!(
            "{played} lets the {second} be lured away: {key}, and the {piece} on {square} falls."
        ),
        Motif::Overload => format!(
            "After {played} the {second} has too much to defend: {key}, and the {piece} on {square} falls."
        ),
        Motif::Pin if s.claim.targets.len() > 1 => format!(
            "{played} forgets the pin: the {second} can't take back after {key}."
        ),
        Motif::Pin => format!("{played} leaves the pinned {piece} on {square} to its fate: {line}."),
        Motif::PassedPawn => format!("{played} lets the pawn through: {line}."),
        Motif::Material => s.pick(&[
            format!("{played} loses {amount}: {line}."),
            format!("{played} costs {amount}: {line}."),
        ]).to_owned(),
        Motif::EngineMaterial => s.pick(&[
            format!("In the engine's line {played} costs {amount}: {line}."),
            format!("{played} should cost {amount} in the end: {line}."),
        ]).to_owned(),
        Motif::Repetition => format!("{played} lets the opponent repeat moves: {line}."),
        Motif::Win => format!("{played} lets the win slip: {line}."),
        Motif::Draw => s.pick(&[
            format!("{played} loses a game that could be held: {line}."),
            format!("Until now it could be held; after {played} it is lost: {line}."),
        ]).to_owned(),
        Motif::BadTrade => format!("{played} trades the wrong pieces: after {line} the opponent is better off."),
        Motif::ExposedKing => format!("{played} leaves the king without shelter: {line}."),
        _ => placed_worse(s),
    }
}

/// What a move does to the own king, pawns and pieces.
fn placed_worse(s: &Spoken<'_>) -> String {
    let (played, line) = (&s.played, s.line());
    match s.claim.motif {
        Motif::KingSafety => s
            .pick(&[
                format!("{played} makes the king less safe: {line}."),
                format!("After {played} the king is less safe: {line}."),
            ])
            .to_owned(),
        Motif::Passer => s
            .pick(&[
                format!("{played} gives the opponent a strong passed pawn: {line}."),
                format!(
                    "After {played} the opponent gets a passed pawn across the middle: {line}."
                ),
            ])
            .to_owned(),
        Motif::Structure => s
            .pick(&[
                format!("{played} spoils the pawns: {line}."),
                format!("{played} leads to weak pawns: {line}."),
            ])
            .to_owned(),
        Motif::Activity => s
            .pick(&[
                format!("{played} leaves the pieces with less room: {line}."),
                format!("After {played} the pieces have fewer squares: {line}."),
            ])
            .to_owned(),
        Motif::KingActivity => format!("{played} lets the opponent's king in: {line}."),
        Motif::BishopPair => format!("{played} gives up the bishop pair: {line}."),
        Motif::Prophylaxis => s
            .pick(&[
                format!(
                    "After {played} comes {}, which {} would have prevented.",
                    s.to_key(),
                    s.better
                ),
                format!("{played} allows {line}; {} would have prevented that.", s.better),
            ])
            .to_owned(),
        _ => format!("{played}: {line}."),
    }
}

fn dropped(s: &Spoken<'_>, piece: &str, square: &str, key: &str) -> String {
    let played = &s.played;
    if !s.wins_target() {
        let amount = amount(s.claim.gain);
        return format!("{played} costs {amount}: {}.", s.line());
    }
    match s.claim.origin {
        Origin::Placed => s.pick(&[
            format!("{played} drops the {piece}: after {key} there is nothing for it."),
            format!("{played} puts the {piece} where it can be taken: {key}."),
            format!("{played} hangs the {piece}: {key}."),
        ]).to_owned(),
        Origin::Undefended => s.pick(&[
            format!("{played} takes the guard from the {piece} on {square}: {key}."),
            format!("The {piece} on {square} needed that defender: {played} {key} wins it."),
        ]).to_owned(),
        Origin::Ignored => s.pick(&[
            format!("{played} overlooks the attack on the {piece} on {square}: {key}."),
            format!("The {piece} on {square} was already attacked; {played} does nothing about it: {key}."),
        ]).to_owned(),
        Origin::Opened => format!("{played} opens the line to the {piece} on {square}: {key}."),
        Origin::Plain => s.pick(&[
            format!("{played} leaves the {piece} on {square} hanging: {key}."),
            format!("After {played} the {piece} on {square} can simply be taken: {key}."),
        ]).to_owned(),
    }
}

fn missed(s: &Spoken<'_>) -> String {
    let (best, line) = (s.best(), s.line());
    let (piece, square) = s.target(0).map_or(("piece", ""), |(role, at)| (role.name(), at));
    let second = s.target(1).map_or("other piece", |(role, _)| role.name());
    let amount = amount(s.claim.gain);
    match s.claim.motif {
        Motif::Mate => s
            .pick(&[
                format!("{best} mates in {}: {line}.", s.claim.gain),
                format!("There was mate in {}: {line}.", s.claim.gain),
            ])
            .to_owned(),
        Motif::BackRank => format!("{best} mates on the back rank: {line}."),
        Motif::EngineMate => format!("The engine finds mate in {}: {line}.", s.claim.gain),
        Motif::Hanging if s.wins_target() => s
            .pick(&[
                format!("The {piece} on {square} was there for the taking: {line}."),
                format!("{best} takes a {piece} that nobody guards well enough: {line}."),
                format!("{best} simply wins the {piece}."),
            ])
            .to_owned(),
        Motif::Hanging | Motif::Exchange => format!("{best} wins {amount} on {square}: {line}."),
        Motif::Fork => s
            .pick(&[
                format!("{best} would have forked {piece} and {second}: {line}."),
                format!("A fork of {piece} and {second} was there: {line}."),
            ])
            .to_owned(),
        Motif::Skewer => format!(
            "A skewer was there: the {second} must go, and the {piece} behind it falls: {line}."
        ),
        Motif::Discovered => format!("A discovered attack wins the {piece}: {line}."),
        Motif::Trapped => format!("The {piece} on {square} could be trapped: {line}."),
        Motif::RemovedDefender => {
            format!("Taking the defender first wins the {piece} on {square}: {line}.")
        }
        Motif::Deflection => {
            format!("The {second} could be lured away from the {piece} on {square}: {line}.")
        }
        Motif::Overload => format!("The {second} had two things to defend: {line}."),
        Motif::Pin => format!("The pin wins material: {line}."),
        Motif::PassedPawn => format!("The pawn could have run: {line}."),
        Motif::Material => s
            .pick(&[
                format!("{best} wins {amount}: {line}."),
                format!("{best} would have won {amount}: {line}."),
            ])
            .to_owned(),
        Motif::EngineMaterial => s
            .pick(&[
                format!("In the engine's line {best} wins {amount}: {line}."),
                format!("{best} should win {amount} in the end: {line}."),
            ])
            .to_owned(),
        Motif::Repetition => format!("{best} forces a repetition: {line}."),
        Motif::Win => s
            .pick(&[
                format!("{best} keeps the win: {line}."),
                format!("The win was {best}: {line}."),
            ])
            .to_owned(),
        Motif::ExposedKing => format!("{best} gets at the king: {line}."),
        Motif::FasterMate => format!("There was a faster mate, in {}: {line}.", s.claim.gain),
        Motif::KingSafety => s
            .pick(&[
                format!("{best} strips the opponent's king of cover: {line}."),
                format!("{best} makes life harder for the opponent's king: {line}."),
            ])
            .to_owned(),
        Motif::Passer => format!("{best} leads to a strong passed pawn: {line}."),
        Motif::Structure => format!("{best} leaves the opponent with weak pawns: {line}."),
        Motif::Activity => s
            .pick(&[
                format!("{best} leaves the opponent's pieces less room: {line}."),
                format!("{best} takes squares from the opponent's pieces: {line}."),
            ])
            .to_owned(),
        Motif::KingActivity => format!("{best} brings the king to the pawns: {line}."),
        Motif::BishopPair => format!("{best} takes the bishop pair from the opponent: {line}."),
        _ => format!("{best} was better: {line}."),
    }
}

fn found(s: &Spoken<'_>) -> String {
    let played = &s.played;
    match s.claim.motif {
        Motif::Sacrifice => format!("{played} gives up material, and it works: {}.", s.line()),
        _ => s
            .pick(&[
                format!("{played} is the only good move here."),
                format!("Only {played} works here."),
            ])
            .to_owned(),
    }
}

/// Material in words.
pub(super) fn amount(pawns: u32) -> &'static str {
    match pawns {
        0 | 1 => "a pawn",
        2 => "two pawns' worth of material",
        3 => "a piece",
        4 => "a piece and a pawn",
        5 => "a rook",
        6..=8 => "a lot of material",
        _ => "a queen's worth of material",
    }
}

/// The one thing to work on, by motif.
pub(super) const fn lesson(motif: Motif) -> &'static str {
    match motif {
        Motif::Mate | Motif::BackRank | Motif::EngineMate => "mates, given and threatened",
        Motif::Hanging => "pieces that can be taken",
        Motif::Exchange => "counting exchanges before they begin",
        Motif::Fork => "forks",
        Motif::Skewer | Motif::Discovered | Motif::Pin => {
            "lines between pieces: pins, skewers, discoveries"
        }
        Motif::Trapped => "escape squares for pieces",
        Motif::RemovedDefender | Motif::Deflection | Motif::Overload => "what each defender holds",
        Motif::PassedPawn | Motif::Passer => "passed pawns",
        Motif::Win | Motif::Draw | Motif::Stalemate | Motif::Repetition => {
            "holding on to the result"
        }
        Motif::ExposedKing | Motif::KingSafety => "king safety",
        Motif::KingActivity => "active kings in endings",
        Motif::Prophylaxis => "what the opponent would like to play",
        Motif::Structure => "pawn structure",
        Motif::Activity => "piece activity",
        _ => "calculating forced lines to their end",
    }
}
