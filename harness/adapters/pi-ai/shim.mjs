// Speaks callfit's wire for the published pi-ai, whose agent checks each call by the function called here.

import { Refused, serve, versionOf } from "./callfit_kit.mjs";
import { validateToolArguments } from "@mariozechner/pi-ai";

serve({
  name: "pi-ai",
  version: versionOf("@mariozechner/pi-ai"),
  homepage: "https://github.com/badlogic/pi-mono",
  coerce(schema, values) {
    const tool = { name: "tool", description: "", parameters: schema };
    const call = { type: "toolCall", id: "1", name: "tool", arguments: values };
    try {
      return validateToolArguments(tool, call);
    } catch (error) {
      // Its refusals begin so, and end with the arguments, which the report shows anyway.
      const [refusal] = error.message.split("\n\nReceived arguments:");
      if (refusal.startsWith("Validation failed for tool")) throw new Refused(refusal);
      throw error;
    }
  },
});
