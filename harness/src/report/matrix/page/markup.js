// Markup made of text: whatever is put into a template is escaped, unless it is markup already.

class Markup {
  constructor(text) {
    this.text = text;
  }

  toString() {
    return this.text;
  }
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function html(parts, ...values) {
  let text = parts[0];
  for (let i = 0; i < values.length; i++) text += markupOf(values[i]) + parts[i + 1];
  return new Markup(text);
}

function markupOf(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(markupOf).join("");
  if (value === undefined || value === null || value === false) return "";
  return String(value).replace(/[&<>"']/g, (c) => ESCAPES[c]);
}

// One for all: to make such a format takes longer than to use it a thousand times.
const { format: thousands } = new Intl.NumberFormat("en");
const counted = (n, noun) => `${thousands(n)} ${noun}${n === 1 ? "" : "s"}`;

/** So many of a hundred, rounded down: 100 stands for all, and nothing else does. */
const percent = (part, whole) => Math.floor((100 * part) / whole);

/** A bar of what passed, what went wrong and what was not judged. The figures stand beside it. */
function bar(tally) {
  const whole = tally.judged + tally.unsupported;
  const share = (n) => (whole ? `${((100 * n) / whole).toFixed(2)}%` : "0%");
  const wrong = tally.judged - tally.passed;
  const parts = [
    ["passed", 0, tally.passed],
    ["wrong", tally.passed, wrong],
    ["none", tally.judged, tally.unsupported],
  ];
  return html`<svg class="bar" aria-hidden="true">${parts.map(
    ([name, from, count]) =>
      count > 0 && html`<rect class="${name}" x="${share(from)}" width="${share(count)}" height="100%"/>`,
  )}</svg>`;
}

/** JSON laid out for reading. Numbers keep every digit, since the text is never turned into values; places that are pointed to are marked. */
function laidOut(text, places = new Set()) {
  const tree = treeOf(text);
  return tree ? printed(tree, "", "", places) : html`${text}`;
}

const WIDTH = 56;
const DEEPEST = 60;

/** The tokens as a tree; nothing if the text is cut, deep or no JSON. */
function treeOf(text) {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  let at = 0;
  const value = (depth) => {
    const token = tokens[at++];
    if (token !== "{" && token !== "[") {
      return /^["\-\dtfn]/.test(token ?? "") ? { flat: token, length: token.length } : undefined;
    }
    const close = token === "{" ? "}" : "]";
    const node = { open: token, close, parts: [], length: 2 };
    if (depth > DEEPEST) return undefined;
    while (tokens[at] !== close) {
      if (node.parts.length > 0 && tokens[at++] !== ",") return undefined;
      let key;
      if (token === "{") {
        key = tokens[at++];
        if (!key?.startsWith('"') || tokens[at++] !== ":") return undefined;
      }
      const inner = value(depth + 1);
      if (!inner) return undefined;
      node.parts.push([key, inner]);
      node.length += inner.length + (key?.length ?? 0) + 4;
    }
    at++;
    return node;
  };
  const tree = value(0);
  return at === tokens.length ? tree : undefined;
}

function printed(node, pointer, indent, places) {
  const text = node.flat ? html`${node.flat}` : printedContainer(node, pointer, indent, places);
  return places.has(pointer) ? html`<mark>${text}</mark>` : text;
}

function printedContainer(node, pointer, indent, places) {
  if (node.parts.length === 0) return html`${node.open}${node.close}`;
  const inline = indent.length + node.length <= WIDTH;
  const deeper = inline ? indent : `${indent}  `;
  const parts = node.parts.map(([key, inner], turn) => {
    const token = key === undefined ? turn : pointerToken(key);
    const value = printed(inner, `${pointer}/${token}`, deeper, places);
    return html`${!inline && deeper}${key && html`<b>${key}</b>: `}${value}`;
  });
  const joined = parts.map((part, turn) => html`${turn > 0 && (inline ? ", " : ",\n")}${part}`);
  if (!inline) return html`${node.open}\n${joined}\n${indent}${node.close}`;
  return node.open === "{" ? html`{ ${joined} }` : html`[${joined}]`;
}

function pointerToken(key) {
  try {
    return JSON.parse(key).replaceAll("~", "~0").replaceAll("/", "~1");
  } catch {
    return key;
  }
}
