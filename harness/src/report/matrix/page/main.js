// Puts the page together: the frame around the views, what the keys do, and the way from address to view and back.

const SHOW = {
  overview,
  matrix,
  policies: policiesView,
  agreement,
  case: caseView,
  implementation: implementationView,
};

const main = document.getElementById("view");
const filters = document.getElementById("filters");
const themeButton = document.getElementById("theme");

/** The table of the view, if it has one that is walked by keys. */
let currentGrid;
/** The address of the table that the reader comes from. */
let table;

function render() {
  currentGrid = undefined;
  document.body.dataset.view = state.view;
  if (state.view in VIEWS) table = link();
  renderNav();
  renderFilters();
  SHOW[state.view](main);
  const subject = state.id || VIEWS[state.view];
  document.title = `${subject} · callfit`;
}

/** Another state of the same view, without a step in the history. */
function replaceState(changes) {
  history.replaceState(null, "", link(changes));
  state = read(location.hash);
  render();
}

window.onhashchange = () => {
  const before = state;
  state = read(location.hash);
  if (before.view === "matrix") currentGrid?.remember?.();
  const kept = document.activeElement?.dataset?.keep;
  render();
  if (before.view === state.view && before.id === state.id) {
    document.querySelector(`[data-keep="${kept}"]`)?.focus();
    return;
  }
  if (state.view === "matrix" && before.view === "case" && currentGrid?.restore?.()) return;
  window.scrollTo(0, 0);
  main.querySelector("h2").focus({ preventScroll: true });
};

function renderNav() {
  const current = { case: "matrix", implementation: "overview" }[state.view] ?? state.view;
  document.getElementById("nav").innerHTML = html`${Object.entries(VIEWS).map(
    ([view, name]) => html`<a href="${viewLink(view, view === "agreement" ? { sort: "" } : {})}"${view === current && html` aria-current="page"`}>${name}</a>`,
  )}`;
}

/** The choices of each filter. Their elements stay, so that typing is not disturbed. */
function buildFilters() {
  const byChapter = groupBy(data.clauses, (clause) => clause.chapter);
  const option = (value, text) => html`<option value="${value}">${text}</option>`;
  const select = (name, label, options) =>
    html`<label>${label}<select name="${name}">${option("", "any")}${options}</select></label>`;
  filters.innerHTML = html`
    <label class="search">Search<input type="search" name="q" placeholder="words, ids… ( / )" autocomplete="off" spellcheck="false"></label>
    <button type="button" id="more" aria-expanded="false" aria-controls="choices">Filters</button>
    <div id="choices">
      ${select("verdict", "Verdict", [
        html`<optgroup label="Questions">${Object.entries(QUESTIONS).map(([key, name]) => option(key, name))}</optgroup>`,
        html`<optgroup label="Verdicts">${Object.entries(VERDICTS).map(([key, { mark }]) => option(key, `${mark} ${key}`))}</optgroup>`,
      ])}
      ${select("in", "Implementation", implementations.map((one) => option(one.key, one.label)))}
      ${select("area", "Area", Object.keys(AREAS).map((area) => option(area, area)))}
      ${select("clause", "Clause", byChapter.map(([chapter, inside]) => html`<optgroup label="${chapter}">${inside.map((clause) => option(clause.id, `${clause.title} (${clause.id})`))}</optgroup>`))}
      ${select("level", "Level", LEVELS.map((level) => option(level, level)))}
      ${select("policy", "Policy", data.policies.map((policy) => option(policy.id, policy.id)))}
      ${select("law", "Law broken", laws.map((law) => option(law, law)))}
      <details id="columns"><summary></summary><div>
        <button type="button" id="all-columns">Show all</button>
        ${implementations.map((one) => html`<label><input type="checkbox" name="only" value="${one.key}"> ${one.label}</label>`)}
      </div></details>
    </div>
    <p id="count"></p>`;
}

function renderFilters() {
  for (const element of filters.elements) {
    if (element.type === "checkbox") {
      element.checked = state.only.length === 0 || state.only.includes(element.value);
    } else if (element.name && element.value !== state[element.name]) {
      element.value = state[element.name];
    }
    element.closest("label")?.classList.toggle("set", Boolean(element.name && state[element.name]?.length));
  }
  const columns = state.only.length || implementations.length;
  filters.querySelector("#columns summary").textContent =
    columns === implementations.length ? `All ${columns} shown` : `${columns} of ${implementations.length} shown`;
  const active = FILTERS.filter((name) => state[name].length > 0).length;
  filters.querySelector("#more").textContent = active ? `Filters (${active})` : "Filters";
  const apart = state.apart.map((key) => byKey.get(key).label).join(" and ");
  const told = `${thousands(chosen().length)} of ${counted(cases.length, "case")}`;
  filters.querySelector("#count").innerHTML = html`${told}${apart && ` on which ${apart} differ`}${
    (isFiltered() || state.only.length > 0) && html` <a href="${link({ ...noFilters(), only: [] })}">Clear</a>`
  }`;
}

