//! Passwords that are guessed first: common words and patterns, with the usual ornaments.

/// Common passwords in lower case, sorted: the 3,000 most frequent ones with eight characters or more
/// in Mark Burnett's published ranking of ten million leaked passwords (public domain), and shorter
/// words, names, clubs and keyboard patterns that passwords are made of.
const COMMON: &str = include_str!("common_passwords.txt");

/// Characters that are put before and after a word to make a password of it.
const MOST_BEFORE: usize = 4;
const MOST_AFTER: usize = 6;

/// Minimum length of a password that is refused for being the beginning of a common one.
const SHORTEST_BEGINNING: usize = 8;

/// The common passwords.
pub(crate) struct Guessable(Vec<&'static str>);

impl Default for Guessable {
    fn default() -> Self {
        Self(COMMON.lines().collect())
    }
}

impl Guessable {
    /// Whether a password is a common one, or made of one as people do: with other case, digits
    /// around it, letters replaced by digits, twice in a row, or cut off.
    pub fn contains(&self, password: &str) -> bool {
        let plain = password.trim().to_lowercase();
        let letters: Vec<char> = plain.chars().collect();
        is_pattern(&letters) || self.has_beginning(&plain) || self.has_core(&letters)
    }

    fn has(&self, word: &str) -> bool {
        self.0.binary_search(&word).is_ok()
    }

    fn has_beginning(&self, plain: &str) -> bool {
        let at = self.0.partition_point(|common| *common < plain);
        plain.len() >= SHORTEST_BEGINNING
            && self.0.get(at).is_some_and(|common| common.starts_with(plain))
    }

    /// Whether it is a common word between characters that are not letters.
    fn has_core(&self, letters: &[char]) -> bool {
        let ornaments = |letters: &mut dyn Iterator<Item = &char>, most: usize| {
            letters.take(most).take_while(|c| !c.is_alphabetic()).count()
        };
        let before = ornaments(&mut letters.iter(), MOST_BEFORE);
        let after = ornaments(&mut letters.iter().rev(), MOST_AFTER);
        (0..=before).any(|start| {
            (0..=after).any(|end| {
                let core = letters.get(start..letters.len().saturating_sub(end));
                let core = once(core.unwrap_or_default());
                let read: String = core.iter().collect();
                self.has(&read) || self.has(&core.iter().copied().map(letter).collect::<String>())
            })
        })
    }
}

/// The first half of what is written twice.
fn once(letters: &[char]) -> &[char] {
    let (first, second) = letters.split_at(letters.len() / 2);
    if first == second { first } else { letters }
}

/// The letter that a digit or a sign stands for.
const fn letter(c: char) -> char {
    match c {
        '@' | '4' => 'a',
        '3' => 'e',
        '1' | '!' => 'i',
        '0' => 'o',
        '$' | '5' => 's',
        '7' => 't',
        c => c,
    }
}

/// Whether it is a date, a sequence such as `abcdefgh` or `97531`, a row of keys, or a few characters
/// repeated.
fn is_pattern(letters: &[char]) -> bool {
    let repeats = |period: usize| letters.iter().skip(period).zip(letters).all(|(a, b)| a == b);
    let step = |pair: &[char]| pair[1] as i64 - pair[0] as i64;
    let mut steps = letters.windows(2).map(step);
    let first = steps.next();
    let runs = first.is_some_and(|first| first.abs() <= 2 && steps.all(|step| step == first));
    (1..=4).any(repeats) || runs || is_row(letters) || is_date(letters)
}

/// The rows of keyboards.
const ROWS: [&str; 5] =
    ["1234567890", "qwertyuiop[]", "qwertzuiopü+", "azertyuiop", "asdfghjklöä#;'"];

/// Whether it is typed along a row of keys, in either direction.
fn is_row(letters: &[char]) -> bool {
    let (forth, back) =
        (letters.iter().collect::<String>(), letters.iter().rev().collect::<String>());
    ROWS.iter().any(|row| row.contains(&forth) || row.contains(&back))
}

/// Whether it is a day with its year, in any order.
fn is_date(letters: &[char]) -> bool {
    let digits: String = letters.iter().filter(|c| !matches!(c, '.' | '-' | '/')).collect();
    if digits.len() != 8 || !digits.bytes().all(|c| c.is_ascii_digit()) {
        return false;
    }
    let number = |at: std::ops::Range<usize>| digits[at].parse::<u32>().unwrap_or_default();
    let is_year = |year| (1900..2100).contains(&year);
    let is_day = |a: u32, b: u32| (1..=31).contains(&a) && (1..=31).contains(&b) && a.min(b) <= 12;
    is_year(number(0..4)) && is_day(number(4..6), number(6..8))
        || is_year(number(4..8)) && is_day(number(0..2), number(2..4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_sorted_and_long_enough() {
        let Guessable(common) = Guessable::default();
        let allowed_by_length = common.iter().filter(|word| word.len() >= 8).count();
        assert!(allowed_by_length >= 3000, "{allowed_by_length}");
        assert!(common.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(common.iter().all(|word| *word == word.to_lowercase() && !word.contains(' ')));
    }

    #[test]
    fn common_passwords_are_found_however_they_are_dressed_up() {
        let guessable = Guessable::default();
        for password in [
            "password",
            "Password1",
            "PASSWORD123!",
            "p@ssw0rd",
            "Pa$$w0rd",
            "12345678",
            "123456789",
            "1234567890",
            "iloveyou",
            "ILoveYou2",
            "football1",
            "qwertyui",
            "qwertzuiop",
            "poiuztrewq",
            "azertyuiop",
            "qwerty12",
            "1qaz2wsx",
            "q1w2e3r4",
            "zaq12wsx",
            "abcd1234",
            "1234abcd",
            "asdfghjk",
            "trustno1",
            "sunshine",
            "princess",
            "alexande",
            "chocolat",
            "michael1",
            "jordan23",
            "liverpoo",
            "11111111",
            "88888888",
            "12121212",
            "21122112",
            "testtest",
            "lovelove",
            "abcdefgh",
            "87654321",
            "24681012",
            "19870412",
            "12.04.1987",
            "04-12-1987",
            "changeme",
            "passw0rd",
            "letmein1",
            "welcome1",
            "dragon99",
            "  password  ",
            "schatz12",
            "sommer2024",
            "hallo123",
            "aaaaaaaa",
            "asdfasdf",
            "!@#$%^&*",
            "passwor1",
            "californ",
            "firebird",
            "rammstein",
            "123456789q",
            "qawsedrf",
            "ghbdtnbr",
        ] {
            assert!(guessable.contains(password), "{password}");
        }
        for password in [
            "correct horse battery",
            "another horse battery",
            "jQ7#mP2x",
            "marmalade-cat-9",
            "20482913",
            "grünkohl am dienstag",
            "🐴🐴🐓🐴🐓🐓🐴🐴🐴",
            "xkcdisfunny",
            "password for my cat",
        ] {
            assert!(!guessable.contains(password), "{password}");
        }
    }
}
