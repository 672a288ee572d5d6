//! The names of the weights: which entry of the table means what.

use super::Tapered;

/// Every weight of the evaluation, in the order of [`TERMS`].
pub type Weights = [Tapered; COUNT];

/// A named range of weights.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// Its name, as in the code.
    pub name: &'static str,
    /// The row of the explanation it belongs to.
    pub group: Group,
    /// The index of its first entry in the table.
    pub start: usize,
    /// Number of entries.
    pub len: usize,
}

impl Term {
    /// The index of one of its weights in the table.
    #[inline]
    pub const fn at(self, index: usize) -> usize {
        debug_assert!(index < self.len);
        self.start + index
    }

    /// The indices of its weights in the table.
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start..self.start + self.len
    }
}

/// A row of the explanation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// The value of the pieces.
    Material,
    /// Piece-square tables.
    Squares,
    /// How many safe squares they reach.
    Mobility,
    /// Doubled, isolated, backward, connected pawns.
    Pawns,
    /// Passed pawns.
    Passed,
    /// Outposts, open files, bad bishops and the like.
    Pieces,
    /// Pawns in front of the king, ours and theirs.
    Shelter,
    /// Attacks on the king.
    Danger,
    /// Attacked and hanging pieces.
    Threats,
    /// Safe space behind the pawns.
    Space,
    /// The side to move.
    Tempo,
    /// How hard the endgame is to hold for the worse side.
    Complexity,
}

impl Group {
    /// All rows, in display order.
    pub const ALL: [Self; 12] = [
        Self::Material,
        Self::Squares,
        Self::Mobility,
        Self::Pawns,
        Self::Passed,
        Self::Pieces,
        Self::Shelter,
        Self::Danger,
        Self::Threats,
        Self::Space,
        Self::Tempo,
        Self::Complexity,
    ];

    /// Its display name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Material => "Material",
            Self::Squares => "Squares",
            Self::Mobility => "Mobility",
            Self::Pawns => "Pawns",
            Self::Passed => "Passed pawns",
            Self::Pieces => "Pieces",
            Self::Shelter => "King shelter",
            Self::Danger => "King danger",
            Self::Threats => "Threats",
            Self::Space => "Space",
            Self::Tempo => "Tempo",
            Self::Complexity => "Complexity",
        }
    }
}

