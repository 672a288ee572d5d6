//! Random games and random boards, where two independent programs must agree with this one.

mod random_games;

use std::collections::BTreeSet;

use chess::{
    Bitboard, CastlingMode, Color, File, Move, MoveKind, MoveList, Piece, Position, Rank, Role,
    Setup, Square, UciMove,
};
use random_games::{Dice, STANDARD_STARTS, assert_sound, pick, unequal_arrays};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, FromSetup, Position as _, PositionError};

/// The same game in three programs.
#[derive(Clone)]
struct Game {
    ours: Position,
    shakmaty: Chess,
    cozy: cozy_chess::Board,
}

impl Game {
    /// `None` when another program does not take the position.
    fn new(start: Position) -> Option<Self> {
        let shakmaty = shakmaty_accepts(&start.to_string())?;
        let cozy = cozy_chess::Board::from_fen(&start.to_shredder_fen(), true).ok()?;
        Some(Self { ours: start, shakmaty, cozy })
    }

    fn play(&mut self, m: Move) {
        let text = m.to_uci(&self.ours, CastlingMode::Chess960).to_string();
        let uci: shakmaty::uci::UciMove = text.parse().expect("UCI text");
        self.shakmaty.play_unchecked(uci.to_move(&self.shakmaty).expect("legal there too"));
        self.cozy.play(text.parse().expect("UCI text"));
        self.ours.play_unchecked(m);
    }

    fn compare(&self) {
        assert_sound(&self.ours);
        let fen = shakmaty::fen::Fen::from_position(&self.shakmaty, EnPassantMode::Legal);
        assert_eq!(self.ours.to_string(), fen.to_string());
        let key: Zobrist64 = self.shakmaty.zobrist_hash(EnPassantMode::Legal);
        assert_eq!(self.ours.polyglot_key(), key.0, "{}", self.ours);
        self.compare_moves();
        self.compare_san();
        self.compare_outcome();
        compare_generators(&self.ours);
    }

    fn compare_moves(&self) {
        let mut cozy = BTreeSet::new();
        self.cozy.generate_moves(|moves| {
            cozy.extend(moves.into_iter().map(|m| m.to_string()));
            false
        });
        let ours = moves_of(&self.ours, CastlingMode::Chess960);
        assert_eq!(ours, moves_of_shakmaty(&self.shakmaty), "{}", self.ours);
        assert_eq!(ours, cozy, "{}", self.ours);
    }

    fn compare_san(&self) {
        for m in self.ours.legal_moves() {
            let uci = m.to_uci(&self.ours, CastlingMode::Chess960);
            let text = uci.to_string();
            assert_eq!(text.parse::<UciMove>().map(|uci| uci.to_move(&self.ours)), Ok(Some(m)));
            assert_eq!(self.ours.parse_san(&text), Ok(m), "{text} in {}", self.ours);

            let theirs = shakmaty::uci::UciMove::from_ascii(text.as_bytes()).expect("UCI text");
            let theirs = theirs.to_move(&self.shakmaty).expect("legal there too");
            let san = self.ours.san(m).to_string();
            let peer = shakmaty::san::SanPlus::from_move(self.shakmaty.clone(), theirs);
            assert_eq!(san, peer.to_string(), "{}", self.ours);
            assert_eq!(self.ours.parse_san(&san), Ok(m), "{san} in {}", self.ours);
        }
    }

    fn compare_outcome(&self) {
        let ours = self.ours.outcome().map_or("*", |outcome| match outcome.winner() {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        });
        assert_eq!(ours, self.shakmaty.outcome().as_str(), "{}", self.ours);
        for (color, peer) in Color::ALL.into_iter().zip(shakmaty::Color::ALL) {
            let theirs = !self.shakmaty.has_insufficient_material(peer);
            assert_eq!(self.ours.has_mating_material(color), theirs, "{}", self.ours);
        }
    }
}

fn moves_of(position: &Position, mode: CastlingMode) -> BTreeSet<String> {
    position.legal_moves().iter().map(|m| m.to_uci(position, mode).to_string()).collect()
}

fn moves_of_shakmaty(position: &Chess) -> BTreeSet<String> {
    let mode = shakmaty::CastlingMode::Chess960;
    position.legal_moves().iter().map(|m| m.to_uci(mode).to_string()).collect()
}

