// The state of the page, which is its address: what can be seen can be linked.

const VIEWS = { overview: "Overview", matrix: "Matrix", policies: "Policies", agreement: "Agreement" };

/** What is chosen once, and what can be chosen several times. */
const SINGLE = ["q", "level", "area", "clause", "policy", "verdict", "in", "law", "sort", "rows", "open"];
const SEVERAL = ["only", "apart"];
/** These choose cases. */
const FILTERS = ["q", "level", "area", "clause", "policy", "verdict", "in", "law", "apart"];

let state = read(location.hash);

/** `#/view/id?name=value`. What is unknown is left out, so that a mistyped link still opens. */
function read(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [view, ...rest] = path.split("/");
  const known = view in VIEWS || view === "case" || view === "implementation";
  const params = new URLSearchParams(query);
  const result = { view: known ? view : "overview", id: decoded(rest.join("/")) };
  for (const name of SINGLE) result[name] = params.get(name) ?? "";
  for (const name of SEVERAL) result[name] = params.getAll(name).filter((key) => byKey.has(key));
  if (result.apart.length !== 2) result.apart = [];
  return result;
}

/** The address of this state with some changes. */
function link(changes = {}) {
  const next = { ...state, ...changes };
  const params = new URLSearchParams();
  for (const name of SINGLE) if (next[name]) params.set(name, next[name]);
  for (const name of SEVERAL) for (const key of next[name]) params.append(name, key);
  // These characters mean nothing in a fragment, and are easier to read as they are.
  const query = params.toString().replace(/%(2F|3A|2C|40)/g, decodeURIComponent);
  const path = next.id ? `${next.view}/${encodeURIComponent(next.id).replaceAll("%2F", "/")}` : next.view;
  return query ? `#/${path}?${query}` : `#/${path}`;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const viewLink = (view, changes = {}) => link({ view, id: "", open: "", ...changes });
const caseLink = (one) => link({ view: "case", id: one.id });
const implementationLink = (one) => link({ view: "implementation", id: one.key });
const noFilters = () => Object.fromEntries(FILTERS.map((name) => [name, name === "apart" ? [] : ""]));
const isFiltered = () => FILTERS.some((name) => state[name].length > 0);

/** The implementations that are shown, in the order that is chosen. */
function shown() {
  const some = state.only.length ? state.only.map((key) => byKey.get(key)) : implementations;
  const { key, up } = order();
  const values = new Map(some.map((one) => [one, SORTS[key].of(one)]));
  const compare = (a, b) => (typeof a === "string" ? ALPHABET.compare(a, b) : a - b);
  const turn = up ? 1 : -1;
  return [...some].sort((a, b) => turn * compare(values.get(a), values.get(b)) || a.n - b.n);
}

const ALPHABET = new Intl.Collator("en");
const share = ({ passed, judged }) => (judged ? passed / judged : -1);
const countOf = (verdict) => (one) => tally(chosen(), one).verdicts[verdict] ?? 0;

/** By what implementations can be sorted. */
const SORTS = {
  must: { of: (one) => share(tally(chosenBy("level", "must"), one)) },
  should: { of: (one) => share(tally(chosenBy("level", "should"), one)) },
  name: { up: true, of: (one) => one.label },
  laws: { of: (one) => Object.keys(tally(chosen(), one).laws).length },
  ...Object.fromEntries(["fail", "refused", "error", "crash", "timeout", "unsupported"].map(
    (verdict) => [verdict, { of: countOf(verdict) }],
  )),
};

/** `sort=name`, or `sort=-name` the other way round. */
function order() {
  const name = state.sort.replace(/^-/, "");
  const key = name in SORTS ? name : "must";
  return { key, up: Boolean(SORTS[key].up) !== (state.sort.startsWith("-") && name === key) };
}

let known = { address: undefined, cases: [], groups: {} };

/** The cases that the filters leave. */
function chosen() {
  const address = JSON.stringify([...FILTERS, "only"].map((name) => state[name]));
  if (known.address !== address) known = { address, cases: cases.filter(filter()), groups: {} };
  return known.cases;
}

/** Those of them that have this level, or show this policy. */
function chosenBy(name, value) {
  const some = chosen();
  known.groups[name] ??= Map.groupBy(some, (one) => one[name]);
  return known.groups[name].get(value) ?? [];
}

function filter() {
  const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  const columns = state.only.length ? state.only.map((key) => byKey.get(key)) : implementations;
  const asked = byKey.has(state.in) ? [byKey.get(state.in)] : columns;
  const apart = state.apart.map((key) => byKey.get(key));
  return (one) =>
    (!state.level || one.level === state.level) &&
    (!state.area || one.area === state.area) &&
    (!state.clause || one.clause === state.clause) &&
    (!state.policy || one.policy === state.policy) &&
    (!state.law || asked.some((column) => lawsOf(outcomeOf(one, column)).includes(state.law))) &&
    (!state.verdict || hasVerdict(one, asked)) &&
    (!apart.length || differ(one, apart)) &&
    words.every((word) => searchable(one).includes(word));
}

/** What can be asked of the verdicts on a case beside a single one. */
const QUESTIONS = {
  bad: "wrong somewhere",
  nobody: "right nowhere",
  differ: "answered differently",
};

function hasVerdict(one, columns) {
  const verdicts = columns.map((column) => outcomeOf(one, column)?.verdict);
  const has = (some) => verdicts.some((verdict) => some.includes(verdict));
  if (state.verdict === "bad") return has(BAD);
  if (state.verdict === "nobody") return has(BAD) && !has(["pass"]);
  if (state.verdict === "differ") return differ(one, columns);
  return has([state.verdict]);
}

function differ(one, columns) {
  const classes = columns.map((column) => classOf(one, column)).filter((at) => at >= 0);
  return new Set(classes).size > 1;
}
