//! The tags of a game.

/// The tags every PGN game has, in this order.
pub(crate) const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

/// Names and values: the seven tag roster first, then others in the order they were set. Names are
/// unique.
///
/// `Result`, `FEN` and `SetUp` are not stored here but written from the game's result and start
/// position. A roster tag with an unknown value (`?`) is the same as none, because it is written
/// anyway; other tags keep any value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Sets a tag. Line breaks become spaces, and invalid characters in a name become `_`.
    pub fn set(&mut self, name: &str, value: &str) {
        let fits = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | ']');
        let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).collect();
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || ["Result", "FEN", "SetUp"].contains(&name.as_str()) {
            return;
        }
        if ROSTER.contains(&name.as_str()) && value == unknown(&name) {
            return self.remove(&name);
        }
        if let Some((_, known)) = self.0.iter_mut().find(|(known, _)| *known == name) {
            *known = value;
        } else {
            let place = self.0.partition_point(|(known, _)| rank(known) <= rank(&name));
            self.0.insert(place, (name, value));
        }
    }

    /// Whether a tag is written for every game, or follows from the game itself.
    pub(crate) fn is_fixed(name: &str) -> bool {
        // Called for every tag, and faster than a search in the roster.
        matches!(
            name,
            "Event" | "Site" | "Date" | "Round" | "White" | "Black" | "Result" | "FEN" | "SetUp"
        ) || matches!(name, "Variant" | "Termination")
    }

    /// Removes a tag.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|(known, _)| known != name);
    }

    /// All names and values: the roster first, then others in the order they were set.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }
}

/// The sort key of a name: its index in the roster, or after it.
fn rank(name: &str) -> usize {
    ROSTER.iter().position(|known| *known == name).unwrap_or(ROSTER.len())
}

/// The value of an unknown roster tag.
pub(crate) fn unknown(name: &str) -> &'static str {
    match name {
        "Date" => "????.??.??",
        _ => "?",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_once_and_an_unknown_roster_tag_is_none() {
        let mut tags = Tags::default();
        tags.set("White", "Tal, Mikhail");
        tags.set("White", "Tal");
        tags.set("Date", "????.??.??");
        tags.set("Event", "Riga\n1960");
        assert_eq!(tags.iter().collect::<Vec<_>>(), [("Event", "Riga 1960"), ("White", "Tal")]);
        tags.set("White", "?");
        assert_eq!(tags.get("White"), None);
    }

    #[test]
    fn tags_outside_the_roster_keep_unknown_and_empty_values() {
        let mut tags = Tags::default();
        for (name, value) in [("WhiteElo", "?"), ("TimeControl", "?"), ("Annotator", "")] {
            tags.set(name, value);
            assert_eq!(tags.get(name), Some(value));
        }
        tags.remove("TimeControl");
        assert_eq!(tags.get("TimeControl"), None);
    }
}
