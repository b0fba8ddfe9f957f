// Speaks callfit's wire for the published ajv, called as its documentation says.

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { Ajv } = require("ajv");

// Stdout carries answers only.
console.log = console.error;

const ABOUT = {
  protocol: 1,
  implementation: {
    name: "ajv",
    version: require("ajv/package.json").version,
    language: "javascript",
    homepage: "https://ajv.js.org",
  },
  methods: ["coerce"],
  features: [],
};

/** What an agent sees as "this call is refused", as against a fault in the library. */
class Refusal extends Error {}

/** Compiled once a schema, as an agent does once a tool. */
const compiled = new Map();

/** An instance each, because in a shared one the `$id` of one schema collides with another's. */
function compile(schema) {
  const text = JSON.stringify(schema);
  if (!compiled.has(text)) {
    if (compiled.size >= 64) compiled.clear();
    try {
      compiled.set(text, new Ajv({ coerceTypes: true, strict: false }).compile(schema));
    } catch (error) {
      // Ajv says what is wrong with a schema by a plain error, or by the one of the pattern in it.
      if (error instanceof RangeError || error instanceof TypeError) throw error;
      throw new Refusal(error.message);
    }
  }
  return compiled.get(text);
}

const METHODS = {
  initialize: () => ABOUT,
  coerce({ schema, arguments: values }) {
    const validate = compile(schema);
    if (!validate(values)) {
      const { instancePath, message } = validate.errors[0];
      throw new Refusal(`${instancePath || "arguments"} ${message}`);
    }
    return { arguments: values };
  },
};

/** What would be written as `null`, and so invent a value, becomes an error instead. */
function onlyFinite(_key, value) {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  throw new RangeError(`${value} is no JSON number`);
}

function answer(line) {
  let head = { jsonrpc: "2.0", id: null };
  try {
    const { id, method, params } = JSON.parse(line);
    head.id = id;
    if (!Object.hasOwn(METHODS, method)) {
      return JSON.stringify({ ...head, error: { code: -32601, message: `no method ${method}` } });
    }
    return JSON.stringify({ ...head, result: METHODS[method](params) }, onlyFinite);
  } catch (error) {
    const [code, message] =
      error instanceof Refusal ? [1, error.message] : [-32603, `${error.name}: ${error.message}`];
    return JSON.stringify({ ...head, error: { code, message } });
  }
}

// Split by hand: readline would also end a line at U+2028, which may stand inside a JSON string.
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) process.stdout.write(answer(line) + "\n");
});
