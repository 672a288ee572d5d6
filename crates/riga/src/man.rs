//! Manual pages, made from the declaration of the command line.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Command;
use clap::builder::Resettable;
use clap_mangen::Man;

/// Prints the page of `riga`, or writes the pages of all commands into a folder.
pub fn write(folder: Option<&Path>) -> Result<ExitCode> {
    let command = crate::command();
    let Some(folder) = folder else {
        std::io::stdout().write_all(&page(&command)?)?;
        return Ok(ExitCode::SUCCESS);
    };
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (name, command) in pages(&command) {
        let path = folder.join(format!("{name}.1"));
        fs::write(&path, page(&command)?).with_context(|| path.display().to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Every command with the name of its page, such as `riga-lab-datagen`.
fn pages(command: &Command) -> Vec<(String, Command)> {
    let mut pages = Vec::new();
    let mut open = vec![(command.get_name().to_owned(), command.clone())];
    while let Some((name, command)) = open.pop() {
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            open.push((format!("{name}-{}", inner.get_name()), inner.clone()));
        }
        pages.push((name.clone(), command.name(name)));
    }
    pages
}

/// A page. What follows the help is kept as it is written: most of it is examples, to be copied.
fn page(command: &Command) -> Result<Vec<u8>> {
    let mut page = Vec::new();
    let notes = command.get_after_help().map(ToString::to_string);
    Man::new(command.clone().after_help(Resettable::Reset)).render(&mut page)?;
    if let Some(notes) = notes {
        let title = if notes.starts_with("Example") { "EXAMPLES" } else { "NOTES" };
        writeln!(page, ".SH {title}\n.nf")?;
        for line in notes.lines().skip(usize::from(notes.starts_with("Examples:"))) {
            writeln!(page, "{}", escaped(line))?;
        }
        writeln!(page, ".fi")?;
    }
    Ok(page)
}

/// A line of a page that is shown as it is: no hyphens for minus signs, no curved quotes, no commands.
fn escaped(line: &str) -> String {
    let mut text = line.replace('\\', "\\e").replace('-', "\\-");
    text = text.replace('\'', "\\(aq").replace('`', "\\(ga");
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page() {
        let pages = pages(&crate::command());
        for wanted in ["riga", "riga-perft", "riga-lab", "riga-lab-datagen"] {
            let (_, command) = pages.iter().find(|(name, _)| name == wanted).expect(wanted);
            let text = String::from_utf8(page(command).expect("a page")).expect("text");
            assert!(text.contains(".SH NAME") && text.contains(".SH OPTIONS"), "{wanted}: {text}");
        }
    }

    #[test]
    fn examples_can_be_copied() {
        let pages = pages(&crate::command());
        let (_, command) = pages.iter().find(|(name, _)| name == "riga-match").expect("a page");
        let text = String::from_utf8(page(command).expect("a page")).expect("text");
        let (_, notes) = text.split_once(".SH NOTES\n.nf\n").expect("notes");
        assert!(notes.contains("\n.fi\n") && notes.contains("\n  riga match \\-"), "{notes}");
        assert_eq!(escaped(".x 'a' \\ --b"), "\\&.x \\(aqa\\(aq \\e \\-\\-b");
    }
}
