//! Comments with embedded commands such as `[%clk 0:05:00]`.

use std::fmt::{self, Write};
use std::time::Duration;

use chess::Square;

/// The annotation of a move: text, an evaluation, clocks and drawings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotation {
    text: String,
    /// `[%eval 0.17]`: the engine's score.
    pub eval: Option<Eval>,
    /// `[%clk 0:05:00]`: time left after the move.
    pub clock: Option<Duration>,
    /// `[%emt 0:00:07]`: time spent on the move.
    pub elapsed: Option<Duration>,
    /// `[%csl Gd4]`: marked squares.
    pub circles: Vec<Circle>,
    /// `[%cal Ge2e4]`: arrows.
    pub arrows: Vec<Arrow>,
}

/// An evaluation from White's point of view, as in PGN files.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Eval {
    /// A score in centipawns.
    Centipawns {
        /// Positive is good for White.
        value: i32,
        /// The depth it was searched to, if written.
        depth: Option<u16>,
    },
    /// Mate in this number of moves.
    Mate {
        /// Positive when White mates.
        moves: i32,
        /// The depth it was searched to, if written.
        depth: Option<u16>,
    },
}

/// A color to draw with.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Brush {
    Green,
    Red,
    Yellow,
    Blue,
}

/// A marked square.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct Circle {
    pub brush: Brush,
    pub square: Square,
}

/// An arrow between two squares.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub struct Arrow {
    pub brush: Brush,
    pub from: Square,
    pub to: Square,
}

impl Annotation {
    /// Parses a comment as written between braces. Whitespace is normalised and commands are
    /// removed from the text, except those that can't be parsed.
    pub fn parse(raw: &str) -> Self {
        let mut annotation = Self::default();
        annotation.append(raw);
        annotation
    }

    /// Appends another comment.
    pub fn append(&mut self, raw: &str) {
        let mut words = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(start) = rest.find("[%") {
            let Some(len) = rest[start..].find(']') else { break };
            let (before, command) = (&rest[..start], &rest[start + 2..start + len]);
            words.push_str(before);
            words.push(' ');
            if !self.command(command) {
                words.push_str(&rest[start..=start + len]);
                words.push(' ');
            }
            rest = &rest[start + len + 1..];
        }
        // Text appended later must not close a command that was left open.
        words.push_str(&rest.replace("[%", "[ %"));
        for word in words.split_whitespace() {
            if !self.text.is_empty() {
                self.text.push(' ');
            }
            // A brace would end the comment when it is written.
            self.text.extend(word.chars().map(|c| if c == '}' { ')' } else { c }));
        }
    }

    /// The text, without commands.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Replaces the text; evaluation, clocks and drawings stay.
    pub fn set_text(&mut self, text: &str) {
        self.text.clear();
        // Typed text is no command: it must not change what it doesn't show.
        self.append(&text.replace("[%", "[ %"));
    }

    /// Whether there is neither text nor a command.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Applies one command; `false` if it is unknown or invalid.
    fn command(&mut self, command: &str) -> bool {
        let Some((name, value)) = command.split_once(char::is_whitespace) else { return false };
        let value = value.trim();
        match name {
            "eval" => parse_eval(value).map(|eval| self.eval = Some(eval)).is_some(),
            "clk" => parse_time(value).map(|time| self.clock = Some(time)).is_some(),
            "emt" => parse_time(value).map(|time| self.elapsed = Some(time)).is_some(),
            "csl" => parse_list(value, parse_circle).map(|new| self.circles.extend(new)).is_some(),
            "cal" => parse_list(value, parse_arrow).map(|new| self.arrows.extend(new)).is_some(),
            _ => false,
        }
    }
}

impl fmt::Display for Annotation {
    /// The comment's content: commands first, then text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Words { f, first: true };
        if let Some(eval) = self.eval {
            words.word(format_args!("[%eval {eval}]"))?;
        }
        if let Some(clock) = self.clock {
            words.word(format_args!("[%clk {}]", Time(clock)))?;
        }
        if let Some(elapsed) = self.elapsed {
            words.word(format_args!("[%emt {}]", Time(elapsed)))?;
        }
        if !self.circles.is_empty() {
            words.word(format_args!("[%csl {}]", List(&self.circles)))?;
        }
        if !self.arrows.is_empty() {
            words.word(format_args!("[%cal {}]", List(&self.arrows)))?;
        }
        if !self.text.is_empty() {
            words.word(format_args!("{}", self.text))?;
        }
        Ok(())
    }
}

struct Words<'a, 'b> {
    f: &'a mut fmt::Formatter<'b>,
    first: bool,
}

impl Words<'_, '_> {
    fn word(&mut self, word: fmt::Arguments<'_>) -> fmt::Result {
        if !std::mem::take(&mut self.first) {
            self.f.write_char(' ')?;
        }
        self.f.write_fmt(word)
    }
}

impl fmt::Display for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let depth = match *self {
            Self::Centipawns { value, depth } => {
                let sign = if value < 0 { "-" } else { "" };
                let size = value.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)?;
                depth
            }
            Self::Mate { moves, depth } => {
                write!(f, "#{moves}")?;
                depth
            }
        };
        depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}

/// `0.17`, `#-3`, each with `,depth` or without.
fn parse_eval(text: &str) -> Option<Eval> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score.trim(), Some(depth.trim().parse().ok()?)),
        None => (text, None),
    };
    if let Some(moves) = score.strip_prefix('#') {
        return Some(Eval::Mate { moves: moves.parse().ok()?, depth });
    }
    let value = (score.parse::<f64>().ok()? * 100.0).round();
    let fits = (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value);
    fits.then_some(Eval::Centipawns { value: value as i32, depth })
}

