//! The door between JavaScript and Rust: bytes through linear memory.
//!
//! JavaScript asks for `room`, writes a question there, and calls. Whatever Rust has to say, it
//! says through functions of the host while the call lasts: JavaScript copies it, and nobody has to free it. A
//! panic is told in words before it becomes a trap; after that the instance can't be used.

use std::cell::RefCell;

#[cfg(feature = "core")]
use crate::Core;
use crate::Trouble;
#[cfg(feature = "engine")]
use crate::{Searcher, World};

#[link(wasm_import_module = "host")]
#[expect(unsafe_code, reason = "the functions of the host")]
unsafe extern "C" {
    /// The answer to a call in JSON, and whether it is one; otherwise it is a [`Trouble`].
    safe fn answer(start: *const u8, len: usize, is_answer: bool);
    /// The lines of a search that goes on.
    #[cfg(feature = "engine")]
    safe fn report(start: *const u8, len: usize);
    /// What a panic says.
    safe fn panicked(start: *const u8, len: usize);
    /// Milliseconds on a clock that never goes back.
    #[cfg(feature = "engine")]
    safe fn now() -> f64;
    /// Whether the search should end.
    #[cfg(feature = "engine")]
    safe fn stopped() -> bool;
}

#[derive(Default)]
struct Door {
    /// What JavaScript writes: the name of the call and its question, or a file.
    room: Vec<u8>,
    #[cfg(feature = "core")]
    core: Core,
    #[cfg(feature = "engine")]
    searcher: Option<Searcher>,
}

thread_local! {
    static DOOR: RefCell<Door> = RefCell::default();
}

/// Room for this many bytes, until the next call.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a name that JavaScript can call")]
pub extern "C" fn room(len: usize) -> *mut u8 {
    DOOR.with_borrow_mut(|door| {
        door.room.clear();
        door.room.resize(len, 0);
        door.room.as_mut_ptr()
    })
}

/// To be called once, before everything else.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a name that JavaScript can call")]
pub extern "C" fn begin() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        panicked(text.as_ptr(), text.len());
    }));
}

/// Answers the call in the room, whose name is that many bytes long.
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a name that JavaScript can call")]
pub extern "C" fn call(name: usize) {
    DOOR.with_borrow_mut(|door| {
        let room = std::mem::take(&mut door.room);
        let (name, question) = room.split_at(name.min(room.len()));
        say(door.call(&String::from_utf8_lossy(name), question));
    });
}

fn say(said: Result<Vec<u8>, Trouble>) {
    match said {
        Ok(json) => answer(json.as_ptr(), json.len(), true),
        Err(trouble) => {
            let json = serde_json::to_vec(&trouble).unwrap_or_default();
            answer(json.as_ptr(), json.len(), false);
        }
    }
}

impl Door {
    #[cfg_attr(
        not(any(feature = "core", feature = "engine")),
        expect(clippy::unused_self, reason = "an empty module answers nothing")
    )]
    fn call(&mut self, name: &str, question: &[u8]) -> Result<Vec<u8>, Trouble> {
        #[cfg(feature = "engine")]
        if let Some(searcher) = &mut self.searcher {
            return searcher.call(name, question);
        }
        #[cfg(feature = "core")]
        return self.core.call(name, question);
        #[cfg(not(feature = "core"))]
        Err(Trouble::new(format!("there is no network for {name}: {} bytes", question.len())))
    }
}

/// Makes an engine with the network in the room. `seed` is that of its random choices.
#[cfg(feature = "engine")]
#[unsafe(no_mangle)]
#[expect(unsafe_code, reason = "a name that JavaScript can call")]
pub extern "C" fn load(seed: f64) {
    let world = World {
        now: || std::time::Duration::from_secs_f64(now() / 1000.0),
        stopped: || stopped(),
        report: |json| report(json.as_ptr(), json.len()),
    };
    DOOR.with_borrow_mut(|door| {
        let net = std::mem::take(&mut door.room);
        say(Searcher::new(&net, world, seed.to_bits()).and_then(|mut searcher| {
            let said = crate::calls::write(&searcher.about());
            door.searcher = Some(searcher);
            said
        }));
    });
}
