/**
 * The author's kit for adapters in JavaScript and TypeScript: all of a plug-in but the call of the coercer.
 *
 * A whole adapter:
 *
 *     import { Refused, serve, versionOf } from "./callfit_kit.mjs";
 *     import { prepare } from "package";
 *
 *     serve({
 *       name: "package",
 *       version: versionOf("package"),
 *       homepage: "https://package.example",
 *       coerce(schema, values) {
 *         const { ok, result, reason } = prepare(schema, values);
 *         if (!ok) throw new Refused(reason);
 *         return result;
 *       },
 *     });
 *
 * Import it before the package. On import it gives the package a home of its own beside this file, and stderr for stdout, so that nothing the package keeps or prints gets in the way. It needs Node.js 18 and nothing else.
 */

import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";

/**
 * What is served. A method may be async; what it throws is the answer: `Refused` and `Unsupported` as they say, anything else as an error with its name and message.
 *
 * @typedef {object} Implementation
 * @property {string} name
 * @property {string} version
 * @property {string} homepage
 * @property {string} [language] `javascript`, if none is given.
 * @property {string[]} [features] What else it does, such as `restore-keys`.
 * @property {(schema: any, values: any) => unknown} coerce Returns the arguments.
 * @property {(schema: any, node: any) => unknown} [resolve] Returns the node.
 * @property {(schema: any) => unknown} [sanitize] Returns the schema.
 * @property {boolean} [exactNumbers] Numbers are read by `JSON.parse`, as agents do it: all are doubles. With this, one that no double holds is an `ExactNumber`.
 */

/** Where the package finds its home: settings, logs and caches stay in this folder. */
export const HOME = fileURLToPath(new URL("home", import.meta.url));

/** Thrown by a method: the call is refused, and the tool never runs. */
export class Refused extends Error {}

/** Thrown by a method: the implementation has no way to be asked this. */
export class Unsupported extends Error {}

/** A number that no double holds, by its text. */
export class ExactNumber {
  /** @param {string} text A JSON number. */
  constructor(text) {
    if (!decimal(text)) throw new TypeError(`${inspect(text)} is no JSON number`);
    this.text = text;
  }

  /** The nearest double, for arithmetic and comparison. */
  valueOf() {
    return Number(this.text);
  }

  toString() {
    return this.text;
  }
}

/**
 * Answers requests until stdin ends, one after another.
 *
 * @param {Implementation} implementation
 */
export function serve(implementation) {
  const { name, version, homepage, language = "javascript", features = [] } = implementation;
  const offered = Object.keys(METHODS).filter((method) => implementation[/** @type {Method} */ (method)]);
  const about = {
    protocol: 1,
    implementation: { name, version, language, homepage },
    methods: offered,
    features,
  };
  const read = implementation.exactNumbers ? readExactly : JSON.parse;
  let fail = (/** @type {unknown} */ _fault) => {};

  /** @param {{ method: string, params: any }} request */
  async function result({ method, params }) {
    if (method === "initialize") return about;
    if (!offered.includes(method)) throw new Unsupported(`no method ${method}`);
    const { takes, gives } = METHODS[/** @type {Method} */ (method)];
    const call = /** @type {(...values: unknown[]) => unknown} */ (implementation[/** @type {Method} */ (method)]);
    const value = await call.apply(implementation, takes.map((name) => params[name]));
    if (value === undefined) throw new TypeError(`${method} returned undefined`);
    return { [gives]: value };
  }

  /** @param {string} line */
  async function answer(line) {
    // Found without the reader, so that a request too deep for it still gets its answer.
    const identity = /"id"\s*:\s*(\d+)/.exec(line);
    let head = { jsonrpc: "2.0", id: identity && Number(identity[1]) };
    try {
      const request = read(line);
      head.id = request.id;
      // What the package throws from a timer or a forgotten promise is this request's fault too.
      const stray = new Promise((_, reject) => (fail = reject));
      return textOf({ ...head, result: await Promise.race([result(request), stray]) });
    } catch (fault) {
      return JSON.stringify({ ...head, error: errorOf(fault) });
    }
  }

  process.on("uncaughtException", (fault) => {
    console.error(fault);
    fail(fault);
  });

  // Split by hand: readline would also end a line at U+2028, which may stand inside a JSON string.
  /** @type {string[]} */
  let line = [];
  let queue = Promise.resolve();
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const [first, ...more] = String(chunk).split("\n");
    line.push(first);
    for (const next of more) {
      const text = line.join("");
      line = [next];
      if (text.trim()) queue = queue.then(async () => void writeAnswer((await answer(text)) + "\n"));
    }
  });
  // A package may keep timers or sockets open.
  process.stdin.on("end", () => queue.then(() => writeAnswer("", () => process.exit())));
}

