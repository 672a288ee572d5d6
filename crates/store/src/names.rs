//! Names of users: which characters they may have, and which of them look the same.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::error::{Result, StoreError, name as printable};

/// Maximum length of a user's name in characters.
const LONGEST: usize = 40;

/// Checks a name and normalises its characters (NFKC): letters of one script, digits, spaces and
/// `-`, `_`, `.`, `'`. This leaves out everything invisible, text that runs backwards, and words of
/// letters that only look alike.
pub fn user_name(wanted: &str) -> Result<String> {
    let name: String = printable("name", wanted, LONGEST)?.nfkc().collect();
    let name = printable("name", &name, LONGEST)?;
    let refuse = |why| Err(StoreError::Refused { what: "name", why });
    let mut script = None;
    for c in name.chars().filter(|&c| !is_common(c)) {
        match Script::of(c) {
            None => return refuse("may have letters, digits, spaces and - _ . ' only"),
            found if script.is_some() && script != found => {
                return refuse("mixes letters of different scripts");
            }
            found => script = found,
        }
    }
    if name.contains("  ") {
        return refuse("has several spaces in a row");
    }
    if !name.chars().any(char::is_alphanumeric) {
        return refuse("needs a letter or a digit");
    }
    Ok(name.to_owned())
}

/// A character that goes with every script.
const fn is_common(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, ' ' | '-' | '_' | '.' | '\'')
}

/// A script, or scripts that are written together.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Script {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Hebrew,
    Arabic,
    /// One of the scripts of South and South-East Asia, by its block.
    Southern(u32),
    Georgian,
    Ethiopic,
    /// Chinese, Japanese and Korean.
    Eastern,
}

impl Script {
    /// The script of a letter, or of a mark in a script that needs them.
    fn of(c: char) -> Option<Self> {
        let script = match c {
            'A'..='Z' | 'a'..='z' | '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => Self::Latin,
            '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Self::Greek,
            '\u{400}'..='\u{52f}' => Self::Cyrillic,
            '\u{530}'..='\u{58f}' => Self::Armenian,
            '\u{5d0}'..='\u{5ea}' => Self::Hebrew,
            '\u{620}'..='\u{64a}' | '\u{671}'..='\u{6d3}' => Self::Arabic,
            '\u{900}'..='\u{eff}' => Self::Southern(c as u32 / 0x80),
            '\u{10a0}'..='\u{10ff}' | '\u{1c90}'..='\u{1cbf}' => Self::Georgian,
            '\u{1200}'..='\u{137f}' => Self::Ethiopic,
            '\u{3005}'
            | '\u{3041}'..='\u{30ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}' => Self::Eastern,
            _ => return None,
        };
        let mark = matches!(script, Self::Southern(_)) && is_combining_mark(c);
        (c.is_alphabetic() || mark).then_some(script)
    }
}

/// What a name looks like: the same text for names that could be mistaken for each other.
pub(crate) fn skeleton(name: &str) -> String {
    let latin: String = name.nfkd().map(latin).collect();
    latin.to_lowercase().replace("rn", "m").replace("vv", "w")
}

/// The Latin letter that a character looks like, or the character itself.
const fn latin(c: char) -> char {
    match c {
        '0' | 'О' | 'о' | 'Ο' | 'ο' | 'σ' | 'Օ' | 'օ' | 'ø' | 'Ø' => 'o',
        '1' | 'I' | 'l' | 'І' | 'Ι' | 'Ӏ' | 'ӏ' | 'ł' | 'Ł' => 'l',
        'ı' | 'і' | 'ι' => 'i',
        'А' | 'а' | 'Α' | 'α' => 'a',
        'В' | 'Β' => 'b',
        'С' | 'с' | 'ϲ' => 'c',
        'ԁ' | 'đ' | 'Đ' => 'd',
        'Е' | 'е' | 'Ε' | 'ε' => 'e',
        'Ғ' => 'f',
        'ց' => 'g',
        'Н' | 'Η' | 'һ' | 'Һ' | 'հ' => 'h',
        'Ј' | 'ј' | 'յ' => 'j',
        'К' | 'к' | 'Κ' | 'κ' => 'k',
        'М' | 'Μ' => 'm',
        'Ν' | 'η' | 'ո' => 'n',
        'Р' | 'р' | 'Ρ' | 'ρ' => 'p',
        'ԛ' | 'զ' => 'q',
        'г' => 'r',
        'Ѕ' | 'ѕ' | 'Տ' => 's',
        'Т' | 'Τ' | 'τ' => 't',
        'υ' | 'ս' | 'Ս' => 'u',
        'ν' => 'v',
        'ԝ' | 'ω' => 'w',
        'Х' | 'х' | 'Χ' | 'χ' => 'x',
        'У' | 'у' | 'Υ' | 'γ' | 'Ү' | 'ү' => 'y',
        'Ζ' => 'z',
        'З' => '3',
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_people_are_accepted() {
        for name in [
            "Mikhail Tal",
            "O'Hara",
            "Jean-Luc_2",
            "J. R.",
            "Ärger",
            "Łukasz",
            "Михаил",
            "Αλέξανδρος",
            "გიორგი",
            "विश्वनाथन",
            "محمد",
            "דוד",
            "山田 太郎",
            "이세돌",
            "1234",
        ] {
            assert_eq!(user_name(name).expect(name), name.nfkc().collect::<String>());
        }
        assert_eq!(user_name("  Ａnna ").expect("fullwidth"), "Anna");
        assert_eq!(user_name("Mu\u{308}ller").expect("decomposed"), "Müller");
    }

    #[test]
    fn invisible_backward_and_mixed_names_are_refused() {
        for name in [
            "",
            "   ",
            "...",
            "Mi\u{200b}sha",
            "Mi\u{ad}sha",
            "\u{202e}lat",
            "Mi\u{2066}sha",
            "Misha\u{fe0f}",
            "\u{3164}",
            "\u{2800}",
            "M\u{456}sha",
            "Мisha",
            "Mi  sha",
            "\u{265e}",
            "a\nb",
            "<b>",
            "Mi\u{335}sha",
        ] {
            assert!(user_name(name).is_err(), "{name:?}");
        }
    }

    #[test]
    fn names_that_look_alike_have_one_skeleton() {
        for (one, other) in [
            ("Mali", "MaIi"),
            ("Paypal", "PaypaI"),
            ("cace", "сасе"),
            ("Bob0", "Bobo"),
            ("modern", "modem"),
            ("HOPE", "НОРЕ"),
            ("Willi", "Wi11i"),
            ("vvalter", "walter"),
        ] {
            assert_eq!(skeleton(one), skeleton(other), "{one} and {other}");
        }
        for (one, other) in [("Anna", "Hanna"), ("Müller", "Muller"), ("Mali", "Mall")] {
            assert_ne!(skeleton(one), skeleton(other), "{one} and {other}");
        }
    }
}
