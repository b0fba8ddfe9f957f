// Speaks callfit's wire for the published ajv, called as its documentation says; the argument is the variant.

import { Refused, serve, versionOf } from "./callfit_kit.mjs";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

const VARIANTS = {
  ajv: () => new Ajv({ coerceTypes: true, strict: false }),
  "ajv-array": () => new Ajv({ coerceTypes: "array", strict: false }),
  "ajv-2020": () => new Ajv2020({ coerceTypes: true, strict: false }),
};

const name = process.argv[2];

/** Compiled once a schema, as an agent does once a tool. */
const compiled = new Map();

/** An instance each, because in a shared one the `$id` of one schema collides with another's. */
function compile(schema) {
  const text = JSON.stringify(schema);
  if (!compiled.has(text)) {
    if (compiled.size >= 64) compiled.clear();
    try {
      compiled.set(text, VARIANTS[name]().compile(schema));
    } catch (error) {
      // Ajv says what is wrong with a schema by a plain error, or by the one of the pattern in it.
      if (error instanceof RangeError || error instanceof TypeError) throw error;
      throw new Refused(error.message);
    }
  }
  return compiled.get(text);
}

serve({
  name,
  version: versionOf("ajv"),
  homepage: "https://ajv.js.org",
  coerce(schema, values) {
    const validate = compile(schema);
    if (validate(values)) return values;
    const { instancePath, message } = validate.errors[0];
    throw new Refused(`${instancePath || "arguments"} ${message}`);
  },
});