/// The ways of generating moves say the same.
fn compare_generators(position: &Position) {
    let mut all = position.legal_moves();
    let (mut captures, mut quiets) = (MoveList::new(), MoveList::new());
    position.legal_captures_into(&mut captures);
    position.legal_quiets_into(&mut quiets);
    let loud = |m: &Move| position.is_capture(*m) || m.promotion().is_some();
    assert!(captures.iter().all(loud), "{position}");
    assert!(!quiets.iter().any(loud), "{position}");

    assert_eq!(position.count_legal_moves() as usize, all.len(), "{position}");
    assert_eq!(position.has_legal_move(), !all.is_empty(), "{position}");
    let mut parts: Vec<Move> = captures.into_iter().chain(quiets).collect();
    parts.sort_unstable();
    all.sort_unstable();
    assert_eq!(parts, all[..], "{position}");
    assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "a move twice in {position}");
}

/// Asks about every move there can be, legal or not.
fn assert_only_legal_moves_are_legal(position: &Position) {
    let legal: BTreeSet<Move> = position.legal_moves().into_iter().collect();
    let claimed: BTreeSet<Move> =
        (0..=u16::MAX).filter_map(Move::from_bits).filter(|&m| position.is_legal(m)).collect();
    assert_eq!(claimed, legal, "{position}");

    let pairs = Square::all().flat_map(|from| Square::all().map(move |to| (from, to)));
    for (from, to) in pairs {
        let uci = UciMove { from, to, promotion: None };
        if let Some(m) = uci.to_move(position) {
            let modes = [CastlingMode::Standard, CastlingMode::Chess960];
            let forms = modes.map(|mode| m.to_uci(position, mode));
            assert!(legal.contains(&m) && forms.contains(&uci), "{uci} in {position}");
        }
    }
}

fn play_and_compare(start: Position, plies: usize, dice: &mut Dice) {
    let mut game = Game::new(start).expect("a position of ordinary play");
    for _ in 0..plies {
        game.compare();
        if dice.chance(16) {
            assert_only_legal_moves_are_legal(&game.ours);
        }
        let Some(m) = pick(&game.ours, dice) else { return };
        game.play(m);
    }
}

#[test]
fn standard_games_agree_with_two_other_programs() {
    let mut dice = Dice::new(1);
    for fen in STANDARD_STARTS {
        for _ in 0..60 {
            play_and_compare(fen.parse().expect("a legal FEN"), 120, &mut dice);
        }
    }
}

#[test]
fn chess960_games_agree_with_two_other_programs() {
    let mut dice = Dice::new(2);
    for number in (0..960).step_by(2) {
        let start = Position::chess960(number).expect("a number below 960");
        play_and_compare(start, 60, &mut dice);
    }
}

#[test]
fn games_between_unequal_arrays_agree_with_two_other_programs() {
    let mut dice = Dice::new(3);
    for _ in 0..400 {
        let (white, black) = (dice.below(960) as u16, dice.below(960) as u16);
        play_and_compare(unequal_arrays(white, black), 60, &mut dice);
    }
}

/// Kings and rooks on both back ranks, and a few pieces that stand in White's way or attack it.
fn castling_setup([west, king, east]: [usize; 3], dice: &mut Dice) -> Setup {
    let others = [Piece::BlackQueen, Piece::BlackRook, Piece::BlackKnight, Piece::WhiteBishop];
    let mut setup = Setup::EMPTY;
    for (file, role) in [(west, Role::Rook), (king, Role::King), (east, Role::Rook)] {
        setup.board[file] = Some(role.of(Color::White));
        setup.board[56 + file] = Some(role.of(Color::Black));
        // Black's rooks shall not see White's.
        setup.board[48 + file] = Some(Piece::BlackPawn);
    }
    setup.castling =
        [west, east, 56 + west, 56 + east].into_iter().map(Square::from_index).collect();
    for _ in 0..dice.below(4) {
        let square = dice.below(16);
        if setup.board[square].is_none() {
            setup.board[square] = Some(others[dice.below(others.len())]);
        }
    }
    setup
}

#[test]
fn every_castling_geometry_agrees_with_two_other_programs() {
    let mut dice = Dice::new(4);
    let mut castled = 0;
    for files in (0..8 * 8 * 8).map(|n| [n / 64, n / 8 % 8, n % 8]).filter(|f| f.is_sorted()) {
        if files[0] == files[1] || files[1] == files[2] {
            continue;
        }
        for _ in 0..40 {
            let setup = castling_setup(files, &mut dice);
            // White's bishops may attack Black's king.
            let Ok(start) = Position::try_from(&setup) else { continue };
            let Some(game) = Game::new(start) else { continue };
            game.compare();
            assert_only_legal_moves_are_legal(&game.ours);
            for m in game.ours.legal_moves() {
                if m.kind() == MoveKind::Castle {
                    let mut game = game.clone();
                    game.play(m);
                    game.compare();
                    castled += 1;
                }
            }
        }
    }
    assert!(castled > 1_000, "only {castled} times did a king castle");
}

