//! Chess variants.

use chess::{CastlingMode, Position};

/// A variant of chess.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Standard chess, from the usual or any other position.
    #[default]
    Standard,
    /// Chess960, from any start position.
    Chess960,
}

chess::names! {
    Variant, schema "Rules" "The variant of a game." { Standard = "standard", Chess960 = "chess960" }
}

impl Variant {
    /// The `Variant` tag of a Chess960 game.
    pub const CHESS960_TAG: &str = "Chess960";

    /// Parses a `Variant` tag, in one of its many spellings; none for an unsupported variant.
    pub fn from_tag(tag: &str) -> Option<Self> {
        let plain: String = tag.chars().filter(char::is_ascii_alphanumeric).collect();
        match plain.to_ascii_lowercase().as_str() {
            "" | "standard" | "normal" | "chess" | "fromposition" => Some(Self::Standard),
            "chess960" | "960" | "frc" | "fischerandom" | "fischerrandom"
            | "fischerrandomchess" => Some(Self::Chess960),
            _ => None,
        }
    }

    /// The variant of a game from this position: Chess960 if castling isn't possible in the
    /// standard way.
    pub fn of_start(start: &Position) -> Self {
        match start.castling_mode() {
            CastlingMode::Standard => Self::Standard,
            CastlingMode::Chess960 => Self::Chess960,
        }
    }

    /// The notation of castling.
    pub const fn castling(self) -> CastlingMode {
        match self {
            Self::Standard => CastlingMode::Standard,
            Self::Chess960 => CastlingMode::Chess960,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_has_many_spellings_in_tags() {
        for tag in ["", "?", "Standard", "From Position", "normal"] {
            assert_eq!(Variant::from_tag(tag), Some(Variant::Standard), "{tag}");
        }
        for tag in [Variant::CHESS960_TAG, "chess 960", "Fischerandom", "FRC"] {
            assert_eq!(Variant::from_tag(tag), Some(Variant::Chess960), "{tag}");
        }
        assert_eq!(Variant::from_tag("Crazyhouse"), None);
    }
}
