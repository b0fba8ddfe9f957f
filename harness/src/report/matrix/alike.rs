//! What may stand side by side, and what comes to the same.

use callfit_reference::json::parse;

use crate::case::Area;
use crate::report::escape;
use crate::report::json::Case;
use crate::run::Verdict;

use super::tables::json;
use super::{MatrixError, Source};

/// Whether these reports may stand side by side. They are sorted by what they are of.
pub(super) fn check(sources: &[&Source]) -> Result<(), MatrixError> {
    for pair in sources.windows(2) {
        let [one, other] = pair else { continue };
        let paths = || (one.path.clone(), other.path.clone());
        let (its, theirs) = (&one.report.corpus.version, &other.report.corpus.version);
        if its != theirs {
            let ((one, other), its, theirs) = (paths(), its.clone(), theirs.clone());
            return Err(MatrixError::OtherCorpus { one, its, other, theirs });
        }
        let (about, its) = (&one.report.implementation, &other.report.implementation);
        if (&about.name, &about.version) == (&its.name, &its.version) {
            let version = about.version.as_deref().unwrap_or("(no version)");
            let name = escape::line(&format!("{} {version}", about.name), 200);
            let (one, other) = paths();
            return Err(MatrixError::SameTwice { name, one, other });
        }
    }
    Ok(())
}

/// Whether two reports mean the same by an id. What is sent in a round trip depends on the names that an implementation gives.
pub(super) fn same_case(one: &Case, other: &Case) -> bool {
    let sent_alike = Area::of_id(&one.id) == Some(Area::Restore) || one.sent == other.sent;
    sent_alike
        && (&one.clause, one.level, &one.policy) == (&other.clause, other.level, &other.policy)
        && one.expected == other.expected
}

/// Whether a caller would see no difference. Where any answer will do, none is made between answers.
pub(super) fn come_to_the_same(one: &Case, other: &Case) -> bool {
    let value =
        |case: &Case| case.actual.as_deref().map(|text| parse(text).map_err(|_| json(text)));
    let any_will_do = one.verdict == Verdict::Pass && one.expected.is_empty();
    (one.verdict, &one.option) == (other.verdict, &other.option)
        && (any_will_do || value(one) == value(other))
}
