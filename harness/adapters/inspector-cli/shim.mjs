// Speaks callfit's wire for the published inspector-cli, whose client is given a server that only listens.

import { Unsupported, serve, versionOf } from "./callfit_kit.mjs";
import { callTool } from "@modelcontextprotocol/inspector-cli/build/client/tools.js";

serve({
  name: "inspector-cli",
  version: versionOf("@modelcontextprotocol/inspector-cli"),
  homepage: "https://github.com/modelcontextprotocol/inspector",
  async coerce(inputSchema, values) {
    // The command line, `--tool-arg name=value`, can say nothing but an object.
    if (typeof values !== "object" || values === null || Array.isArray(values)) {
      throw new Unsupported("arguments that are no object");
    }
    const client = {
      listTools: async () => ({ tools: [{ name: "tool", inputSchema }] }),
      callTool: async (request) => request.arguments,
    };
    return callTool(client, "tool", values);
  },
});
