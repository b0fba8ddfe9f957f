// Speaks callfit's wire for the published fastify: a server with one route, asked without a network.

import { Refused, Unsupported, serve, textOf, versionOf } from "./callfit_kit.mjs";
import fastify from "fastify";

/** Servers that are ready, one a schema, as each tool has a route that stays. */
const servers = new Map();

/** A server whose route keeps the body as its handler gets it, or the error that came instead. */
async function serverOf(schema) {
  const text = JSON.stringify(schema);
  if (!servers.has(text)) {
    if (servers.size >= 64) servers.clear();
    const seen = {};
    const app = fastify();
    app.addHook("onError", async (_request, _reply, error) => void (seen.error = error));
    app.post("/", { schema: { body: schema } }, async (request) => {
      seen.body = request.body;
      return "";
    });
    await app.ready();
    servers.set(text, { app, seen });
  }
  return servers.get(text);
}

serve({
  name: "fastify",
  version: versionOf("fastify"),
  homepage: "https://fastify.dev",
  async coerce(schema, values) {
    const { app, seen } = await serverOf(schema);
    const headers = { "content-type": "application/json" };
    const { statusCode } = await app.inject({ method: "POST", url: "/", headers, payload: textOf(values) });
    if (statusCode === 200) return seen.body;
    const { error } = seen;
    // More than a body may be by default: nothing was said of the arguments.
    if (statusCode === 413) throw new Unsupported(error.message);
    // A message tells the errors of every branch of every union: it can have millions of letters.
    if (statusCode < 500) throw new Refused(error.message.slice(0, 1000));
    throw error;
  },
});
