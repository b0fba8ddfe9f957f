// Speaks callfit's wire for the published pi-schema, called as pi-ai of the same version calls it.

import { Refused, serve, versionOf } from "./callfit_kit.mjs";
import { compile } from "@earendil-works/pi-schema";
import { formats } from "@earendil-works/pi-schema/formats";

serve({
  name: "pi-schema",
  version: versionOf("@earendil-works/pi-schema"),
  homepage: "https://github.com/earendil-works/pi",
  coerce(schema, values) {
    const result = compile(schema, { formats, coerce: true, unresolvedRefs: "reject" }).parse(values);
    if (result.ok) return result.value;
    const { path, message } = result.errors[0];
    throw new Refused(`${path || "arguments"}: ${message}`);
  },
});
