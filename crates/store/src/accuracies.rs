//! The accuracies in a report, for lists of games.

use serde::Deserialize;

/// White's and Black's accuracy in a report. Databases disagree about which JSON they read, so it
/// is read here.
pub(crate) fn accuracies(report: Option<&str>) -> [Option<f64>; 2] {
    #[derive(Default, Deserialize)]
    struct Side {
        accuracy: Option<f64>,
    }
    #[derive(Default, Deserialize)]
    #[serde(default)]
    struct Sides {
        white: Side,
        black: Side,
    }
    let sides = report.and_then(|report| serde_json::from_str::<Sides>(report).ok());
    let Sides { white, black } = sides.unwrap_or_default();
    [white.accuracy, black.accuracy]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_report_has_no_accuracies() {
        let report =
            r#"{"white":{"accuracy":92.5,"labels":[1]},"black":{"accuracy":null},"moves":[]}"#;
        assert_eq!(accuracies(Some(report)), [Some(92.5), None]);
        for other in [None, Some("{}"), Some("\"text\""), Some("{"), Some("")] {
            assert_eq!(accuracies(other), [None, None], "{other:?}");
        }
    }
}