/// `h:mm:ss`, with tenths or thousandths of a second if needed.
struct Time(Duration);

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            millis if millis % 100 == 0 => write!(f, ".{}", millis / 100),
            millis => write!(f, ".{millis:03}"),
        }
    }
}

/// `h:mm:ss.fff`, `mm:ss` or plain seconds. Anything finer than a millisecond is truncated.
fn parse_time(text: &str) -> Option<Duration> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut seconds = 0_u64;
    for (i, part) in whole.split(':').enumerate() {
        let value: u64 = part.parse().ok()?;
        if i > 2 || part.starts_with('+') {
            return None;
        }
        seconds = seconds.checked_mul(60)?.checked_add(value)?;
    }
    if !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let millis = fraction.bytes().chain(*b"000").take(3);
    let millis = millis.fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0'));
    Some(Duration::new(seconds, millis * 1_000_000))
}

struct List<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for List<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_char(',')?;
            }
            item.fmt(f)?;
        }
        Ok(())
    }
}

fn parse_list<T>(text: &str, parse: fn(&str) -> Option<T>) -> Option<Vec<T>> {
    text.split(',').map(|item| parse(item.trim())).collect()
}

fn parse_circle(text: &str) -> Option<Circle> {
    let brush = Brush::from_letter(text.chars().next()?)?;
    Some(Circle { brush, square: text.get(1..)?.parse().ok()? })
}

fn parse_arrow(text: &str) -> Option<Arrow> {
    let brush = Brush::from_letter(text.chars().next()?)?;
    let from = text.get(1..3)?.parse().ok()?;
    Some(Arrow { brush, from, to: text.get(3..)?.parse().ok()? })
}

impl fmt::Display for Circle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.brush.letter(), self.square)
    }
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.brush.letter(), self.from, self.to)
    }
}

impl Brush {
    const fn letter(self) -> char {
        match self {
            Self::Green => 'G',
            Self::Red => 'R',
            Self::Yellow => 'Y',
            Self::Blue => 'B',
        }
    }

    const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'G' => Some(Self::Green),
            'R' => Some(Self::Red),
            'Y' => Some(Self::Yellow),
            'B' => Some(Self::Blue),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_and_words_are_kept() {
        let annotation = Annotation::parse(
            " [%eval 0.17] [%clk 0:05:00]\n a  fine\tmove [%csl Gd4,Re5][%cal Ge2e4] } ",
        );
        assert_eq!(annotation.text(), "a fine move )");
        assert_eq!(annotation.eval, Some(Eval::Centipawns { value: 17, depth: None }));
        assert_eq!(annotation.clock, Some(Duration::from_mins(5)));
        assert_eq!(annotation.circles.len(), 2);
        assert_eq!(
            annotation.to_string(),
            "[%eval 0.17] [%clk 0:05:00] [%csl Gd4,Re5] [%cal Ge2e4] a fine move )"
        );
        assert_eq!(Annotation::parse(&annotation.to_string()), annotation);
    }

    #[test]
    fn a_new_text_leaves_the_rest_alone() {
        let mut annotation = Annotation::parse("[%clk 0:05:00] old [%cal Ge2e4]");
        annotation.set_text(" new\nwords [%clk 0:00:01] }");
        assert_eq!(
            annotation.to_string(),
            "[%clk 0:05:00] [%cal Ge2e4] new words [ %clk 0:00:01] )"
        );
        assert_eq!(Annotation::parse(&annotation.to_string()), annotation);
    }

    #[test]
    fn evals_and_times_have_many_forms() {
        for (text, written) in [
            ("[%eval #-3,20]", "[%eval #-3,20]"),
            ("[%eval -0.05]", "[%eval -0.05]"),
            ("[%eval +1.5,12]", "[%eval 1.50,12]"),
            ("[%clk 1:00]", "[%clk 0:01:00]"),
            ("[%clk 0:00:09.7]", "[%clk 0:00:09.7]"),
            ("[%emt 12.345678]", "[%emt 0:00:12.345]"),
        ] {
            assert_eq!(Annotation::parse(text).to_string(), written, "{text}");
        }
    }

    #[test]
    fn unreadable_commands_stay_words() {
        for text in ["[%clk soon]", "[%eval]", "[%mdl 4]", "[%csl Xd4]", "[%cal Ge2]"] {
            let annotation = Annotation::parse(text);
            assert_eq!(annotation.text(), text);
            assert_eq!(Annotation::parse(&annotation.to_string()), annotation);
        }
    }

    #[test]
    fn a_command_left_open_is_not_closed_by_the_next_comment() {
        let mut annotation = Annotation::parse("[%clk");
        annotation.append("0:01:00]");
        assert_eq!((annotation.text(), annotation.clock), ("[ %clk 0:01:00]", None));
        assert_eq!(Annotation::parse(&annotation.to_string()), annotation);
    }

    #[test]
    fn the_largest_numbers_are_read_as_they_are_written() {
        for value in [i32::MIN, i32::MAX] {
            let mut annotation = Annotation::parse("[%clk 18446744073709551615:0]");
            assert_eq!(annotation.clock, None);
            annotation.eval = Some(Eval::Centipawns { value, depth: Some(u16::MAX) });
            annotation.clock = Some(Duration::new(u64::MAX, 999_000_000));
            assert_eq!(Annotation::parse(&annotation.to_string()), annotation);
        }
    }
}
