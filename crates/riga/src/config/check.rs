//! What `riga config check` finds beyond wrong values: what is missing, and variables that nobody
//! reads.

use std::env;
use std::path::Path;

use super::entries::{Entry, Given, Mistake, Place, variable};
use super::{keys, sections};

/// Keys with the path of a file.
const FILES: [(&str, &str); 2] = [("evaluation", "file"), ("book", "file")];

/// Values that can't be used although they are allowed: files that don't exist, and a public server
/// without its URL.
pub fn mistakes(entries: &[Entry]) -> Vec<Mistake> {
    // What comes later counts more.
    let find = |section: &str, key: &str| {
        entries.iter().rev().find(|entry| entry.section == section && entry.key == key)
    };
    let mut mistakes = Vec::new();
    let mut tell = |entry: &Entry, text: String| {
        mistakes.push(Mistake { place: entry.place.clone(), text });
    };
    for (section, key) in FILES {
        if let Some(entry) = find(section, key)
            && let Given::Text(path) = &entry.given
            && !path.is_empty()
            && !Path::new(path).is_file()
        {
            tell(entry, format!("{path}: no such file, in {key} of [{section}]"));
        }
    }
    let public = find("server", "public").filter(|entry| entry.given == Given::Switch(true));
    match (public, find("server", "origin")) {
        (Some(public), None) => {
            tell(public, "public needs origin, the URL of the server, in [server]".to_owned());
        }
        (None, Some(origin)) => tell(origin, "origin needs public = true in [server]".to_owned()),
        _ => {}
    }
    mistakes
}

/// Variables of the environment that look like a key of a section, but are none.
pub fn unknown_variables() -> Vec<Mistake> {
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    names.filter_map(|name| unknown_variable(&name)).collect()
}

fn unknown_variable(name: &str) -> Option<Mistake> {
    let of = |section: &String| {
        let start = format!("RIGA_{section}_").replace('.', "_").to_uppercase();
        name.starts_with(&start)
    };
    let all = sections();
    if all.iter().any(|section| keys(section).iter().any(|key| variable(section, key) == name)) {
        return None;
    }
    // The innermost section: [search.ideas] rather than [search].
    let section = all.iter().filter(|section| of(section)).max_by_key(|section| section.len())?;
    let known: Vec<String> = keys(section).iter().map(|key| variable(section, key)).collect();
    let text = format!("unknown variable of [{section}]; known are {}", known.join(", "));
    Some(Mistake { place: Place::Variable(name.to_owned()), text })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::entries::read;

    fn told(text: &str) -> Vec<String> {
        mistakes(&read(text).expect("valid")).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_missing_is_told() {
        assert_eq!(
            told("[evaluation]\nfile = '/no/such.net'"),
            ["2: /no/such.net: no such file, in file of [evaluation]"]
        );
        assert_eq!(told("[evaluation]\nfile = ''"), [""; 0]);
        let public = told("[server]\npublic = true");
        assert!(public.len() == 1 && public[0].starts_with("2: public needs origin"), "{public:?}");
        assert_eq!(told("[server]\norigin = 'https://a.org'").len(), 1);
        assert_eq!(told("[server]\npublic = true\norigin = 'https://a.org'"), [""; 0]);
    }

    #[test]
    fn a_misspelt_variable_is_told() {
        let wrong = unknown_variable("RIGA_SEARCH_HASHMB").expect("a mistake").to_string();
        assert!(wrong.starts_with("$RIGA_SEARCH_HASHMB: unknown variable of [search]"), "{wrong}");
        assert!(wrong.contains("RIGA_SEARCH_HASH_MB"), "{wrong}");
        let inner = unknown_variable("RIGA_SEARCH_IDEAS_NUL").expect("a mistake").to_string();
        assert!(inner.contains("[search.ideas]"), "{inner}");
        for fine in ["RIGA_SEARCH_HASH_MB", "RIGA_CONFIG", "RIGA_DATABASE", "RIGA_X", "HOME"] {
            assert_eq!(unknown_variable(fine), None);
        }
    }
}
