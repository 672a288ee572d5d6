//! Replays the corpus: every input in it keeps its property.

use std::path::Path;

fn replay(target: &str, property: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("the corpus has a folder for each target") {
        let path = entry.expect("a folder can be listed").path();
        println!("{}", path.display());
        property(&std::fs::read(&path).expect("an input can be read"));
        count += 1;
    }
    assert!(count > 0, "{} is empty", folder.display());
}

#[test]
fn the_corpus_of_fen_holds() {
    replay("fen", fuzz::fen);
}

#[test]
fn the_corpus_of_san_holds() {
    replay("san", fuzz::san);
}

#[test]
fn the_corpus_of_uci_moves_holds() {
    replay("uci_move", fuzz::uci_move);
}

#[test]
fn the_corpus_of_uci_commands_holds() {
    replay("uci_command", fuzz::uci_command);
}

#[test]
fn the_corpus_of_pgn_holds() {
    replay("pgn", fuzz::pgn);
}

#[test]
fn the_corpus_of_data_holds() {
    replay("data", fuzz::data);
}

#[test]
fn the_corpus_of_books_holds() {
    replay("book", fuzz::book);
}

#[test]
fn the_corpus_of_messages_holds() {
    replay("message", fuzz::message);
}

#[test]
fn the_corpus_of_nets_holds() {
    replay("net", fuzz::net);
}

#[test]
fn the_corpus_of_answers_holds() {
    replay("uci_answer", fuzz::uci_answer);
}

#[test]
fn the_corpus_of_libraries_holds() {
    replay("library", fuzz::library);
}