/// A board with kings and up to 30 other pieces anywhere, with castling rights and an en passant
/// square where they might fit.
fn random_setup(dice: &mut Dice) -> Setup {
    let mut setup = Setup::EMPTY;
    let men = dice.below(31);
    for _ in 0..men {
        let square = dice.below(64);
        let piece = Piece::ALL[dice.below(10)];
        let back_rank = !(8..56).contains(&square);
        if !(back_rank && piece.role() == Role::Pawn) {
            setup.board[square] = Some(piece);
        }
    }
    let homes = if dice.chance(2) { [dice.below(8), 56 + dice.below(8)] } else { [0, 0] };
    for (color, home) in Color::ALL.into_iter().zip(homes) {
        let square = if homes == [0, 0] { dice.below(64) } else { home };
        setup.board[square] = Some(Role::King.of(color));
    }
    setup.turn = if dice.chance(2) { Color::White } else { Color::Black };
    for color in Color::ALL {
        let rooks = setup.pieces(Role::Rook.of(color));
        let king = setup.pieces(Role::King.of(color));
        let back_rank = Bitboard::rank(color.back_rank());
        if (king & back_rank).any() {
            for rook in rooks & back_rank {
                if dice.chance(2) {
                    setup.castling |= Bitboard::of(rook);
                }
            }
        }
    }
    if dice.chance(2) {
        let rank = Rank::Sixth.relative_to(setup.turn);
        let square = Square::new(File::ALL[dice.below(8)], rank);
        let pawn = match setup.turn {
            Color::White => square.index() - 8,
            Color::Black => square.index() + 8,
        };
        if setup.board[pawn].is_some_and(|piece| piece.role() == Role::Pawn) {
            setup.en_passant = Some(square);
        }
    }
    setup
}

/// What the other program makes of the same text; it doubts boards no game can reach, which we
/// take.
fn shakmaty_accepts(fen: &str) -> Option<Chess> {
    let fen: shakmaty::fen::Fen = fen.parse().ok()?;
    Chess::from_setup(fen.into_setup(), shakmaty::CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}

#[test]
fn random_boards_are_accepted_alike_and_offer_the_same_moves() {
    let mut dice = Dice::new(5);
    let mut accepted = 0;
    for _ in 0..400_000 {
        let setup = random_setup(&mut dice);
        let fen = setup.to_string();
        let ours = Position::try_from(&setup);
        let theirs = shakmaty_accepts(&fen);
        assert_eq!(ours.is_ok(), theirs.is_some(), "{fen}: {:?}", ours.err());
        if let (Ok(ours), Some(theirs)) = (ours, theirs) {
            accepted += 1;
            assert_sound(&ours);
            compare_generators(&ours);
            let moves = moves_of(&ours, CastlingMode::Chess960);
            assert_eq!(moves, moves_of_shakmaty(&theirs), "{fen}");
            if accepted % 64 == 0 {
                assert_only_legal_moves_are_legal(&ours);
            }
        }
    }
    assert!(accepted > 50_000, "only {accepted} boards were legal");
}

#[test]
fn standard_castling_text_agrees_with_another_program() {
    let mut dice = Dice::new(6);
    for fen in STANDARD_STARTS {
        let start: Position = fen.parse().expect("a legal FEN");
        let mut game = Game::new(start).expect("a position of ordinary play");
        for _ in 0..40 {
            let mode = shakmaty::CastlingMode::Standard;
            let theirs: BTreeSet<String> =
                game.shakmaty.legal_moves().iter().map(|m| m.to_uci(mode).to_string()).collect();
            assert_eq!(moves_of(&game.ours, CastlingMode::Standard), theirs, "{}", game.ours);
            for m in game.ours.legal_moves() {
                let text = m.to_uci(&game.ours, CastlingMode::Standard).to_string();
                assert_eq!(text.parse::<UciMove>().map(|uci| uci.to_move(&game.ours)), Ok(Some(m)));
            }
            let Some(m) = pick(&game.ours, &mut dice) else { break };
            game.play(m);
        }
    }
}
