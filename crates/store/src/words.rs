//! Small choices, and the words that the database has for them.

use game::{GameResult, Speed};

use crate::error::{Result, StoreError};

/// Something that is kept as a word.
pub(crate) trait Word: Copy + 'static {
    const ALL: &'static [Self];

    fn word(self) -> &'static str;

    fn from_word(word: &str) -> Result<Self> {
        let found = Self::ALL.iter().copied().find(|known| known.word() == word);
        found.ok_or_else(|| StoreError::damaged(format!("`{word}` is no word that is used there")))
    }
}

/// The rules that a game is played by.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// Chess, from the usual array or from any position.
    #[default]
    Standard,
    /// Chess960, whichever array it starts from.
    Chess960,
}

impl Word for Rules {
    const ALL: &'static [Self] = &[Self::Standard, Self::Chess960];

    fn word(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Chess960 => "chess960",
        }
    }
}

/// Where a game comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// Played here.
    Played,
    /// Read from a file.
    Imported,
}

impl Word for Source {
    const ALL: &'static [Self] = &[Self::Played, Self::Imported];

    fn word(self) -> &'static str {
        match self {
            Self::Played => "played",
            Self::Imported => "imported",
        }
    }
}

/// Who may see a game besides its players.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// Nobody.
    #[default]
    Private,
    /// Whoever knows its address.
    Link,
    /// Everybody.
    Public,
}

impl Word for Visibility {
    const ALL: &'static [Self] = &[Self::Private, Self::Link, Self::Public];

    fn word(self) -> &'static str {
        match self {
            Self::Private => "private",
            Self::Link => "link",
            Self::Public => "public",
        }
    }
}

impl Word for Speed {
    const ALL: &'static [Self] =
        &[Self::UltraBullet, Self::Bullet, Self::Blitz, Self::Rapid, Self::Classical];

    fn word(self) -> &'static str {
        match self {
            Self::UltraBullet => "ultrabullet",
            Self::Bullet => "bullet",
            Self::Blitz => "blitz",
            Self::Rapid => "rapid",
            Self::Classical => "classical",
        }
    }
}

impl Word for GameResult {
    const ALL: &'static [Self] = &[Self::WhiteWins, Self::BlackWins, Self::Draw, Self::Unknown];

    fn word(self) -> &'static str {
        self.text()
    }
}
