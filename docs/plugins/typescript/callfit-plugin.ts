// A coercer in TypeScript behind callfit's wire, by the kit `callfit_kit.mjs` beside it.

import { ExactNumber, Refused, serve } from "./callfit_kit.mjs";

type Schema = { type?: unknown; properties?: Record<string, Schema> };
type Arguments = Record<string, unknown>;

/** Your coercer in place of this one, which knows integers and booleans at the top. */
function coerce(schema: Schema, values: unknown): Arguments {
  if (typeof values !== "object" || values === null || Array.isArray(values)) {
    throw new Refused("the arguments are no object");
  }
  const properties = Object(schema).properties;
  const own = (name: string) => (Object.hasOwn(Object(properties), name) ? properties[name] : {});
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, convert(own(name), value)]),
  );
}

function convert(schema: Schema, value: unknown): unknown {
  const wanted = Object(schema).type;
  if (typeof value === "string") {
    if (wanted === "integer" && /^-?(0|[1-9][0-9]*)$/.test(value)) return new ExactNumber(value);
    if (wanted === "boolean" && /^(true|false)$/.test(value)) return value === "true";
  }
  return value;
}

serve({
  name: "my-coercer",
  version: "1.0.0",
  homepage: "https://my-coercer.example",
  language: "typescript",
  exactNumbers: true,
  coerce,
});
