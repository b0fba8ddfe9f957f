// A whole callfit plug-in: makes integers of top-level text like "5".

/** @param {{ schema: any, arguments: Record<string, unknown> }} call */
function coerce({ schema, arguments: values }) {
  for (const [name, value] of Object.entries(values)) {
    const { type } = Object(schema.properties?.[name]);
    if (type === "integer" && typeof value === "string" && /^-?(0|[1-9][0-9]*)$/.test(value)) {
      if (Number.isSafeInteger(Number(value))) values[name] = Number(value);
    }
  }
  return { arguments: values };
}

const about = { protocol: 1, implementation: { name: "minimal-node" }, methods: ["coerce"] };

/** @param {string} line */
function answer(line) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") return { jsonrpc: "2.0", id, result: about };
  if (method === "coerce") return { jsonrpc: "2.0", id, result: coerce(params) };
  return { jsonrpc: "2.0", id, error: { code: -32601, message: "not offered" } };
}

let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) console.log(JSON.stringify(answer(line)));
});