filters.onsubmit = (event) => event.preventDefault();
filters.oninput = (event) => {
  const { name, type } = event.target;
  if (type === "checkbox") {
    const boxes = [...filters.querySelectorAll("[name=only]")];
    const on = boxes.filter((box) => box.checked).map((box) => box.value);
    replaceState({ only: on.length === boxes.length ? [] : on });
  } else if (name) {
    // What was opened by hand belongs to what was there before.
    replaceState({ [name]: event.target.value, open: "" });
  }
  announce(filters.querySelector("#count").textContent);
};
filters.onclick = (event) => {
  if (event.target.id === "all-columns") replaceState({ only: [] });
  if (event.target.id !== "more") return;
  const open = filters.classList.toggle("open");
  event.target.setAttribute("aria-expanded", open);
};

function announce(text) {
  document.getElementById("said").textContent = text;
}

document.onclick = async (event) => {
  const target = event.target.closest("[data-copy], [data-jump], [data-back], .skip");
  if (!target) return;
  if (target.matches("[data-copy]")) {
    await navigator.clipboard.writeText(target.dataset.copy);
    target.textContent = "Copied";
    announce("Copied");
    return;
  }
  event.preventDefault();
  if (target.matches("[data-back]")) return back();
  const to = document.getElementById(target.dataset.jump ?? "view");
  to.scrollIntoView();
  to.focus();
};

/** Back to the table that the reader comes from, or to the matrix for whoever came by a link. */
function back() {
  location.hash = table ?? viewLink("matrix");
}

document.onkeydown = (event) => {
  const inField = event.target.closest("input, select");
  if (event.key === "Escape") {
    if (inField) inField.blur();
    else if (filters.querySelector("#columns").open) filters.querySelector("#columns").open = false;
    else if (!(state.view in VIEWS)) back();
    return;
  }
  if (inField || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") {
    event.preventDefault();
    filters.elements.q.select();
  }
  const inBox = event.target.closest("pre");
  if (!inBox) main.querySelector(`[data-key="${event.key}"]`)?.click();
};

window.addEventListener("beforeprint", () => currentGrid?.print(true));
window.addEventListener("afterprint", () => currentGrid?.print(false));
window.addEventListener("resize", () => currentGrid?.see());

/** Light or dark as the system is set, until the reader chooses. */
const systemIsDark = matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (document.documentElement.dataset.theme ?? (systemIsDark.matches ? "dark" : "light")) === "dark";

function renderTheme() {
  const other = isDark() ? "light" : "dark";
  themeButton.textContent = `${other === "dark" ? "◐" : "◑"} ${other}`;
  themeButton.ariaLabel = `Use the ${other} theme`;
}

/** Where a page of a file may store nothing, the choice holds until it is closed. */
function stored(change) {
  try {
    return change(localStorage);
  } catch {
    return undefined;
  }
}

themeButton.onclick = () => {
  const theme = isDark() ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  stored((storage) => storage.setItem("callfit-theme", theme));
  renderTheme();
};
systemIsDark.onchange = renderTheme;

function renderFoot() {
  const { repository } = data;
  document.getElementById("foot").innerHTML = html`
    <section><h2>How to correct an error on this page</h2><ul>
      <li><b>A verdict is wrong.</b> Every answer stands beside the command that asks for it again. If yours differs from what the page says, <a href="${repository}/issues/new">open an issue</a> with the id of the case and what the command printed.</li>
      <li><b>A rule is wrong,</b> or asks for what a project never meant to do. Each case links its clause in <a href="${repository}/blob/main/SPEC.md">SPEC.md</a>, which says why; argue there. What is not offered counts as “not offered”, never as failed.</li>
      <li><b>An implementation is not called as it should be.</b> The adapters are in <a href="${repository}/tree/main/harness/adapters">harness/adapters</a>, a small file each, and say what they do.</li>
      <li><b>A version is old.</b> Version and date stand beside every figure. Run the newer one with <code>callfit run --report FILE.json</code>, and <code>callfit matrix</code> makes this page from the reports. Nothing on it is written by hand.</li>
    </ul></section>
    <p>Keys: <kbd>/</kbd> search, <kbd>←</kbd> <kbd>↑</kbd> <kbd>↓</kbd> <kbd>→</kbd> walk tables and step through cases, <kbd>Enter</kbd> opens, <kbd>Esc</kbd> goes back.
      The address holds what you see: copy it to share it.</p>
    <p>Made by ${data.made_by} from ${counted(implementations.length, "report")} of corpus ${data.corpus}. One file, no network.</p>`;
}

document.documentElement.dataset.theme = stored((storage) => storage.getItem("callfit-theme")) ?? "";
if (!document.documentElement.dataset.theme) delete document.documentElement.dataset.theme;
buildFilters();
renderFoot();
renderTheme();
render();
