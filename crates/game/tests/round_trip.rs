//! Writing a game and reading it back gives the same game, whatever its comments.

use std::time::Duration;

use chess::{Move, Position, Square};
use game::pgn::Reader;
use game::{Annotation, Arrow, Brush, Circle, Eval, Game, GameResult, Nag, NodeId, Tree};
use proptest::prelude::*;
use proptest::sample::{Index, select};

/// One step of building a game; an index selects a node or a legal move.
#[derive(Clone, Debug)]
enum Step {
    /// A move at the end of the current line.
    Play(Index),
    /// A move after any node: mostly a variation.
    Vary(Index, Index),
    Nag(Index, u8),
    Comment(Index, Words),
    Preface(Index, Words),
    Promote(Index),
    Remove(Index),
}

/// An annotation: text and commands.
#[derive(Clone, Debug)]
struct Words {
    text: String,
    eval: Option<Eval>,
    times: [Option<Duration>; 2],
    circles: Vec<Circle>,
    arrows: Vec<Arrow>,
}

impl Words {
    fn add_to(&self, annotation: &mut Annotation) {
        annotation.append(&self.text);
        annotation.eval = self.eval.or(annotation.eval);
        annotation.clock = self.times[0].or(annotation.clock);
        annotation.elapsed = self.times[1].or(annotation.elapsed);
        annotation.circles.extend(&self.circles);
        annotation.arrows.extend(&self.arrows);
    }
}

/// Any text, and texts that look like other PGN tokens.
fn text() -> impl Strategy<Value = String> {
    let odd = select(vec![
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        "(",
        ")",
        ";",
        "%",
        "%x",
        "<",
        "$1",
        "*",
        "1-0",
        "1/2-1/2",
        "[White \"x\"]",
        "[Event \"x\"]",
        "[Event",
        "[a\"b\"]",
        "[%clk 0:01:00]",
        "[%clk",
        "[%eval",
        "0:01:00]",
        "1.5]",
        "[%eval #3]",
        "[%csl Ga1]",
        "[%cal",
        "[%unknown 1]",
        "[%",
        "]",
        "1. e4",
        "--",
        "\n",
        "\n\n",
        "\r",
        "\t",
        "\u{85}",
        "\u{a0}",
        "\u{feff}",
        "?",
        "fianchetto",
        "\u{0}",
    ]);
    let glued = prop::collection::vec(odd.clone(), 0..8).prop_map(|parts| parts.concat());
    let words = prop::collection::vec(odd, 0..40).prop_map(|parts| parts.join(" "));
    let long = "[\\[%*a-c]{70,90}( [\\[%*a-c]{1,90}){0,3}";
    let any = prop::collection::vec(any::<char>(), 0..40).prop_map(String::from_iter);
    prop_oneof![glued, words, long, any]
}

