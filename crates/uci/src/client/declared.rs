//! The options that an engine declares, and the values they take.

use std::fmt;

/// An option as the engine declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredOption {
    /// Its name; case doesn't matter.
    pub name: String,
    /// Its type, default and range.
    pub kind: DeclaredKind,
}

/// The type of an option, with its default and range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeclaredKind {
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
    },
    /// A number.
    Spin {
        /// The default.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The default.
        default: String,
        /// All values.
        choices: Vec<String>,
    },
    /// No value: setting it triggers an action.
    Button,
    /// Any text.
    Text {
        /// The default.
        default: String,
    },
}

/// The words that start a part of the declaration.
const KEYWORDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

impl DeclaredOption {
    /// Parses what follows `option`; `None` if it is not a declaration.
    pub fn parse(text: &str) -> Option<Self> {
        let (mut name, mut kind) = (None, None);
        let (mut default, mut min, mut max, mut choices) = (String::new(), None, None, Vec::new());
        let mut words = text.split_whitespace().peekable();
        while let Some(keyword) = words.next() {
            let mut value = String::new();
            while let Some(word) = words.next_if(|word| {
                // A name may contain any word but `type`, which ends it.
                let ends =
                    if keyword == "name" { *word == "type" } else { KEYWORDS.contains(word) };
                !ends
            }) {
                if !value.is_empty() {
                    value.push(' ');
                }
                value.push_str(word);
            }
            match keyword {
                "name" => name = Some(value),
                "type" => kind = Some(value),
                "default" => default = value,
                "min" => min = value.parse().ok(),
                "max" => max = value.parse().ok(),
                "var" => choices.push(value),
                _ => {}
            }
        }
        let kind = match kind?.as_str() {
            "check" => DeclaredKind::Check { default: default.eq_ignore_ascii_case("true") },
            "spin" => DeclaredKind::Spin {
                default: default.parse().unwrap_or_default(),
                min: min.unwrap_or(i64::MIN),
                max: max.unwrap_or(i64::MAX),
            },
            "combo" => DeclaredKind::Combo { default, choices },
            "button" => DeclaredKind::Button,
            "string" => DeclaredKind::Text {
                default: if default == "<empty>" { String::new() } else { default },
            },
            _ => return None,
        };
        Some(Self { name: name.filter(|name| !name.is_empty())?, kind })
    }

    /// Whether a value can be set.
    pub fn accepts(&self, value: &str) -> bool {
        if value.contains(['\n', '\r']) {
            return false;
        }
        match &self.kind {
            DeclaredKind::Check { .. } => matches!(value, "true" | "false"),
            DeclaredKind::Spin { min, max, .. } => {
                value.parse::<i64>().is_ok_and(|value| (*min..=*max).contains(&value))
            }
            DeclaredKind::Combo { choices, .. } => {
                choices.iter().any(|choice| choice.eq_ignore_ascii_case(value))
            }
            DeclaredKind::Button => value.is_empty(),
            DeclaredKind::Text { .. } => true,
        }
    }
}

impl DeclaredKind {
    /// The default; a button has none.
    pub fn default_value(&self) -> Option<String> {
        match self {
            Self::Check { default } => Some(default.to_string()),
            Self::Spin { default, .. } => Some(default.to_string()),
            Self::Combo { default, .. } | Self::Text { default } => Some(default.clone()),
            Self::Button => None,
        }
    }
}

impl fmt::Display for DeclaredKind {
    /// The allowed values, such as `a number from 1 to 1024`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { .. } => f.write_str("true or false"),
            Self::Spin { min: i64::MIN, max: i64::MAX, .. } => f.write_str("a number"),
            Self::Spin { min, max, .. } => write!(f, "a number from {min} to {max}"),
            Self::Combo { choices, .. } => write!(f, "one of: {}", choices.join(", ")),
            Self::Button => f.write_str("no value"),
            Self::Text { .. } => f.write_str("one line of text"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_option_is_read() {
        let spin = DeclaredOption::parse("name Hash type spin default 16 min 1 max 1024");
        let spin = spin.expect("a spin");
        assert_eq!(spin.kind, DeclaredKind::Spin { default: 16, min: 1, max: 1024 });
        assert!(spin.accepts("1024") && !spin.accepts("0") && !spin.accepts("many"));
        let check =
            DeclaredOption::parse("name Futility Margin 0 (PV nodes) type check default true");
        let check = check.expect("a check");
        assert_eq!(check.name, "Futility Margin 0 (PV nodes)");
        assert!(check.accepts("false") && !check.accepts("1"));
        let combo = "name NullMove type combo default Fail High var Always var Fail High var Never";
        let combo = DeclaredOption::parse(combo).expect("a combo");
        let choices = ["Always", "Fail High", "Never"].map(str::to_owned).to_vec();
        assert_eq!(combo.kind, DeclaredKind::Combo { default: "Fail High".to_owned(), choices });
        assert!(combo.accepts("fail high") && !combo.accepts("Fail"));
        let button = DeclaredOption::parse("name Clear Hash type button").expect("a button");
        assert!(button.accepts("") && !button.accepts("now"));
        let text = DeclaredOption::parse("name Path type string default <empty>").expect("a text");
        assert_eq!(text.kind, DeclaredKind::Text { default: String::new() });
        assert!(text.accepts("/a b/c") && !text.accepts("a\nquit"));
    }

    #[test]
    fn what_is_no_declaration_is_refused() {
        for text in
            ["", "name", "name Hash", "type spin", "name Hash type", "name Hash type x", "x"]
        {
            assert_eq!(DeclaredOption::parse(text), None, "{text}");
        }
    }
}
