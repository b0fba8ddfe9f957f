// Speaks callfit's wire for the coercer of the published @orpc/json-schema, called as it is.

import { serve, versionOf } from "./callfit_kit.mjs";
import { JsonSchemaCoercer } from "@orpc/json-schema";

const coercer = new JsonSchemaCoercer();

/** The definitions, each under the text that a reference to it has: so the coercer looks them up. */
function componentsOf(schema) {
  const components = Object.create(null);
  for (const keyword of ["$defs", "definitions"]) {
    for (const [name, definition] of Object.entries(schema?.[keyword] ?? {})) {
      components[`#/${keyword}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`] = definition;
    }
  }
  return components;
}

serve({
  name: "orpc",
  version: versionOf("@orpc/json-schema"),
  homepage: "https://orpc.dev",
  coerce: (schema, values) => coercer.coerce(schema, values, { components: componentsOf(schema) }),
});
