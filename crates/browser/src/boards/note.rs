//! Comments, evaluations, clocks and drawings of a move.

use std::time::Duration;

use game::{Annotation, Arrow, Brush, Circle, Eval};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use wire::Score;

use crate::Trouble;

/// What is said and drawn about a move.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Note {
    /// The comment, without commands.
    pub text: String,
    /// The score written in the file (`%eval`), from White's point of view.
    pub score: Option<Score>,
    /// The depth of that score.
    pub depth: Option<u16>,
    /// The mover's time left (`%clk`), in milliseconds.
    pub clock: Option<u64>,
    /// The time spent on the move (`%emt`), in milliseconds.
    pub elapsed: Option<u64>,
    /// Arrows and circles (`%cal`, `%csl`).
    pub shapes: Vec<Shape>,
}

/// An arrow, or a circle if it has no other end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// The color.
    pub brush: BrushName,
    /// The marked square, or the start of the arrow.
    #[schema(example = "e2")]
    pub from: String,
    /// The end of the arrow.
    #[serde(default)]
    pub to: Option<String>,
}

/// A color to draw with.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Brush)]
pub enum BrushName {
    Green,
    Red,
    Yellow,
    Blue,
}

impl From<Brush> for BrushName {
    fn from(brush: Brush) -> Self {
        match brush {
            Brush::Green => Self::Green,
            Brush::Red => Self::Red,
            Brush::Yellow => Self::Yellow,
            Brush::Blue => Self::Blue,
        }
    }
}

impl From<BrushName> for Brush {
    fn from(name: BrushName) -> Self {
        match name {
            BrushName::Green => Self::Green,
            BrushName::Red => Self::Red,
            BrushName::Yellow => Self::Yellow,
            BrushName::Blue => Self::Blue,
        }
    }
}

impl From<&Annotation> for Note {
    fn from(annotation: &Annotation) -> Self {
        let millis = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let (score, depth) = match annotation.eval {
            None => (None, None),
            Some(Eval::Centipawns { value, depth }) => (Some(Score::Cp(value)), depth),
            Some(Eval::Mate { moves, depth }) => (Some(Score::Mate(moves)), depth),
        };
        let circles = annotation.circles.iter().map(|circle| Shape {
            brush: circle.brush.into(),
            from: circle.square.to_string(),
            to: None,
        });
        let arrows = annotation.arrows.iter().map(|arrow| Shape {
            brush: arrow.brush.into(),
            from: arrow.from.to_string(),
            to: Some(arrow.to.to_string()),
        });
        Self {
            text: annotation.text().to_owned(),
            score,
            depth,
            clock: annotation.clock.map(millis),
            elapsed: annotation.elapsed.map(millis),
            shapes: circles.chain(arrows).collect(),
        }
    }
}

/// Replaces the drawings of an annotation.
pub(super) fn draw(annotation: &mut Annotation, shapes: &[Shape]) -> Result<(), Trouble> {
    let square =
        |text: &str| text.parse().map_err(|_| Trouble::new(format!("{text} is no square")));
    let (mut circles, mut arrows) = (Vec::new(), Vec::new());
    for shape in shapes {
        let (brush, from) = (shape.brush.into(), square(&shape.from)?);
        match &shape.to {
            None => circles.push(Circle { brush, square: from }),
            Some(to) => arrows.push(Arrow { brush, from, to: square(to)? }),
        }
    }
    (annotation.circles, annotation.arrows) = (circles, arrows);
    Ok(())
}
