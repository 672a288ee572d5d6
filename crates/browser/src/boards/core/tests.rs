//! Calls as a page makes them.

use serde_json::{Value, json};

use super::*;

#[expect(clippy::needless_pass_by_value, reason = "questions are written in place")]
fn ask(core: &mut Core, name: &str, question: Value) -> Value {
    let answer = core.call(name, question.to_string().as_bytes());
    let answer = answer.unwrap_or_else(|trouble| panic!("{name}: {}", trouble.text));
    serde_json::from_slice(&answer).expect("JSON")
}

/// The moves of a study, each with the index of its parent.
fn moves(view: &Value) -> Vec<String> {
    let nodes = view["nodes"].as_array().expect("nodes");
    nodes[1..].iter().map(|n| n["played"]["san"].as_str().expect("a move").to_owned()).collect()
}

#[test]
fn a_position_has_moves_and_an_error_has_a_code() {
    let mut core = Core::default();
    let start = ask(&mut core, "position", json!({}));
    assert_eq!(start["moves"].as_array().map(Vec::len), Some(20));
    let trouble =
        core.call("position", br#"{"fen":"8/8/8/8/8/8/8/K7 w - -"}"#).expect_err("no king");
    assert_eq!(trouble.fault.expect("a code").code, "no_king");
    let trouble = core.call("position", br#"{"moves":["e5"]}"#).expect_err("illegal");
    assert_eq!(trouble.fault.expect("a code").code, "illegal");
}

#[test]
fn a_board_that_is_set_up_may_be_illegal() {
    let mut core = Core::default();
    let allowed = ask(&mut core, "set_up", json!({ "board": "8/8/8/3pP3/8/8/8/R3K3 w" }));
    assert_eq!(allowed, json!({ "castling": "Q", "en_passant": ["d6"] }));
    let trouble = core.call("set_up", br#"{"board":"9/8 w"}"#).expect_err("no board");
    assert!(trouble.fault.is_some());
}

#[test]
fn a_position_after_an_automatic_draw_can_be_played_on() {
    let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(4);
    let drawn = ask(&mut Core::default(), "position", json!({ "moves": shuffle }));
    assert_eq!(drawn["outcome"]["ending"], "fivefold_repetition");
    assert_eq!(drawn["moves"].as_array().map(Vec::len), Some(20));
}

#[test]
fn a_study_is_edited_and_the_changes_are_undone() {
    let mut core = Core::default();
    let opened = ask(&mut core, "open", json!({ "moves": ["e4", "e5"] }));
    let study = &opened["study"];
    assert_eq!(moves(&opened["view"]), ["e4", "e5"]);
    assert_eq!(opened["view"]["nodes"][1]["opening"]["eco"], "B00");
    let played =
        ask(&mut core, "play", json!({ "study": study, "node": 1, "moves": ["c7c5", "Nf3"] }));
    assert_eq!(
        (moves(&played["view"]), &played["node"]),
        (["e4", "e5", "c5", "Nf3"].map(String::from).to_vec(), &json!(4))
    );
    let promoted = ask(&mut core, "promote", json!({ "study": study, "node": 4 }));
    assert_eq!(moves(&promoted["view"]), ["e4", "c5", "Nf3", "e5"]);
    let demoted = ask(&mut core, "demote", json!({ "study": study, "node": 4 }));
    assert_eq!(moves(&demoted["view"]), ["e4", "e5", "c5", "Nf3"]);
    ask(&mut core, "make_main", json!({ "study": study, "node": 4 }));
    let removed = ask(&mut core, "remove", json!({ "study": study, "node": 3 }));
    assert_eq!(
        (moves(&removed["view"]), &removed["node"]),
        (vec!["e4".into(), "e5".into()], &json!(1))
    );
    let undone = ask(&mut core, "undo", json!({ "study": study, "node": 1 }));
    assert_eq!(moves(&undone["view"]), ["e4", "c5", "Nf3", "e5"]);
    assert_eq!(undone["view"]["can_redo"], true);
    let redone = ask(&mut core, "redo", json!({ "study": study, "node": 4 }));
    assert_eq!(
        (moves(&redone["view"]), &redone["node"]),
        (vec!["e4".into(), "e5".into()], &json!(1))
    );
    assert!(
        core.call("look", json!({ "study": study, "node": 4 }).to_string().as_bytes()).is_err()
    );
    ask(&mut core, "close", json!({ "study": study }));
    assert!(core.call("view", json!({ "study": study }).to_string().as_bytes()).is_err());
}

#[test]
fn a_null_move_is_shown_like_a_move() {
    let mut core = Core::default();
    let pgn = "1. e4 e5 (1... -- 2. d4) 2. Nf3 *\n";
    let read = ask(&mut core, "read", json!({ "pgn": pgn }));
    let study = read["games"][0]["study"].clone();
    let view = ask(&mut core, "view", json!({ "study": study }));
    assert_eq!(moves(&view), ["e4", "e5", "Nf3", "--", "d4"]);
    let path = json!({ "study": study, "node": 0, "moves": ["e4", "0000", "d4"] });
    assert_eq!(ask(&mut core, "find", path)["node"], view["nodes"][5]["id"]);
    let written = ask(&mut core, "write", json!({ "study": study }));
    assert!(written["pgn"].as_str().is_some_and(|text| text.contains("(1... -- 2. d4)")));
}

#[test]
fn a_null_move_stays_in_a_variation() {
    let mut core = Core::default();
    let pgn = "1. e4 e5 (1... -- 2. d4) 2. Nf3 *\n";
    let study = ask(&mut core, "read", json!({ "pgn": pgn }))["games"][0]["study"].clone();
    let node = |view: &Value, san: &str| {
        let nodes = view["nodes"].as_array().expect("nodes").iter();
        nodes.clone().find(|node| node["played"]["san"] == san).expect("a move")["id"].clone()
    };
    let view = ask(&mut core, "view", json!({ "study": study }));
    for (call, san) in [("promote", "--"), ("make_main", "d4"), ("demote", "e5"), ("remove", "e5")]
    {
        let question = json!({ "study": study, "node": node(&view, san) });
        let refused = core.call(call, question.to_string().as_bytes());
        let trouble = refused.expect_err("it would be in the main line");
        assert!(trouble.text.contains("null move"), "{call}: {trouble:?}");
    }
    assert_eq!(ask(&mut core, "view", json!({ "study": study })), view);
}

#[test]
fn annotating_one_thing_leaves_the_others_alone() {
    let pgn = "[White \"A\"]\n\n1. e4 $1 $32 { [%eval 0.3,20] [%clk 0:05:00] [%csl Gd4] [%cal Ge2e4] good } \
        1... e5 ( { or } 1... c5 ) *\n";
    let mut core = Core::default();
    let read = ask(&mut core, "read", json!({ "pgn": pgn }));
    let study = &read["games"][0]["study"];
    let note = |view: &Value| view["nodes"][1]["note"].clone();
    let view = ask(&mut core, "view", json!({ "study": study }));
    assert_eq!(note(&view)["clock"], 300_000);
    assert_eq!(note(&view)["shapes"][1], json!({ "brush": "green", "from": "e2", "to": "e4" }));
    assert_eq!(view["nodes"][3]["before"]["text"], "or");
    let shapes = json!([{ "brush": "red", "from": "e5" }]);
    ask(
        &mut core,
        "annotate",
        json!({ "study": study, "node": 1, "text": "best", "shapes": shapes }),
    );
    let nags = ask(&mut core, "annotate", json!({ "study": study, "node": 1, "nags": [3] }));
    assert_eq!(nags["view"]["nodes"][1]["signs"], json!(["!!"]));
    let tags = json!([{ "name": "White", "value": "B" }]);
    ask(&mut core, "set_tags", json!({ "study": study, "tags": tags, "result": "1-0" }));
    let written = ask(&mut core, "write", json!({ "study": study }));
    let written = written["pgn"].as_str().expect("a text").replace('\n', " ");
    assert!(
        written.contains("1. e4 $3 { [%eval 0.30,20] [%clk 0:05:00] [%csl Re5] best }"),
        "{written}"
    );
    assert!(
        written.contains("({ or } 1... c5) 1-0") && written.contains("[White \"B\"]"),
        "{written}"
    );
    let line = ask(&mut core, "write_line", json!({ "study": study, "node": 3 }));
    assert!(line["pgn"].as_str().expect("a text").contains("1. e4 c5 *"), "{line}");
    let found =
        ask(&mut core, "find", json!({ "study": study, "node": 0, "moves": ["e4", "c5", "d4"] }));
    assert_eq!(found["node"], 3);
}

#[test]
fn a_game_is_played_saved_and_restored() {
    let mut core = Core::default();
    let new =
        json!({ "opponent": { "type": "engine", "level": 3 }, "side": "white", "time": "60+1" });
    let start =
        ask(&mut core, "start_game", json!({ "id": "g1", "game": new, "chance": 5, "now": 1000 }));
    let game = &start["game"];
    assert_eq!(start["messages"][0]["type"], "state");
    assert_eq!(
        (&start["think"], &start["messages"][0]["sides"]),
        (&Value::Null, &json!(["white"]))
    );
    let play = |ply: u32, m: &str, now: i64| json!({ "game": game, "message": { "type": "play", "id": 1, "ply": ply, "move": m }, "now": now });
    let told = ask(&mut core, "say", play(0, "e4", 2000));
    let kinds: Vec<_> =
        told["messages"].as_array().expect("a list").iter().map(|m| m["type"].clone()).collect();
    assert_eq!(kinds, ["played", "done"]);
    assert_eq!(told["think"]["ask"]["level"], 3);
    let refused = ask(&mut core, "say", play(1, "e5", 2100));
    assert_eq!(refused["messages"][0]["reason"], "not_your_turn");
    let moved =
        json!({ "game": game, "ply": 1, "move": "e7e5", "score": { "cp": 10 }, "now": 3000 });
    let moved = ask(&mut core, "engine_moved", moved);
    assert_eq!((&moved["messages"][0]["type"], &moved["think"]), (&json!("played"), &Value::Null));
    let late = json!({ "game": game, "ply": 1, "move": "e7e5", "now": 3000 });
    assert_eq!(ask(&mut core, "engine_moved", late)["messages"], json!([]));

    let saved = ask(&mut core, "save_game", json!({ "game": game }));
    let again = ask(&mut core, "restore_game", json!({ "saved": saved, "now": 4000 }));
    assert_eq!(again["messages"][0]["game"]["moves"].as_array().map(Vec::len), Some(2));
    let flag = again["deadline"].as_i64().expect("a clock runs");
    let over = ask(&mut core, "tick", json!({ "game": again["game"], "now": flag }));
    assert_eq!(over["messages"][0]["outcome"]["ending"], "time");
    let saved = ask(&mut core, "save_game", json!({ "game": again["game"] }));
    let finished = ask(&mut core, "restore_game", json!({ "saved": saved, "now": flag }));
    assert_eq!(finished["messages"][0]["game"]["status"], "finished");
    let pgn = ask(&mut core, "write_game", json!({ "game": finished["game"] }));
    let pgn = pgn["pgn"].as_str().expect("a text");
    assert!(pgn.contains("time forfeit") && pgn.contains("0-1") && pgn.contains("%clk"), "{pgn}");
}

#[test]
fn every_call_has_types() {
    let document = serde_json::to_value(crate::document()).expect("plain data");
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let text = document.to_string();
    for reference in text.split("#/components/schemas/").skip(1) {
        let name = reference.split('"').next().expect("a name");
        assert!(schemas.contains_key(name), "{name} is missing");
    }
    assert_eq!(schemas["CoreCalls"]["properties"]["look"]["answer"], Value::Null);
    assert!(schemas["CoreCalls"]["properties"]["look"]["properties"]["answer"]["$ref"].is_string());
}

#[test]
fn the_engine_agrees_to_a_rematch_and_so_do_two_at_one_board() {
    for opponent in
        [json!({ "type": "engine", "level": 3 }), json!({ "type": "here", "name": "Anna" })]
    {
        let mut core = Core::default();
        let new = json!({ "opponent": opponent, "side": "white" });
        let start = json!({ "id": "a", "game": new, "chance": 0, "now": 0 });
        let game = ask(&mut core, "start_game", start)["game"].clone();
        let mut say = |message: Value| {
            let told = ask(&mut core, "say", json!({ "game": game, "message": message, "now": 1 }));
            told["messages"].as_array().expect("a list").clone()
        };
        say(json!({ "type": "abort", "id": 1 }));
        let told = say(json!({ "type": "rematch", "id": 2 }));
        let types: Vec<_> = told.iter().map(|message| &message["type"]).collect();
        assert_eq!(types, ["rematch", "done"]);
    }
}
