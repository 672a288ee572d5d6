//! Where a game comes from, and who may see it.

/// Where a game comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// It was played here.
    Played,
    /// It was read from a file.
    Imported,
}

chess::names! {
    Source, schema "Source" "Where a game comes from." { Played = "played", Imported = "imported" }
}

/// Who may watch a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Visibility {
    /// The players alone.
    Private,
    /// Whoever has the link.
    Link,
    /// Everybody: it is listed.
    Public,
}

chess::names! {
    Visibility, schema "Visibility" "Who may watch a game." {
        Private = "private",
        Link = "link",
        Public = "public",
    }
}
