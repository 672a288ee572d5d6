//! UCI commands: what is accepted reads back from its own text, and a refusal says why.

use uci::{Command, Settings, UciOption};

/// Reads each line as a command of a GUI. Moves are played and options set.
pub fn uci_command(data: &[u8]) {
    let mut settings = Settings::default();
    for line in String::from_utf8_lossy(data).lines() {
        let mut command: Command = match line.parse() {
            Ok(command) => command,
            Err(error) => {
                assert!(!error.to_string().is_empty(), "{line:?}");
                continue;
            }
        };
        if let Command::Go(go) = &mut command {
            // What could not be read is not written.
            assert!(go.faults.drain(..).all(|fault| !fault.to_string().is_empty()));
        }
        let written = command.to_string();
        assert_eq!(written.parse().as_ref(), Ok(&command), "{line:?} writes {written:?}");
        match &command {
            Command::Position(moves) => match moves.to_line() {
                Ok(line) => assert_eq!(line.len(), moves.moves.len(), "{written}"),
                Err(error) => assert!((1..=moves.moves.len()).contains(&error.number), "{error}"),
            },
            Command::Go(go) => {
                let position = chess::Position::default();
                let (legal, illegal) = go.to_moves(&position);
                let sorted = legal.len() + illegal.len();
                assert_eq!(sorted, go.search_moves.len(), "{written}");
                assert!(legal.iter().all(|&m| position.is_legal(m)), "{written}");
            }
            Command::SetOption { name, value } => {
                let Some(option) = UciOption::find(name) else { continue };
                if option.set(&mut settings, name, value.as_deref()).is_err() {
                    continue;
                }
                // What was set is a value that can be set again.
                let (value, before) = (option.value(&settings), settings.clone());
                let again = option.set(&mut settings, name, value.as_deref());
                assert!(again.is_ok() && settings == before, "{line:?} sets {value:?}");
            }
            _ => {}
        }
    }
}
