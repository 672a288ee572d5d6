//! What a configuration says: values with the places where they are written.

use std::{env, fmt};

use toml::de::{DeTable, DeValue};

/// A value that is set somewhere.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The table it belongs to, such as `search` or `search.ideas`.
    pub section: String,
    pub key: String,
    pub given: Given,
    pub place: Place,
}

/// Where a value is set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A line of the file, from 1.
    Line(usize),
    /// An environment variable.
    Variable(String),
}

/// A value as it is written.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    Text(String),
    Whole(String),
    Decimal(String),
    Switch(bool),
    List(Vec<Self>),
    /// Something that no key takes; its kind in TOML.
    Other(&'static str),
}

/// An error in a configuration.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mistake {
    pub place: Place,
    pub text: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Line(line) => write!(f, "{line}: {}", self.text),
            Place::Variable(name) => write!(f, "${name}: {}", self.text),
        }
    }
}

impl fmt::Display for Given {
    /// As it is written in TOML.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // TOML and Rust escape alike what is likely in a name.
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Whole(number) | Self::Decimal(number) => f.write_str(number),
            Self::Switch(on) => write!(f, "{on}"),
            Self::List(values) => {
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                write!(f, "[{}]", values.join(", "))
            }
            Self::Other(kind) => write!(f, "a TOML {kind}"),
        }
    }
}

impl Given {
    fn of(value: &DeValue<'_>) -> Self {
        match value {
            DeValue::String(text) => Self::Text(text.to_string()),
            DeValue::Integer(number) => {
                let decimal = i128::from_str_radix(number.as_str(), number.radix());
                Self::Whole(decimal.map_or_else(|_| number.to_string(), |n| n.to_string()))
            }
            DeValue::Float(number) => Self::Decimal(number.to_string()),
            DeValue::Boolean(on) => Self::Switch(*on),
            DeValue::Array(values) => {
                Self::List(values.iter().map(|value| Self::of(value.get_ref())).collect())
            }
            other => Self::Other(other.type_str()),
        }
    }

    /// The value of an environment variable: as in TOML where that is possible, otherwise a text.
    fn from_variable(text: &str) -> Self {
        let written = format!("x = {text}");
        let table = DeTable::parse(&written).ok();
        // More than one line is more than one value.
        let table = table.as_ref().map(toml::Spanned::get_ref).filter(|table| table.len() == 1);
        let value = table.and_then(|table| table.get("x"));
        match value.map(|value| Self::of(value.get_ref())) {
            Some(given) if !matches!(given, Self::Other(_)) => given,
            _ => Self::Text(text.to_owned()),
        }
    }

    /// The whole number, if it is one.
    pub fn whole(&self) -> Option<i64> {
        match self {
            Self::Whole(number) => number.parse().ok(),
            _ => None,
        }
    }
}

/// Reads a file. Tables in tables are sections of their own.
pub fn read(text: &str) -> Result<Vec<Entry>, Mistake> {
    let line =
        |offset: usize| text.get(..offset).map_or(1, |before| before.matches('\n').count() + 1);
    let file = DeTable::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        Mistake { place: Place::Line(line(offset)), text: error.message().replace('\n', ", ") }
    })?;
    let mut entries = Vec::new();
    let mut tables = vec![(String::new(), file.get_ref())];
    while let Some((section, table)) = tables.pop() {
        for (key, value) in table {
            let name = key.get_ref();
            if let DeValue::Table(inner) = value.get_ref() {
                let path =
                    if section.is_empty() { name.to_string() } else { format!("{section}.{name}") };
                // An unknown section is a mistake even if it is empty.
                entries.push(Entry {
                    section: path.clone(),
                    key: String::new(),
                    given: Given::Other("table"),
                    place: Place::Line(line(key.span().start)),
                });
                tables.push((path, inner));
            } else {
                entries.push(Entry {
                    section: section.clone(),
                    key: name.to_string(),
                    given: Given::of(value.get_ref()),
                    place: Place::Line(line(value.span().start)),
                });
            }
        }
    }
    Ok(entries)
}

/// The environment variable of a key.
pub fn variable(section: &str, key: &str) -> String {
    // These are older than the others.
    match (section, key) {
        ("server", "database") => return "RIGA_DATABASE".to_owned(),
        ("server", "worker_token") => return "RIGA_WORKER_TOKEN".to_owned(),
        _ => {}
    }
    format!("RIGA_{section}_{key}").replace('.', "_").to_uppercase()
}

/// What the environment says about a key.
pub fn from_environment(section: &str, key: &str) -> Option<Entry> {
    let name = variable(section, key);
    let text = env::var(&name).ok().filter(|text| !text.is_empty())?;
    Some(Entry {
        section: section.to_owned(),
        key: key.to_owned(),
        given: Given::from_variable(&text),
        place: Place::Variable(name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_in_tables_are_sections() {
        let entries = read("[a]\nx = 1\n[a.b]\ny = 'z'\n").expect("valid");
        let find = |section: &str, key: &str| {
            entries.iter().find(|entry| entry.section == section && entry.key == key)
        };
        let x = find("a", "x").expect("a value");
        assert_eq!((&x.given, &x.place), (&Given::Whole("1".into()), &Place::Line(2)));
        let y = find("a.b", "y").expect("a value");
        assert_eq!((&y.given, &y.place), (&Given::Text("z".into()), &Place::Line(4)));
    }

    #[test]
    fn variables_are_written_as_in_toml_or_plainly() {
        assert_eq!(variable("search.ideas", "null_move"), "RIGA_SEARCH_IDEAS_NULL_MOVE");
        assert_eq!(Given::from_variable("16"), Given::Whole("16".into()));
        assert_eq!(Given::from_variable("true"), Given::Switch(true));
        assert_eq!(Given::from_variable("[1, 2]").to_string(), "[1, 2]");
        assert_eq!(Given::from_variable("/a b/c"), Given::Text("/a b/c".into()));
        assert_eq!(Given::from_variable("1\ny = 2"), Given::Text("1\ny = 2".into()));
    }
}
