//! Our own engine, configured by UCI option names.

use engine::{Engine, Params};
use uci::{Settings, UciOption};

use crate::net_file;

/// Builds an engine, and the settings for its questions. A name may also be a search parameter, as
/// set by a tuner. An unknown name or a value out of range is an error message.
pub fn build(options: &[(String, String)]) -> Result<(Engine, Settings), String> {
    let mut settings = Settings::default();
    let mut params = Params::default();
    for (name, value) in options {
        if let Some(option) = UciOption::find(name).filter(|option| option.button().is_none()) {
            option
                .set(&mut settings, option.name, Some(value))
                .map_err(|error| error.to_string())?;
        } else if Params::TABLE.iter().any(|param| param.name == name) {
            let number = value
                .parse()
                .map_err(|_| format!("invalid value {value} for {name}: a number is needed"))?;
            params.set(name, number).map_err(|error| error.to_string())?;
        } else {
            let known: Vec<&str> = uci::OPTIONS
                .iter()
                .filter(|option| option.button().is_none())
                .map(|option| option.name)
                .collect();
            return Err(format!(
                "Riga has no option `{name}`; it has: {}, and the search parameters",
                known.join(", ")
            ));
        }
    }
    net_file::check(&settings.options()).map_err(|error| error.to_string())?;
    let mut engine = Engine::new(settings.options());
    engine.set_params(params);
    match engine.take_messages() {
        messages if messages.is_empty() => Ok((engine, settings)),
        messages => Err(messages.join("; ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn built(name: &str, value: &str) -> Result<(Engine, Settings), String> {
        build(&[(name.to_owned(), value.to_owned())])
    }

    #[test]
    fn options_and_parameters_are_set_by_name() {
        assert_eq!(built("hash", "3").map(|(engine, _)| engine.options().hash), Ok(3));
        assert_eq!(built("multipv", "3").map(|(_, settings)| settings.multi_pv), Ok(3));
        let param = Params::TABLE[0];
        let (engine, _) = built(param.name, &param.max.to_string()).expect("in range");
        assert_ne!(*engine.params(), Params::default());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (name, value, part) in [
            ("Hash", "0", "invalid value 0 for Hash"),
            ("Hsah", "1", "Riga has no option `Hsah`; it has: Hash, "),
            ("Clear Hash", "", "no option `Clear Hash`"),
            (Params::TABLE[0].name, "x", "a number is needed"),
            (Params::TABLE[0].name, "1000000", "allowed are"),
            ("SyzygyPath", "/no/such/folder", "/no/such/folder"),
        ] {
            let error = built(name, value).expect_err(name);
            assert!(error.contains(part), "{error}");
        }
        let error = built("EvalFile", "/no/such.net").expect_err("there is no such file");
        assert!(
            error.starts_with("/no/such.net: ") && !error.contains("using the embedded"),
            "{error}"
        );
    }
}