/**
 * The version of a package that is installed beside this file.
 *
 * @param {string} name
 * @returns {string}
 */
export function versionOf(name) {
  const url = new URL(`node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(url, "utf8")).version;
}

/**
 * The JSON text of a value, with every digit of an `ExactNumber` or bigint. NaN, Infinity and what `JSON.stringify` would make null in a list are no JSON, and throw.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function textOf(value) {
  return JSON.stringify(value, writable).replace(WRITTEN, "$1");
}

/** @typedef {keyof typeof METHODS} Method */

// What a method is called with, and under which name its result is sent.
const METHODS = {
  coerce: { takes: ["schema", "arguments"], gives: "arguments" },
  resolve: { takes: ["schema", "node"], gives: "node" },
  sanitize: { takes: ["schema"], gives: "schema" },
};

// Numbers that no double holds pass `JSON.parse` and `JSON.stringify` as text behind this mark.
const MARK = `${randomUUID()} `;
const WRITTEN = new RegExp(`"${MARK}([-+.eE0-9]+)"`, "g");

/** @param {string} line */
function readExactly(line) {
  const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;
  const marked = line.replace(token, (text) =>
    text.startsWith('"') || decimal(text) === decimal(String(Number(text))) ? text : `"${MARK}${text}"`,
  );
  return JSON.parse(marked, (_key, value) =>
    typeof value === "string" && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value,
  );
}

/**
 * The same text for all texts of one number; none for what is no number.
 *
 * @param {string} text
 */
function decimal(text) {
  const parts = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(text);
  if (!parts) return undefined;
  const [, sign, whole, fraction = "", exponent = "0"] = parts;
  const digits = (whole + fraction).replace(/^0+/, "");
  let length = digits.length;
  while (digits[length - 1] === "0") length -= 1;
  if (length === 0) return "0";
  return `${sign}${digits.slice(0, length)}e${Number(exponent) - fraction.length + digits.length - length}`;
}

/**
 * @this {unknown}
 * @param {string} _key
 * @param {unknown} value
 */
function writable(_key, value) {
  if (value instanceof ExactNumber) return MARK + value.text;
  if (typeof value === "bigint") return `${MARK}${value}`;
  const lost = typeof value === "number" ? !Number.isFinite(value) : value === undefined && Array.isArray(this);
  if (lost) throw new RangeError(`${value} is no JSON value`);
  return value;
}

/** @param {unknown} fault */
function errorOf(fault) {
  if (fault instanceof Refused) return { code: 1, message: fault.message };
  if (fault instanceof Unsupported) return { code: -32601, message: fault.message };
  const message = fault instanceof Error ? `${fault.name}: ${fault.message}` : inspect(fault);
  return { code: -32603, message };
}

/** Gives the package a home and a stdout that are not the real ones; what comes back writes answers. */
function standApart() {
  for (const name of ["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA"]) process.env[name] = HOME;
  for (const name of ["CONFIG", "CACHE", "DATA", "STATE"]) process.env[`XDG_${name}_HOME`] = HOME;
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return write;
}

const writeAnswer = standApart();