macro_rules! terms {
    ($($(#[$doc:meta])* $name:ident: $group:ident, $len:expr;)*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "named like the constants")]
        #[derive(Copy, Clone)]
        enum Order { $($name,)* End }

        const LENGTHS: [usize; Order::End as usize] = [$($len),*];

        const fn start_of(order: Order) -> usize {
            let mut start = 0;
            let mut i = 0;
            while i < order as usize {
                start += LENGTHS[i];
                i += 1;
            }
            start
        }

        $($(#[$doc])* pub const $name: Term = Term {
            name: stringify!($name),
            group: Group::$group,
            start: start_of(Order::$name),
            len: $len,
        };)*

        /// Number of weights.
        pub const COUNT: usize = start_of(Order::End);

        /// Every range of weights, in the order of the table.
        pub const TERMS: [Term; Order::End as usize] = [$($name),*];
    };
}

terms! {
    /// Pawn, knight, bishop, rook, queen.
    MATERIAL: Material, 5;
    /// Bishops on both colors of square.
    BISHOP_PAIR: Material, 1;
    /// For each knight and each own pawn beyond five.
    KNIGHT_PAWNS: Material, 1;
    /// For each rook and each own pawn beyond five.
    ROOK_PAWNS: Material, 1;

    /// By square from the owner's point of view, a1 first.
    PAWN_SQUARES: Squares, 64;
    /// By square from the owner's point of view, a1 first.
    KNIGHT_SQUARES: Squares, 64;
    /// By square from the owner's point of view, a1 first.
    BISHOP_SQUARES: Squares, 64;
    /// By square from the owner's point of view, a1 first.
    ROOK_SQUARES: Squares, 64;
    /// By square from the owner's point of view, a1 first.
    QUEEN_SQUARES: Squares, 64;
    /// By square from the owner's point of view, a1 first.
    KING_SQUARES: Squares, 64;

    /// By the number of safe squares it reaches.
    KNIGHT_MOBILITY: Mobility, 9;
    /// By the number of safe squares it reaches.
    BISHOP_MOBILITY: Mobility, 14;
    /// By the number of safe squares it reaches.
    ROOK_MOBILITY: Mobility, 15;
    /// By the number of safe squares it reaches.
    QUEEN_MOBILITY: Mobility, 28;

    /// A pawn with an own pawn ahead on its file: not defended by a pawn, defended.
    DOUBLED: Pawns, 2;
    /// No own pawn on the adjacent files: file open ahead, an enemy pawn ahead.
    ISOLATED: Pawns, 2;
    /// Left behind and unable to advance safely: file open ahead, an enemy pawn ahead.
    BACKWARD: Pawns, 2;
    /// Attacked by two pawns and defended by none.
    WEAK_LEVER: Pawns, 1;
    /// Blocked by an enemy pawn on its fifth, sixth rank.
    RAMMED: Pawns, 2;
    /// An own pawn beside it: by rank, first with the file open ahead, then opposed.
    PHALANX: Pawns, 16;
    /// For each own pawn that defends it, by rank.
    SUPPORTED: Pawns, 8;
    /// Not passed yet, but its supporters outnumber the pawns that stop it; by rank.
    CANDIDATE: Pawns, 8;

    /// No enemy pawn can stop it; by rank.
    PASSED: Passed, 8;
    /// An enemy piece is in front of it; by rank.
    PASSED_BLOCKED: Passed, 8;
    /// The square in front is empty and not attacked; by rank.
    PASSED_SAFE_STOP: Passed, 8;
    /// All squares in front are empty and not attacked; by rank.
    PASSED_SAFE_PATH: Passed, 8;
    /// Per king move (at most five) from our king to the square in front; by rank.
    PASSED_OWN_KING: Passed, 8;
    /// Per king move (at most five) from their king to the square in front; by rank.
    PASSED_ENEMY_KING: Passed, 8;
    /// Defended by a pawn or beside one; by rank.
    PASSED_SUPPORTED: Passed, 8;
    /// A rook or queen behind it on the file: ours, theirs.
    ROOK_BEHIND_PASSED: Passed, 2;
    /// The opponent has only king and pawns, and the king comes too late.
    UNSTOPPABLE: Passed, 1;

    /// A piece that no enemy pawn can drive away, on the fourth to sixth rank: knight, knight
    /// defended by a pawn, bishop, bishop defended by a pawn.
    OUTPOST: Pieces, 4;
    /// It can go to a defended outpost: knight, bishop.
    REACHABLE_OUTPOST: Pieces, 2;
    /// A pawn of either color directly in front: knight, bishop.
    BEHIND_PAWN: Pieces, 2;
    /// Per king move of distance to its own king: knight, bishop.
    KING_PROTECTOR: Pieces, 2;
    /// Per own pawn on squares of the bishop's color: any, and again if it is blocked.
    BAD_BISHOP: Pieces, 2;
    /// It sees two center squares with only pawns in between.
    LONG_DIAGONAL: Pieces, 1;
    /// A rook on a file without own pawns: enemy pawns there, none.
    ROOK_FILE: Pieces, 2;
    /// A rook on the seventh, with a king on the eighth or pawns on the seventh.
    ROOK_ON_SEVENTH: Pieces, 1;
    /// A rook on a file with a queen.
    ROOK_ON_QUEEN_FILE: Pieces, 1;
    /// A rook trapped by its own king: the king may castle, it may not.
    TRAPPED_ROOK: Pieces, 2;
    /// Per knight and bishop on the back rank while the opponent has a queen.
    DEVELOPMENT: Pieces, 1;
    /// One piece away from a discovered attack by a bishop or rook.
    QUEEN_EXPOSED: Pieces, 1;
    /// A queen beyond the fourth rank that no pawn can drive away.
    QUEEN_INFILTRATION: Pieces, 1;

    /// The rearmost own pawn ahead of the king on the three files near it: by distance of the
    /// file from the edge, then by rank, 0 for no pawn.
    SHELTER: Shelter, 32;
    /// The foremost enemy pawn on the same files, by distance from the edge and rank.
    STORM: Shelter, 32;
    /// The same if our pawn blocks it, by rank.
    STORM_BLOCKED: Shelter, 8;
    /// The king's own file: no pawn, no own pawn, no enemy pawn, pawns of both.
    KING_FILE: Shelter, 4;
    /// No pawn on the king's wing.
    PAWNLESS_FLANK: Shelter, 1;
    /// Per king move of distance to the nearest own pawn.
    KING_PAWN_DISTANCE: Shelter, 1;
    /// For each side it may still castle to.
    CASTLING: Shelter, 1;

    /// If any piece attacks the king's ring.
    DANGER_BASE: Danger, 1;
    /// For each knight, bishop, rook, queen that attacks the ring.
    DANGER_ATTACKER: Danger, 4;
    /// By the number of such attackers.
    DANGER_ATTACKERS: Danger, 8;
    /// For each attack on a square beside the king.
    DANGER_ADJACENT: Danger, 1;
    /// For each badly defended square of the ring.
    DANGER_WEAK: Danger, 1;
    /// For each square of the ring attacked by a pawn.
    DANGER_PAWN: Danger, 1;
    /// A safe check by knight, by knight from several squares, and so on to the queen.
    DANGER_SAFE_CHECK: Danger, 8;
    /// Per checking square on which the checker can be captured.
    DANGER_UNSAFE_CHECK: Danger, 1;
    /// Per piece that alone blocks a slider's line to the king.
    DANGER_BLOCKER: Danger, 1;
    /// The attacker has no queen.
    DANGER_NO_QUEEN: Danger, 1;
    /// A knight of ours guards a square beside the king.
    DANGER_KNIGHT_DEFENDER: Danger, 1;
    /// For each attack on the king's wing.
    DANGER_FLANK_ATTACK: Danger, 1;
    /// For each defended square on the king's wing.
    DANGER_FLANK_DEFENSE: Danger, 1;
    /// For each of the three files near the king without an own pawn.
    DANGER_OPEN_FILE: Danger, 1;
    /// For each own pawn on the two ranks in front of the king.
    DANGER_SHIELD: Danger, 1;

    /// A pawn attacks a knight, bishop, rook, queen.
    PAWN_THREAT: Threats, 4;
    /// A knight or bishop attacks a weak pawn or any knight, bishop, rook, queen.
    MINOR_THREAT: Threats, 5;
    /// A rook attacks a weak pawn, knight, bishop, rook, or a queen.
    ROOK_THREAT: Threats, 5;
    /// For each weak piece the king attacks.
    KING_THREAT: Threats, 1;
    /// Per piece that can be captured for free.
    HANGING: Threats, 1;
    /// Per piece that a safe pawn push would attack.
    PUSH_THREAT: Threats, 1;
    /// For each square they attack that we contest.
    RESTRICTED: Threats, 1;
    /// For each safe knight move that would attack the queen.
    KNIGHT_ON_QUEEN: Threats, 1;
    /// For each safe move of a bishop or rook that would attack the queen.
    SLIDER_ON_QUEEN: Threats, 1;

    /// For each safe square behind and among our center pawns, more with many pieces.
    SPACE: Space, 1;
    /// It is our move.
    TEMPO: Tempo, 1;

    /// Always.
    COMPLEXITY_BASE: Complexity, 1;
    /// For each pawn.
    COMPLEXITY_PAWNS: Complexity, 1;
    /// Pawns on both wings.
    COMPLEXITY_FLANKS: Complexity, 1;
    /// Only kings and pawns are left.
    COMPLEXITY_PAWN_ENDING: Complexity, 1;
    /// For each passed pawn.
    COMPLEXITY_PASSED: Complexity, 1;
}
