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
 * The JSON text of a value, with every digit of an `ExactNumber` or bigint, however deep it is: `JSON.stringify` overflows some thousand levels down, and the package would be blamed.
 *
 * NaN, Infinity and undefined in a list, of which `JSON.stringify` would make null, throw.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function textOf(value) {
  let text = "";
  /** @type {{ container: object, members: Iterator<{ before: string, value: any }>, end: string }[]} */
  const open = [{ container: {}, members: [{ before: "", value }].values(), end: "" }];
  const containers = new Set();
  while (open.length > 0) {
    const { container, members, end } = open[open.length - 1];
    const { done, value: member } = members.next();
    if (done) {
      text += end;
      containers.delete(container);
      open.pop();
    } else {
      const value = typeof member.value?.toJSON === "function" ? member.value.toJSON() : member.value;
      text += member.before;
      if (typeof value !== "object" || value === null || value instanceof ExactNumber) {
        text += textOfScalar(value);
      } else {
        if (containers.has(value)) throw new TypeError("a value that holds itself is no JSON value");
        containers.add(value);
        const isList = Array.isArray(value);
        text += isList ? "[" : "{";
        open.push({ container: value, members: isList ? items(value) : properties(value), end: isList ? "]" : "}" });
      }
    }
  }
  return text;
}

/** @typedef {keyof typeof METHODS} Method */

// What a method is called with, and under which name its result is sent.
const METHODS = {
  coerce: { takes: ["schema", "arguments"], gives: "arguments" },
  resolve: { takes: ["schema", "node"], gives: "node" },
  sanitize: { takes: ["schema"], gives: "schema" },
};

// Numbers that no double holds pass `JSON.parse` as text behind this mark.
const MARK = `${randomUUID()} `;

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

/** @param {unknown[]} list */
function* items(list) {
  for (const [at, value] of list.entries()) yield { before: at > 0 ? "," : "", value };
}

/** @param {object} object */
function* properties(object) {
  let before = "";
  for (const [name, value] of Object.entries(object)) {
    if (value === undefined) continue;
    yield { before: `${before}${JSON.stringify(name)}:`, value };
    before = ",";
  }
}

/** @param {unknown} value */
function textOfScalar(value) {
  if (value instanceof ExactNumber) return value.text;
  if (typeof value === "bigint") return String(value);
  if (value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value)) {
    return JSON.stringify(value);
  }
  throw new RangeError(`${String(value)} is no JSON value`);
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
