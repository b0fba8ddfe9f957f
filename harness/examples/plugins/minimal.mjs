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
  const reply = (/** @type {object} */ rest) => JSON.stringify({ jsonrpc: "2.0", id, ...rest });
  try {
    if (method === "initialize") return reply({ result: about });
    if (method === "coerce") return reply({ result: coerce(params) });
    return reply({ error: { code: -32601, message: "not offered" } });
  } catch (fault) {
    return reply({ error: { code: -32603, message: String(fault) } });
  }
}

let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) console.log(answer(line));
});