fn words() -> impl Strategy<Value = Words> {
    let eval = prop_oneof![
        (any::<i32>(), any::<Option<u16>>())
            .prop_map(|(value, depth)| Eval::Centipawns { value, depth }),
        (any::<i32>(), any::<Option<u16>>()).prop_map(|(moves, depth)| Eval::Mate { moves, depth }),
    ];
    let millis = prop_oneof![0..10_000_000_u64, any::<u64>()];
    let time = prop::option::weighted(0.2, millis.prop_map(Duration::from_millis));
    let brush = select(vec![Brush::Green, Brush::Red, Brush::Yellow, Brush::Blue]);
    let square = || (0..64_usize).prop_map(Square::from_index);
    let circle = (brush.clone(), square()).prop_map(|(brush, square)| Circle { brush, square });
    let arrow = (brush, square(), square()).prop_map(|(brush, from, to)| Arrow { brush, from, to });
    let parts = (
        text(),
        prop::option::weighted(0.2, eval),
        [time.clone(), time],
        prop::collection::vec(circle, 0..3),
        prop::collection::vec(arrow, 0..20),
    );
    parts.prop_map(|(text, eval, times, circles, arrows)| Words {
        text,
        eval,
        times,
        circles,
        arrows,
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => any::<Index>().prop_map(Step::Play),
        4 => any::<(Index, Index)>().prop_map(|(node, m)| Step::Vary(node, m)),
        3 => any::<(Index, u8)>().prop_map(|(node, nag)| Step::Nag(node, nag)),
        4 => (any::<Index>(), words()).prop_map(|(node, words)| Step::Comment(node, words)),
        2 => (any::<Index>(), words()).prop_map(|(node, words)| Step::Preface(node, words)),
        1 => any::<Index>().prop_map(Step::Promote),
        1 => any::<Index>().prop_map(Step::Remove),
    ]
}

fn start() -> impl Strategy<Value = Position> {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 99 65535",
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "1r2k1r1/8/8/8/8/8/8/RR2K1R1 w GBgb - 0 1",
    ];
    let fens: Vec<Position> =
        fens.iter().map(|fen| fen.parse().expect("a legal position")).collect();
    let chess960 = (0..960_u16).prop_map(|number| Position::chess960(number).expect("below 960"));
    prop_oneof![Just(Position::default()), select(fens), chess960]
}

fn game() -> impl Strategy<Value = Game> {
    let names = vec!["Event", "Site", "Date", "Round", "White", "Black", "Result", "FEN", "ECO"];
    let name = prop_oneof![
        select(names).prop_map(str::to_owned),
        // The variant is not free text: it determines the rules.
        text().prop_filter("not the variant", |name| name != "Variant"),
    ];
    let tags = prop::collection::vec((name, text()), 0..8);
    let result = select(vec![
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
        GameResult::Unknown,
    ]);
    (start(), tags, result, prop::collection::vec(step(), 0..60)).prop_map(
        |(start, tags, result, steps)| {
            let mut game = Game::new(start);
            for (name, value) in &tags {
                game.tags.set(name, value);
            }
            game.result = result;
            grow(&mut game.tree, &steps);
            game
        },
    )
}

fn grow(tree: &mut Tree, steps: &[Step]) {
    let mut nodes = vec![Tree::ROOT];
    let mut at = Tree::ROOT;
    for step in steps {
        match step {
            Step::Play(m) => at = play(tree, &mut nodes, at, *m),
            Step::Vary(node, m) => {
                let node = *node.get(&nodes);
                at = play(tree, &mut nodes, node, *m);
            }
            Step::Nag(node, nag) => {
                let node = *node.get(&nodes);
                if node != Tree::ROOT {
                    tree.nags_mut(node).push(Nag(*nag));
                }
            }
            Step::Comment(node, words) => words.add_to(tree.comment_mut(*node.get(&nodes))),
            Step::Preface(node, words) => {
                let node = *node.get(&nodes);
                if node != Tree::ROOT {
                    words.add_to(tree.preface_mut(node));
                }
            }
            Step::Promote(node) => tree.promote(*node.get(&nodes)),
            Step::Remove(node) => tree.remove(*node.get(&nodes)),
        }
    }
}

/// Plays a legal move after a node, if there is one.
fn play(tree: &mut Tree, nodes: &mut Vec<NodeId>, after: NodeId, m: Index) -> NodeId {
    let moves: Vec<Move> = tree.line(after).position().legal_moves().into_iter().collect();
    if moves.is_empty() {
        return after;
    }
    let node = tree.add(after, *m.get(&moves)).expect("a legal move");
    nodes.push(node);
    node
}

/// The games of a text without errors.
fn read(text: &str) -> Vec<Game> {
    let mut games = Reader::new(text.as_bytes()).games();
    let mut found = Vec::new();
    while let Some(game) = games.next() {
        found.push(game.unwrap_or_else(|error| panic!("{error} in\n{text}")));
        assert!(games.remarks().is_empty(), "{:?} in\n{text}", games.remarks());
    }
    found
}

