//! UCI commands: what is accepted round-trips through its text, and errors give a reason.

use uci::{Command, Settings, UciOption};

/// Parses each line as a command from a GUI. Moves are played and options set.
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
            // Parameters that could not be parsed are not written.
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
                // A value that was set can be set again.
                let (value, before) = (option.value(&settings), settings.clone());
                let again = option.set(&mut settings, name, value.as_deref());
                assert!(again.is_ok() && settings == before, "{line:?} sets {value:?}");
            }
            _ => {}
        }
    }
}
