// What an author of an adapter sees of the kit: each test writes a shim and talks to it.
//
// node --test harness/adapters/kit

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const KIT = new URL("callfit_kit.mjs", import.meta.url);

/** Runs a shim over these lines; gives back its answers, what it said on stderr, and what it left. */
function run(shim, lines, prepare = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), "callfit-kit-"));
  try {
    copyFileSync(KIT, join(folder, "callfit_kit.mjs"));
    writeFileSync(join(folder, "shim.mjs"), `import * as kit from "./callfit_kit.mjs";\n${shim}`);
    prepare(folder);
    const input = lines.map((line) => `${line}\n`).join("");
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, "shim.mjs")], {
      input,
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    assert.equal(status, 0, stderr);
    return { answers: stdout.split("\n").slice(0, -1), stderr, kept: existsSync(join(folder, "home")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const request = (id, method, params) => `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;

/** The answers of a shim that has this `coerce`, to calls with these arguments: without their heads. */
function ask(coerce, calls, { before = "", options = "" } = {}) {
  const about = `name: "mine", version: "1", homepage: "https://mine.example"`;
  const shim = `${before}\nkit.serve({ ${about}, ${options} coerce: ${coerce} });`;
  const lines = calls.map((call, id) => request(id, "coerce", `{"schema":{},"arguments":${call}}`));
  return run(shim, lines).answers.map((answer, id) => {
    const head = `{"jsonrpc":"2.0","id":${id},`;
    assert.ok(answer.startsWith(head), answer.slice(0, 200));
    return answer.slice(head.length, -1);
  });
}

const ok = (values) => `"result":{"arguments":${values}}`;
const error = (code, message) => `"error":${JSON.stringify({ code, message })}`;
const same = "(_schema, values) => values";

test("a shim is introduced by what it has", () => {
  const about = `name: "mine", version: kit.versionOf("@mine/package"), homepage: "https://mine.example"`;
  const shim = `kit.serve({ ${about}, features: ["restore-keys"], coerce() {}, sanitize: (schema) => [schema] });`;
  const lines = [
    request(0, "initialize", `{"protocol":1}`),
    request(1, "sanitize", `{"schema":true}`),
    request(2, "resolve", `{"schema":{},"node":{}}`),
    request(3, "constructor", `{}`),
    request(4, "coerce", `{"schema":{},"arguments":{}}`),
  ];
  const { answers } = run(shim, lines, (folder) => {
    mkdirSync(join(folder, "node_modules/@mine/package"), { recursive: true });
    writeFileSync(join(folder, "node_modules/@mine/package/package.json"), `{"version":"1.2.3"}`);
  });
  assert.deepEqual(answers.map((answer) => JSON.parse(answer)), [
    {
      jsonrpc: "2.0",
      id: 0,
      result: {
        protocol: 1,
        implementation: {
          name: "mine",
          version: "1.2.3",
          language: "javascript",
          homepage: "https://mine.example",
        },
        methods: ["coerce", "sanitize"],
        features: ["restore-keys"],
      },
    },
    { jsonrpc: "2.0", id: 1, result: { schema: [true] } },
    { jsonrpc: "2.0", id: 2, error: { code: -32601, message: "no method resolve" } },
    { jsonrpc: "2.0", id: 3, error: { code: -32601, message: "no method constructor" } },
    { jsonrpc: "2.0", id: 4, error: { code: -32603, message: "TypeError: coerce returned undefined" } },
  ]);
});

test("what is thrown is the answer, and the next request gets its own", () => {
  const coerce = `(_schema, { what, say }) => {
    if (what === "refused") throw new kit.Refused(say);
    if (what === "unsupported") throw new kit.Unsupported(say);
    if (what === "error") throw new TypeError(say);
    if (what === "text") throw say;
    return what;
  }`;
  const calls = ["refused", "unsupported", "error", "text"].map((what) => `{"what":"${what}","say":"no \u2028"}`);
  assert.deepEqual(ask(coerce, [...calls, `{"what":5}`]), [
    error(1, "no \u2028"),
    error(-32601, "no \u2028"),
    error(-32603, "TypeError: no \u2028"),
    error(-32603, "'no \u2028'"),
    ok("5"),
  ]);
});

test("what the package prints is on stderr", () => {
  const before = `console.log("loaded"); process.stdout.write("no newline");`;
  const about = `name: "mine", version: "1", homepage: "https://mine.example"`;
  const shim = `${before}\nkit.serve({ ${about}, coerce(_, values) { console.info("asked"); return values; } });`;
  const { answers, stderr, kept } = run(shim, [request(0, "coerce", `{"schema":{},"arguments":{}}`)]);
  assert.deepEqual(answers, [`{"jsonrpc":"2.0","id":0,${ok("{}")}}`]);
  assert.equal(stderr, "loaded\nno newlineasked\n");
  assert.ok(!kept, "the home is made by who needs one");
});

test("the home is beside the kit", () => {
  const coerce = `() => [kit.HOME, homedir(), process.env.XDG_CACHE_HOME]`;
  const [answer] = ask(coerce, ["{}"], { before: `import { homedir } from "node:os";` });
  const [home, ...others] = JSON.parse(`{${answer}}`).result.arguments;
  assert.match(home, /callfit-kit-\w+[\\/]home$/);
  assert.deepEqual(others, [home, home]);
});

test("a stack that overflows is an error, and the next request gets its answer", () => {
  const coerce = `function again(schema, values) { return values.deep ? again(schema, values) + 1 : values; }`;
  assert.deepEqual(ask(coerce, [`{"deep":true}`, "1"]), [
    error(-32603, "RangeError: Maximum call stack size exceeded"),
    ok("1"),
  ]);
});

test("arguments 100,000 deep come back", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  assert.deepEqual(ask(same, [deep, "1"]), [ok(deep), ok("1")]);
});

test("a request too deep for the reader gets an answer with its own id", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  assert.deepEqual(ask(same, [deep, "1"], { options: "exactNumbers: true," }), [
    error(-32603, "RangeError: Maximum call stack size exceeded"),
    ok("1"),
  ]);
});

test("what is no JSON is an error", () => {
  const about = `name: "mine", version: "1", homepage: "https://mine.example"`;
  const lines = [`{"jsonrpc":"2.0","id":7,"method":`, "", "nothing"];
  const { answers } = run(`kit.serve({ ${about}, coerce: ${same} });`, lines);
  const [first, second, ...none] = answers.map((answer) => JSON.parse(answer));
  assert.deepEqual([first.id, second.id, none], [7, null, []]);
  assert.match(first.error.message, /^SyntaxError: /);
  assert.match(second.error.message, /^SyntaxError: /);
});

test("what JSON cannot say is an error, not null", () => {
  const coerce = `(_schema, at) => {
    const round = [];
    round.push({ round });
    return [{ a: NaN }, [-Infinity], [undefined], { a: () => 1 }, round, { a: undefined, b: [{}, {}] }, -0, new Date(0)][at];
  }`;
  assert.deepEqual(ask(coerce, ["0", "1", "2", "3", "4", "5", "6", "7"]), [
    error(-32603, "RangeError: NaN is no JSON value"),
    error(-32603, "RangeError: -Infinity is no JSON value"),
    error(-32603, "RangeError: undefined is no JSON value"),
    error(-32603, "RangeError: () => 1 is no JSON value"),
    error(-32603, "TypeError: a value that holds itself is no JSON value"),
    ok(`{"b":[{},{}]}`),
    ok("0"),
    ok(`"1970-01-01T00:00:00.000Z"`),
  ]);
});

test("numbers are doubles, or exact on request", () => {
  const numbers = [
    "9007199254740993",
    "-123456789012345678901234567890",
    "0.1000000000000000055511151231257827",
    "1e400",
    "-1E-400",
    `{"a":[1e400,{"b":"1e400 \\"1e400"}],"1e400":2}`,
  ];
  assert.deepEqual(ask(same, numbers.slice(0, 1)), [ok("9007199254740992")]);
  assert.deepEqual(ask(same, numbers, { options: "exactNumbers: true," }), numbers.map(ok));
});

test("a number that a double holds is an ordinary one", () => {
  const numbers = ["0", "-0", "0.0", "5", "1.0", "1.50", "1e3", "0.1", "9007199254740992", "1e21", "5e-324", "100e-2"];
  const coerce = `(_schema, values) => values.map((value) => typeof value)`;
  const [answer] = ask(coerce, [`[${numbers}]`], { options: "exactNumbers: true," });
  assert.equal(answer, ok(JSON.stringify(numbers.map(() => "number"))));
});

test("an exact number can be made, compared and asked for its text", () => {
  const coerce = `(_schema, big) => [
    big.text, \`\${big}\`, big > 5, 2n ** 64n, new kit.ExactNumber("1.10"), kit.textOf({ big })
  ]`;
  assert.deepEqual(ask(coerce, ["12345678901234567890"], { options: "exactNumbers: true," }), [
    ok(`["12345678901234567890","12345678901234567890",true,18446744073709551616,1.10,"{\\"big\\":12345678901234567890}"]`),
  ]);
  assert.deepEqual(ask(`() => new kit.ExactNumber("NaN")`, ["{}"]), [
    error(-32603, "TypeError: 'NaN' is no JSON number"),
  ]);
});

test("a long text full of escapes is read exactly too", () => {
  const text = `["${"\\n1".repeat(2_000_000)}",1e400]`;
  assert.deepEqual(ask(same, [text], { options: "exactNumbers: true," }), [ok(text)]);
});

test("a coercer may be async, and answers keep their order", () => {
  const coerce = `async (_schema, { wait }) => {
    await new Promise((done) => setTimeout(done, wait));
    if (wait === 1) throw new kit.Refused("no");
    return wait;
  }`;
  const calls = [`{"wait":20}`, `{"wait":1}`, `{"wait":0}`];
  assert.deepEqual(ask(coerce, calls), [ok("20"), error(1, "no"), ok("0")]);
});

test("what is thrown behind the coercer's back is an error of the request that waits", () => {
  const coerce = `(_schema, how) => {
    if (how === "timer") return new Promise(() => setTimeout(() => { throw new Error("late"); }));
    if (how === "promise") return new Promise(() => { Promise.reject(new Error("forgotten")); });
    return how;
  }`;
  assert.deepEqual(ask(coerce, [`"timer"`, `"promise"`, "1"]), [
    error(-32603, "Error: late"),
    error(-32603, "Error: forgotten"),
    ok("1"),
  ]);
});

test("U+2028, a lone surrogate and __proto__ come back as they came", () => {
  const values = `{"a\u2028":"\u2028\u2029\u0085","b":"\\ud800","__proto__":{"c":"\u{1f600}"}}`;
  for (const options of ["", "exactNumbers: true,"]) {
    assert.deepEqual(ask(same, [values], { options }), [ok(values)]);
  }
});

test("the end of stdin ends a package that keeps a timer", () => {
  assert.deepEqual(ask(same, ["1"], { before: "setInterval(() => {}, 1000);" }), [ok("1")]);
});