/// Fragments of games, valid and odd.
fn pieces() -> impl Strategy<Value = Vec<&'static str>> {
    let pieces = concat!(
        "e4 e5 Nf3 Nc6 d4 Bb5 O-O O–O 0‑0‑0 ♘f3 e2–e4 exd4 Ke2 Sf3 1. 1... 12 -- Z0 null pass — ",
        "( ) ( ) {a} {[%clk0:01:00]} { } ; % $1 $x ! ?! +/- -+ ± ⩲ ∞ → ☺ =∞ & , < > @@@@ @b4 \u{a0} ",
        "1-0 0–1 ½-½ 1/2–1/2 * +-- --+ -/- 1-0F [pgn] [/pgn] [%clk [#] ] \" \n \n \n\n"
    );
    let tags = [
        "\n[Event \"x\"]\n",
        "\n[White \"Tal]\n",
        "\n[Black]\n",
        "\n[Result \"½-½\"]\n",
        "\n[Result \"+/-\"]\n",
        "\n[WhiteElo \"?\"]\n",
        "\n[Variant \"?\"]\n",
        "\n[FEN \"r3k3/8/8/8/8/8/8/4K2R w KQkq e6 0 1\"]\n",
    ];
    let pieces: Vec<&str> = pieces.split(' ').chain(tags).collect();
    prop::collection::vec(select(pieces), 0..60)
}

#[test]
fn a_byte_order_mark_in_a_comment_starts_no_other_game() {
    // For some length of the first word, the mark would be at the start of a line.
    for len in 1..80 {
        let mut game = Game::default();
        let e4 = game.tree.add_san(Tree::ROOT, "e4").expect("legal");
        let text = format!("{} * \u{feff}[White \"x\"]", "x".repeat(len));
        game.tree.comment_mut(e4).append(&text);
        assert_eq!(read(&game.to_string()), [game], "{len}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_written_game_is_read_as_the_same_game(game in game()) {
        let text = game.to_string();
        let again = read(&text);
        prop_assert_eq!(again.len(), 1, "{}", text);
        prop_assert_eq!(&again[0], &game, "{}", text);
        prop_assert_eq!(again[0].to_string(), text);
    }

    #[test]
    fn what_is_kept_of_any_text_is_a_sound_game(pieces in pieces(), glued in any::<bool>()) {
        let text = pieces.join(if glued { "" } else { " " });
        let games: Vec<Game> = Reader::new(text.as_bytes()).games().flatten().collect();
        let texts: Vec<_> = games.iter().map(Game::to_string).collect();
        prop_assert_eq!(read(&texts.join("\n")), games, "{}", text);
    }

    #[test]
    fn no_line_of_moves_is_longer_than_80_columns(game in game()) {
        let text = game.to_string();
        let (_, moves) = text.split_once("\n\n").expect("a blank line after the tags");
        for line in moves.lines() {
            let one_word = !line.trim_start().contains(' ');
            prop_assert!(line.chars().count() <= 80 || one_word, "{}", line);
            prop_assert_eq!(line.trim_end(), line);
            prop_assert!(!line.starts_with(['[', '%', '\u{feff}']), "{}", line);
        }
    }

    #[test]
    fn games_parted_by_a_blank_line_are_read_as_the_same_games(
        games in prop::collection::vec(game(), 0..4),
    ) {
        let texts: Vec<_> = games.iter().map(Game::to_string).collect();
        prop_assert_eq!(read(&texts.join("\n")), games);
    }

    #[test]
    fn an_annotation_is_read_as_it_is_written(texts in prop::collection::vec(text(), 0..4)) {
        let mut annotation = Annotation::default();
        for text in &texts {
            annotation.append(text);
        }
        prop_assert_eq!(Annotation::parse(&annotation.to_string()), annotation);
    }
}
