//! Search patterns for a part of a folded name in which accents don't matter: `muller` finds
//! "Müller", and `müller` finds "Muller".

use crate::dialect::Dialect;

/// Latin letters that are the same without their accents.
const ALIKE: [&str; 20] = [
    "aàáâãäåāăą",
    "cçćĉċč",
    "dďđ",
    "eèéêëēĕėęě",
    "gĝğġģ",
    "hĥħ",
    "iìíîïĩīĭįı",
    "jĵ",
    "kķ",
    "lĺļľł",
    "nñńņň",
    "oòóôõöøōŏő",
    "rŕŗř",
    "sśŝşšș",
    "tţťŧț",
    "uùúûüũūŭůűų",
    "wŵ",
    "yýÿŷ",
    "zźżž",
    "\'’ʼ`´",
];

impl Dialect {
    /// The comparison of a column with a [pattern](Self::part).
    pub const fn matches(self) -> &'static str {
        match self {
            Self::Sqlite => " GLOB ?",
            Self::Postgres => " ~ ?",
        }
    }

    /// The pattern for texts that contain a part. Wildcards in it are letters.
    pub fn part(self, text: &str) -> String {
        let letters: String = text.chars().map(|letter| self.letter(letter)).collect();
        match self {
            Self::Sqlite => format!("*{letters}*"),
            Self::Postgres => letters,
        }
    }

    fn letter(self, letter: char) -> String {
        if let Some(alike) = ALIKE.iter().find(|alike| alike.contains(letter)) {
            return format!("[{alike}]");
        }
        match self {
            Self::Sqlite if matches!(letter, '*' | '?' | '[') => format!("[{letter}]"),
            Self::Postgres if letter.is_ascii_punctuation() => format!("\\{letter}"),
            _ => letter.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_are_letters() {
        assert_eq!(Dialect::Sqlite.part("f*[x]?"), "*f[*][[]x][?]*");
        assert_eq!(Dialect::Postgres.part("f*(x)."), "f\\*\\(x\\)\\.");
    }

    #[test]
    fn a_letter_is_alike_to_its_accented_forms_only() {
        assert_eq!(Dialect::Postgres.part("çb"), "[cçćĉċč]b");
        for (n, alike) in ALIKE.iter().enumerate() {
            let elsewhere = ALIKE.iter().skip(n + 1).any(|o| alike.chars().any(|c| o.contains(c)));
            assert!(!elsewhere, "{alike}");
        }
    }
}
