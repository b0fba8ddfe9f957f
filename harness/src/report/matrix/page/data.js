// What the reports say, and every figure that is counted from it.

const data = JSON.parse(document.getElementById("data").textContent);

const AREAS = {
  resolve: "Following references",
  coerce: "Repairing arguments",
  restore: "Restoring names",
  sanitize: "Making schemas that providers take",
};

/** The mark tells a verdict where there is room for one character; no color has to. */
const VERDICTS = {
  pass: { mark: "✓", told: "an allowed answer" },
  fail: { mark: "F", told: "another answer, or a law broken" },
  refused: { mark: "R", told: "refused, where the right answer would validate" },
  error: { mark: "E", told: "another error answer, or no valid message" },
  crash: { mark: "C", told: "the program ended while it owed the answer" },
  timeout: { mark: "T", told: "no answer in time" },
  unsupported: { mark: "–", told: "not offered: counted, never passed" },
};

const BAD = ["fail", "refused", "error", "crash", "timeout"];
const LEVELS = ["must", "should", "policy"];

const clauses = new Map(data.clauses.map((clause) => [clause.id, clause]));
const policies = new Map(data.policies.map((policy) => [policy.id, policy]));

const implementations = data.implementations.map((about, n) => {
  const version = about.version ?? "";
  const label = version ? `${about.name} ${version}` : about.name;
  return { ...about, n, version, label, key: version ? `${about.name}@${version}` : about.name };
});
const byKey = new Map(implementations.map((one) => [one.key, one]));

const { cases } = data;
cases.forEach((one, n) => {
  const [area, topic, ...name] = one.id.split("/");
  Object.assign(one, { n, area, short: `${topic}/${name.join("/")}` });
});
const byId = new Map(cases.map((one) => [one.id, one]));
const laws = [...new Set(cases.flatMap((one) => one.outcomes.flatMap(lawsOf)))].sort();

const textOf = (id) => data.texts[id];
const specLink = (anchor) => `${data.repository}/blob/main/SPEC.md#${anchor}`;
const titleOf = (clause) => clauses.get(clause)?.title ?? clause;

/** What an implementation made of a case; nothing if it was not run. */
function outcomeOf(one, implementation) {
  return one.outcomes[one.by[implementation.n]];
}

/** The laws that an outcome breaks, each once. */
function lawsOf(outcome) {
  return outcome?.laws ? [...new Set(outcome.laws.map(([law]) => law))] : [];
}

/** The same number for outcomes that come to the same; -1 where nothing was judged. */
function classOf(one, implementation) {
  const at = one.by[implementation.n];
  const outcome = one.outcomes[at];
  if (!outcome || outcome.verdict === "unsupported") return -1;
  return outcome.like ?? at;
}

/** Counts what became of these cases. */
function tally(some, implementation) {
  const counts = { passed: 0, judged: 0, unsupported: 0, missing: 0, verdicts: {}, laws: {} };
  for (const one of some) {
    const outcome = outcomeOf(one, implementation);
    if (!outcome) {
      counts.missing++;
      continue;
    }
    const { verdict } = outcome;
    counts.verdicts[verdict] = (counts.verdicts[verdict] ?? 0) + 1;
    if (verdict === "unsupported") counts.unsupported++;
    else counts.judged++;
    if (verdict === "pass") counts.passed++;
    if (outcome.laws) for (const law of lawsOf(outcome)) counts.laws[law] = (counts.laws[law] ?? 0) + 1;
  }
  return counts;
}

/** Which options of a policy an implementation chose in these cases, all of which show it. */
function choiceOf(policy, some, implementation) {
  const counts = new Map();
  let judged = 0;
  let run = 0;
  for (const one of some) {
    const outcome = outcomeOf(one, implementation);
    if (!outcome) continue;
    run++;
    if (outcome.verdict !== "unsupported") judged++;
    if (outcome.option) counts.set(outcome.option, (counts.get(outcome.option) ?? 0) + 1);
  }
  const told = [...counts].map(([option, n]) => `${option} in ${counted(n, "case")}`).join(", ");
  if (counts.size > 1) return { mark: "±", kind: "mixed", told: `mixed: ${told}` };
  if (counts.size === 1) {
    const at = policy.options.findIndex((option) => counts.has(option.id));
    return { mark: "abcdefgh"[at] ?? "?", kind: `option${at}`, told };
  }
  if (judged > 0) return { mark: "×", kind: "neither", told: "none of the options" };
  if (run > 0) return { mark: "–", kind: "unsupported", told: "not offered" };
  return { mark: "", kind: "missing", told: "not run" };
}

/** What went wrong, in a few words. */
function gist(outcome) {
  if (!outcome) return "";
  const [difference] = outcome.differences ?? [];
  if (difference) {
    const [pointer, expected, actual] = difference.map(textOf);
    return `${pointer || "the whole answer"}: expected ${expected}, got ${actual}`;
  }
  if (outcome.message !== undefined) return textOf(outcome.message);
  const [breach] = outcome.laws ?? [];
  if (breach) return `${breach[0]} broken: ${textOf(breach[1])}`;
  return outcome.option ? `chose ${outcome.option}` : "";
}

function rerunOf(one, implementation) {
  return (implementation.reruns[one.n] ?? implementation.rerun).replaceAll("{case}", one.id);
}

/** What a search looks at. */
function searchable(one) {
  const sent = Object.values(one.sent).map(textOf).join(" ");
  one.searched ??= `${one.id} ${one.description} ${one.clause} ${one.policy ?? ""} ${sent}`.toLowerCase();
  return one.searched;
}
