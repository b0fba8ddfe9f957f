// Reports of implementations that do not exist, made of the real cases; the same on every machine.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";

const CORPUS = join(dirname(fileURLToPath(import.meta.url)), "../../../cases");
const json = (path) => JSON.parse(readFileSync(join(CORPUS, path), "utf8"));

export const EVIL = '</script><script>window.pwned = 1</script><img src=x onerror="window.pwned = 1">\u202e';

const AREAS = ["resolve", "coerce", "restore", "sanitize"];

/** The cases whose texts stand in their files; those that are built have none. */
export const corpus = AREAS.flatMap((area) =>
  readdirSync(join(CORPUS, area)).sort().flatMap((file) =>
    json(`${area}/${file}`).cases.filter((one) => !one.recipe).map((one) => ({ ...one, area })),
  ),
);

/** Implementations with habits of their own, for tests that know what to expect. */
export const FIELD = [
  { name: "right", version: "1.0.0", answer: right },
  { name: "keeper", version: "2.1.0", offers: ["coerce"], answer: keep },
  { name: "refuser", version: "0.3.0", offers: ["coerce"], answer: refuse },
  { name: "moody", version: "7.7.7", answer: moody(7, 0.5) },
  { name: `evil${EVIL}`, version: "6.6.6", answer: evil },
  { name: "half", version: "0.5.0", answer: right, cases: corpus.filter((_, at) => at % 2 === 0) },
];

/** So many implementations, each asked so many cases. */
export function crowd(count, most) {
  return Array.from({ length: count }, (_, n) => ({
    name: `implementation-${String(n).padStart(2, "0")}`,
    version: `${n % 7}.${n % 5}.0`,
    offers: n % 3 ? ["coerce"] : undefined,
    answer: moody(n + 1, (n % 10) / 12),
    cases: corpus.slice(0, most),
  }));
}

/** Writes a report of each into the folder. */
export function writeReports(folder, implementations) {
  mkdirSync(folder, { recursive: true });
  implementations.forEach((one, n) => {
    writeFileSync(join(folder, `${n}.json`), JSON.stringify(reportOf(one)));
  });
}

function reportOf({ name, version, offers = AREAS, answer, cases = corpus }) {
  return {
    format: 1,
    harness: { name: "callfit", version: "0.1.0" },
    corpus: { version: "2026.1", digest: "of-a-test" },
    implementation: { name, version, language: "none", homepage: null, methods: offers, features: [] },
    command: [name],
    started: "2026-11-30T12:00:00Z",
    duration_ms: 1000,
    strict: false,
    cut_short: null,
    summary: {
      conformant: false, judged: 0, verdicts: {}, failures: 0, should_misses: 0, expected_failures: 0,
      areas: {}, laws: {}, policies: {}, unsupported: {},
    },
    warnings: [],
    expectation_problems: [],
    cases: cases.map((one) => ({
      id: one.id, level: one.level, clause: one.clause, policy: one.policy ?? null, option: null,
      laws: [], message: null, description: one.description, sent: sentFor(one),
      expected: expectedOf(one).map(({ option, value }) => ({ option, value: JSON.stringify(value) })),
      actual: null, differences: [], stderr: "", duration_us: 100,
      rerun: `/some/where/callfit run --filter ${one.id} mine`, expected_failure: null,
      ...(offers.includes(one.area) ? answer(one) : { verdict: "unsupported" }),
    })),
  };
}

const subject = (one) => one.arguments ?? one.node ?? one.original;

function sentFor(one) {
  const sent = { schema: one.schema, arguments: one.arguments ?? one.original, node: one.node };
  const given = Object.entries(sent).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, JSON.stringify(value)]));
}

function expectedOf(one) {
  if (one.options) return Object.entries(one.options).map(([option, value]) => ({ option, value }));
  const first = one.expect ?? one.original;
  return [first, ...(one.also ?? [])].filter((value) => value !== undefined).map((value) => ({ option: null, value }));
}

function right(one) {
  const [best] = expectedOf(one);
  if (!best) return { verdict: "pass", actual: "{}" };
  return { verdict: "pass", option: best.option, actual: JSON.stringify(best.value) };
}

/** Changes nothing, which is right surprisingly often. */
function keep(one) {
  const kept = subject(one);
  const expected = expectedOf(one);
  const found = expected.find(({ value }) => isDeepStrictEqual(value, kept));
  const actual = JSON.stringify(kept, undefined, 1);
  if (found || expected.length === 0) return { verdict: "pass", option: found?.option ?? null, actual };
  return { verdict: "fail", actual, differences: differencesOf(expected[0].value, kept) };
}

function differencesOf(wanted, got) {
  const keys = Object.keys(Object(wanted)).filter((key) => !isDeepStrictEqual(wanted[key], Object(got)[key]));
  return keys.slice(0, 3).map((key) => ({
    pointer: `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`,
    expected: JSON.stringify(wanted[key]),
    actual: JSON.stringify(Object(got)[key]) ?? "nothing",
  }));
}

function refuse(one) {
  const kept = keep(one);
  return kept.verdict === "pass" ? kept : { verdict: "refused", message: `${one.id}: no` };
}

/** Goes wrong in every way there is, at random but always alike. */
function moody(seed, rate) {
  const random = randomOf(seed);
  return (one) => {
    if (random() >= rate) return pick(random, one);
    const way = random();
    if (way < 0.4) return keep(one);
    // What nobody else answers is told nowhere else on the page.
    if (way < 0.6) return { verdict: "fail", actual: JSON.stringify([subject(one) ?? null, seed, random()]) };
    if (way < 0.75) return { verdict: "error", message: `error -32603: at ${Math.floor(random() * 1e6)}`, stderr: "Traceback\n  line 1" };
    if (way < 0.8) return { verdict: "crash", message: "killed by signal 11" };
    if (way < 0.85) return { verdict: "timeout", message: "no answer within 5 s" };
    const law = ["exact", "idempotent", "transparent"][Math.floor(random() * 3)];
    return { ...right(one), verdict: "fail", laws: [{ law, message: "it was seen" }] };
  };
}

function pick(random, one) {
  const expected = expectedOf(one);
  const best = expected[Math.floor(random() * expected.length)];
  return best ? { verdict: "pass", option: best.option, actual: JSON.stringify(best.value) } : right(one);
}

function evil(one) {
  return {
    verdict: "error", actual: JSON.stringify(EVIL), message: EVIL, stderr: EVIL,
    differences: [{ pointer: `/${EVIL}`, expected: EVIL, actual: EVIL }],
    laws: [{ law: "exact", message: EVIL }],
    rerun: `callfit run --filter ${one.id} -- '${EVIL}'`,
  };
}

/** A small generator of numbers from 0 to 1 (a linear congruence), since Math.random cannot be seeded. */
function randomOf(seed) {
  let at = seed * 7919;
  return () => {
    at = (at * 1103515245 + 12345) % 2147483648;
    return at / 2147483648;
  };
}
