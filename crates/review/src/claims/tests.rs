//! Each motif on a line that shows it, and on lines that nearly do.

use chess::{Line, Move, Position, Square};

use super::case::{Case, Finding};
use super::{defender, fork, hanging, mate, pawns, pin, ray, trapped, verdicts};
use crate::report::{Motif, Origin};
use crate::variation::Variation;

fn variation(fen: &str, moves: &str) -> Variation {
    let mut line = Line::new(fen.parse().expect("a legal position"));
    for text in moves.split_whitespace() {
        let m = line.position().parse_san(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        line.play(m).expect("legal");
    }
    Variation::after(&line, 0)
}

/// What a detector finds in a line.
fn find(detector: fn(&Case<'_>) -> Option<Finding>, fen: &str, moves: &str) -> Option<Finding> {
    let line = variation(fen, moves);
    detector(&Case { line: &line, after: None })
}

/// The same after a criticised move.
fn find_after(
    detector: fn(&Case<'_>) -> Option<Finding>,
    fen: &str,
    played: &str,
    moves: &str,
) -> Option<Finding> {
    let root: Position = fen.parse().expect("a legal position");
    let m: Move = root.parse_san(played).expect("legal");
    let line = variation(&root.after(m).to_string(), moves);
    detector(&Case { line: &line, after: Some((&root, m)) })
}

fn targets(found: Option<Finding>) -> Option<Vec<Square>> {
    found.map(|finding| finding.targets)
}

#[test]
fn a_piece_that_can_be_taken_is_hanging() {
    let fen = "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1";
    let found = find(hanging::hanging, fen, "Rxd5 Ke7").expect("a knight");
    assert_eq!((found.motif, found.targets), (Motif::Hanging, vec![Square::D5]));
    let defended = "4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1";
    assert_eq!(find(hanging::hanging, defended, "Rxd5 exd5"), None);
    // Taken back a move later by another way: nothing is kept.
    let regained = "3rk3/8/8/3n4/8/8/3B4/R2RK3 w - - 0 1";
    assert!(find(hanging::hanging, regained, "Ra8 Rxa8").is_none());
}

#[test]
fn how_a_piece_came_to_hang_is_told_apart() {
    let origin = |fen, played, moves| {
        find_after(hanging::hanging, fen, played, moves).map(|finding| finding.origin)
    };
    let placed = "4k3/8/2p5/8/8/2N5/8/4K3 w - - 0 1";
    assert_eq!(origin(placed, "Nd5", "cxd5 Ke2"), Some(Origin::Placed));
    let undefended = "3rk3/8/8/8/8/3N4/4K3/8 w - - 0 1";
    assert_eq!(origin(undefended, "Kf2", "Rxd3 Ke2"), Some(Origin::Undefended));
    let ignored = "3rk3/8/8/8/8/3N4/8/4K2R w - - 0 1";
    assert_eq!(origin(ignored, "Rh2", "Rxd3 Ke2"), Some(Origin::Ignored));
    let opened = "3rk3/8/8/8/3P4/3N4/8/4K3 w - - 0 1";
    assert_eq!(origin(opened, "d5", "Rxd5 Ke2"), Some(Origin::Placed));
    let line = "3rk3/8/8/3N4/8/3Q4/8/4K3 w - - 0 1";
    assert_eq!(origin(line, "Nf4", "Rxd3 Nxd3"), Some(Origin::Opened));
}

#[test]
fn an_exchange_is_miscounted_if_the_capturer_is_lost() {
    let fen = "4k3/8/2p5/3p4/8/2N5/8/4K3 w - - 0 1";
    let found = find_after(hanging::hanging, fen, "Nxd5", "cxd5 Ke2").expect("a knight for a pawn");
    assert_eq!(found.motif, Motif::Exchange);
}

#[test]
fn a_fork_wins_one_of_two() {
    let royal = "r3k3/8/8/3N4/8/8/8/4K3 w q - 0 1";
    let found = find(fork::fork, royal, "Nc7+ Kd7 Nxa8 Kc6");
    assert_eq!(targets(found), Some(vec![Square::A8, Square::E8]));
    let with_check = "r1bqk2r/pp1pppbp/2n2np1/2N5/4P3/3P1P2/PPP3PP/R1BQKBNR b KQkq - 0 6";
    let found = find(fork::fork, with_check, "Qa5+ c3 Qxc5 d4");
    assert_eq!(targets(found), Some(vec![Square::C5, Square::E1]));
    let rooks = "6k1/8/1r3r2/8/8/2N5/8/4K3 w - - 0 1";
    let found = find(fork::fork, rooks, "Nd5 Rfd6 Nxb6 Rxb6");
    assert!(found.is_none(), "one rook can guard the other");
    let unguarded = "r5k1/8/8/1N6/5r2/8/8/4K3 w - - 0 1";
    assert!(find(fork::fork, unguarded, "Nc7 Ra7 Nd5").is_none(), "nothing is taken");
    // The fork is taken.
    let taken = "r3k3/3b4/8/3N4/8/8/8/4K3 w q - 0 1";
    assert!(find(fork::fork, taken, "Nc7+ Kd8 Nxa8 Bc6").is_some());
    let loose = "rq2k3/8/8/3N4/8/8/8/4K3 w q - 0 1";
    assert!(find(fork::fork, loose, "Nc7+ Qxc7").is_none());
}

#[test]
fn a_skewer_takes_what_was_behind() {
    let fen = "4r2k/8/8/4k3/8/8/8/K6R w - - 0 1".replace("4r2k", "4r3");
    let found = find(ray::skewer, &fen, "Re1+ Kd5 Rxe8");
    assert_eq!(targets(found), Some(vec![Square::E8, Square::E5]));
    let guarded = "4r1n1/3k4/8/4q3/8/8/K7/7R w - - 0 1";
    assert!(find(ray::skewer, guarded, "Re1 Qxe1+").is_none());
}

#[test]
fn a_discovered_attack_opens_a_ray() {
    let fen = "3q2k1/8/8/8/3B4/8/8/3R2K1 w - - 0 1";
    let found = find(ray::discovered, fen, "Bf6 Qxf6 Kg2");
    assert!(found.is_none(), "the queen isn't taken");
    let check = "3q2k1/6p1/8/8/8/3B4/8/3R2K1 w - - 0 1";
    let found = find(ray::discovered, check, "Bh7+ Kxh7 Rxd8");
    assert_eq!(targets(found), Some(vec![Square::D8]));
}

#[test]
fn a_trapped_piece_has_no_square() {
    let fen = "4k3/8/8/1p6/B7/2p5/8/4K2R b - - 0 1".replace(" b ", " w ");
    assert!(find(trapped::trapped, &fen, "Kd1 bxa4").is_none(), "it is White's own");
    let noah = "4k3/2p5/1p6/p7/8/1B6/PPPP4/4K3 b - - 0 1";
    assert!(find(trapped::trapped, noah, "a4 Bxa4").is_none(), "it takes the pawn");
    let trapped_bishop = "6k1/5ppp/8/8/8/7P/B4PP1/6K1 w - - 0 1";
    assert!(find(trapped::trapped, trapped_bishop, "Bb3 Kf8 Bc4").is_none());
    let shut_in = "6k1/p4ppp/1p6/8/8/8/6PP/b1R3K1 w - - 0 1";
    assert!(find(trapped::trapped, shut_in, "Rxa1 Kf8").is_none(), "it is taken at once");
    let greedy = "r5k1/1B3ppp/p7/8/8/8/5PPP/2R3K1 b - - 0 1";
    let found = find(trapped::trapped, greedy, "Ra7 Rc7 Rxb7 Rxb7");
    assert!(found.is_none(), "it is guarded in time");
}

#[test]
fn a_defender_is_removed_before_the_prize_is_taken() {
    let fen = "3r2k1/5ppp/5n2/3b4/2B5/8/5PPP/3RR1K1 w - - 0 1";
    let with_knight = "6k1/5ppp/5n2/3b4/6B1/8/5PPP/3R2K1 w - - 0 1".replace("6B1", "7B");
    let found = find(defender::removed, &with_knight, "Bxf6 gxf6 Rxd5");
    assert_eq!(targets(found), Some(vec![Square::D5, Square::F6]));
    assert!(find(defender::removed, fen, "Bxd5 Nxd5 Rxd5 Rxd5").is_none());
}

#[test]
fn a_deflected_defender_lets_go() {
    let fen = "3r2k1/5ppp/8/8/8/8/1Q3PPP/3R2K1 w - - 0 1";
    assert!(find(defender::deflected, fen, "Qb8 Rxb8").is_none(), "nothing falls");
    let overloaded = "6k1/5p1p/3q2p1/2b1n3/8/8/5PPP/2R1R1K1 w - - 0 1";
    let found = find(defender::deflected, overloaded, "Rxe5 Qxe5 Rxc5");
    assert!(found.is_none(), "the queen still guards c5 from e5");
    let real = "6k1/5p1p/3q2p1/2b5/5n2/8/5PPP/2R1Q1K1 w - - 0 1";
    assert!(find(defender::deflected, real, "Qe8+ Kg7 Rxc5").is_none(), "the king moved");
}

#[test]
fn a_pinned_guard_cannot_take_back() {
    let fen = "4k3/4n3/8/3p4/8/2N5/8/4R2K w - - 0 1";
    let found = find(pin::pin, fen, "Nxd5 Kd7");
    assert_eq!(targets(found), Some(vec![Square::D5, Square::E7]));
    let free = "4k3/4n3/8/3p4/8/2N5/8/7K w - - 0 1";
    assert!(find(pin::pin, free, "Nxd5 Nxd5").is_none());
}

#[test]
fn a_pawn_that_promotes_is_passed() {
    let fen = "8/1P6/8/8/8/6k1/8/K7 w - - 0 1";
    let found = find(pawns::promotes, fen, "b8=Q+ Kf3").expect("it promotes");
    assert_eq!(found.motif, Motif::PassedPawn);
    assert!(find(pawns::promotes, "r7/1P6/8/8/8/6k1/8/K7 w - - 0 1", "Kb2 Rb8").is_none());
}

#[test]
fn mates_have_their_kinds() {
    let motif = |fen, moves| find(mate::mate, fen, moves).map(|finding| finding.motif);
    let back_rank = "6k1/5ppp/8/8/8/8/5PPP/1R4K1 w - - 0 1";
    assert_eq!(motif(back_rank, "Rb8#"), Some(Motif::BackRank));
    let smothered = "6rk/6pp/8/6N1/8/8/8/6K1 w - - 0 1";
    assert_eq!(motif(smothered, "Nf7#"), Some(Motif::Mate));
    assert_eq!(motif(back_rank, "Rb7"), None);
}

#[test]
fn a_pawn_on_the_way_to_a_queen_is_not_the_point() {
    let fen = "4k3/8/5p2/7N/4q3/8/8/3K4 w - - 0 1";
    let moves = "Nxf6+ Kd8 Nxe4";
    assert!(find(hanging::hanging, fen, moves).is_none());
    assert_eq!(targets(find(fork::fork, fen, moves)), Some(vec![Square::E4, Square::E8]));
}

#[test]
fn an_even_trade_is_not_a_miscounted_exchange() {
    let fen = "4k3/8/2p5/3n4/8/2N5/8/4K3 w - - 0 1";
    assert!(find_after(hanging::hanging, fen, "Nxd5", "cxd5 Ke2").is_none());
}

#[test]
fn material_is_sure_if_no_reply_saves_it() {
    let fen = "4k3/8/8/2b1n3/8/8/3P4/3R3K w - - 0 1";
    let found = find(verdicts::material, fen, "d4 Nc6 dxc5").expect("a piece");
    assert_eq!((found.motif, found.sure), (Motif::Material, Some(2)));
    let careless = "4k3/8/8/3n4/8/8/8/R6K w - - 0 1";
    assert!(find(verdicts::material, careless, "Ra5 Kd7 Rxd5+").is_none(), "it could move away");
}

#[test]
fn an_exposed_king_is_driven_about() {
    let fen = "4k3/8/8/8/8/8/8/Q3K2R w K - 0 1";
    assert!(find(verdicts::exposed_king, fen, "Qa8+ Kd7 Qb7+ Ke6").is_some());
    let alone = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    assert!(find(verdicts::exposed_king, alone, "Qa8+ Kd7 Qb7+ Ke6").is_none(), "no attack");
}

#[test]
fn a_piece_given_for_a_pawn_that_has_just_taken_was_an_exchange() {
    let fen = "3r2k1/2p5/1P6/8/8/8/8/2R3K1 w - - 0 1";
    assert!(
        find(pawns::costs_a_piece, fen, "bxc7 Rc8 Kf2 Rxc7 Rxc7").is_some(),
        "it was about to promote"
    );
    let taken = "6k1/2pr4/1P6/8/8/8/8/2R3K1 w - - 0 1";
    assert!(find(pawns::costs_a_piece, taken, "bxc7 Rxc7 Rxc7").is_none());
}
