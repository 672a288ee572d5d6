//! The embedded network.

use std::sync::{Arc, LazyLock};

use nnue::Net;

static BYTES: &[u8] = include_bytes!("../../../nets/riga.net");

/// Parsed once, shared by all engines of the process.
static EMBEDDED: LazyLock<Arc<Net>> = LazyLock::new(|| {
    Arc::new(Net::from_bytes(BYTES).expect("a test reads the network in the binary"))
});

/// The checksum of the embedded network, read from its header.
pub const fn embedded_net_checksum() -> u32 {
    u32::from_le_bytes([BYTES[60], BYTES[61], BYTES[62], BYTES[63]])
}

/// The embedded network.
pub fn embedded_net() -> Arc<Net> {
    Arc::clone(&EMBEDDED)
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::*;

    #[test]
    fn the_net_in_the_binary_can_tell_a_queen_from_a_pawn() {
        let net = embedded_net();
        assert!(!net.about().is_empty());
        assert_eq!(net.checksum(), embedded_net_checksum());
        assert!(net.evaluate(&Position::default()).abs() < 100);
        for (fen, least) in [
            ("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 400),
            ("rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 40),
        ] {
            let position: Position = fen.parse().expect("legal");
            assert!(net.evaluate(&position) > least, "{fen}: {}", net.evaluate(&position));
        }
    }
}
