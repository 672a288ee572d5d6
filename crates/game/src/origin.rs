//! The source and visibility of a game.

/// The source of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// Played on this server.
    Played,
    /// Imported from PGN.
    Imported,
}

chess::names! {
    Source, schema "Source" "The source of a game." { Played = "played", Imported = "imported" }
}

/// Who may watch a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visibility {
    /// Only the players.
    Private,
    /// Anyone with the link.
    Link,
    /// Everyone: it is listed.
    Public,
}

chess::names! {
    Visibility, schema "Visibility" "Who may watch a game." {
        Private = "private",
        Link = "link",
        Public = "public",
    }
}
