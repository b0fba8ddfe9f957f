// Areas against implementations, opening to clauses, opening to single cases.

/** So few cases are shown at once without being asked for. */
const FEW = 100;

/** Where the focus was, for whoever comes back from a case. */
let left;

function matrix(main) {
  const some = chosen();
  const columns = shown();
  const rows = matrixRows(some, columns);
  main.innerHTML = html`
    <h2 tabindex="-1">Matrix</h2>
    <div class="bar-of-tools">
      <p class="key">${Object.entries(VERDICTS).map(([name, { mark, told }]) => html`<span title="${told}"><i class="mark ${name}" aria-hidden="true">${mark}</i> ${name}</span> `)}
        <span>figures: % of judged cases that pass</span></p>
      <p>
        <a href="${link({ open: "all" })}" data-keep="open">Open all</a> · <a href="${link({ open: "none" })}" data-keep="close">close all</a> ·
        ${state.rows === "worst" ? html`<a href="${link({ rows: "" })}" data-keep="rows">in SPEC's order</a>` : html`<a href="${link({ rows: "worst" })}" data-keep="rows">most wrong first</a>`}
      </p>
    </div>
    <div id="grid" class="grid" tabindex="-1"></div>
    <p id="peek" aria-hidden="true"></p>`;
  const box = main.querySelector("#grid");
  if (rows.length === 0) {
    main.querySelector("#grid").outerHTML = nothing();
    return;
  }
  const peek = main.querySelector("#peek");
  const grid = new Grid(box, {
    label: "Cases by implementations",
    head: columnHead("Clause", columns),
    count: rows.length,
    columns: columns.length + 1,
    row: (at) => matrixRow(rows[at], at, columns),
    lazy: true,
    tree: true,
    peek: (row, column) => (peek.textContent = peekAt(rows[row], columns[column - 1])),
  });
  box.onclick = (event) => {
    const { toggle } = event.target.closest("[data-toggle]")?.dataset ?? {};
    if (toggle) toggleRow(toggle);
  };
  currentGrid = grid;
  grid.remember = () => {
    left = { key: rows[grid.at.row]?.key, column: grid.at.column, top: box.scrollTop };
  };
  grid.restore = () => {
    const row = rows.findIndex((one) => one.key === left?.key);
    if (row < 0) return false;
    box.scrollTop = left.top;
    grid.see();
    grid.go(row, left.column);
    return true;
  };
}

const nothing = () => html`<p class="nothing">No case is left by these filters. <a href="${link(noFilters())}">Show all cases</a>.</p>`;

function matrixRows(some, columns) {
  const isOpen = openTest(some);
  const worstFirst = (groups, casesOf) =>
    state.rows !== "worst" ? groups : [...groups].sort((a, b) => wrongs(casesOf(b), columns) - wrongs(casesOf(a), columns));
  const rows = [];
  for (const [area, inArea] of groupBy(some, (one) => one.area)) {
    const open = isOpen(area);
    rows.push({ kind: "area", key: area, open, level: 1, cases: inArea, title: area, more: AREAS[area] });
    if (!open) continue;
    const place = (clause) => [...clauses.keys()].indexOf(clause);
    const groups = groupBy(inArea, (one) => one.clause).sort((a, b) => place(a[0]) - place(b[0]));
    for (const [clause, inClause] of worstFirst(groups, (group) => group[1])) {
      const key = `${area}:${clause}`;
      const openClause = isOpen(key);
      rows.push({ kind: "clause", key, open: openClause, level: 2, cases: inClause, title: titleOf(clause), more: clause });
      if (!openClause) continue;
      for (const one of worstFirst(inClause, (each) => [each])) {
        rows.push({ kind: "case", key: one.id, level: 3, one, title: one.short });
      }
    }
  }
  return rows;
}

function wrongs(some, columns) {
  const bad = (one) => columns.filter((column) => BAD.includes(outcomeOf(one, column)?.verdict)).length;
  return some.reduce((sum, one) => sum + bad(one), 0);
}

/** Which rows are open: those that are named, or else the areas, and everything where there is little. */
function openTest(some) {
  if (state.open === "all") return () => true;
  if (state.open === "none") return () => false;
  if (state.open) {
    const named = new Set(state.open.split(","));
    return (key) => named.has(key);
  }
  return (key) => some.length <= FEW || !key.includes(":");
}

function toggleRow(key) {
  const some = chosen();
  const isOpen = openTest(some);
  const keys = new Set(some.flatMap((one) => [one.area, `${one.area}:${one.clause}`]));
  const open = new Set([...keys].filter(isOpen));
  if (!open.delete(key)) open.add(key);
  currentGrid.remember();
  replaceState({ open: [...open].join(",") || "none" });
  currentGrid.restore();
}

function matrixRow(row, at, columns) {
  const attributes = html`aria-rowindex="${at + 2}" aria-level="${row.level}" class="${row.kind}"`;
  const expanded = String(row.open);
  if (row.kind === "case") {
    const { one } = row;
    return html`<tr ${attributes}><th scope="row"><a data-cell tabindex="-1" href="${caseLink(one)}"
      aria-label="${one.id}, ${one.level}">${row.title}<i class="level ${one.level}" aria-hidden="true">${one.level}</i></a></th>${columns.map(
        (column) => html`<td>${caseCell(one, column)}</td>`,
      )}</tr>`;
  }
  return html`<tr ${attributes} aria-expanded="${expanded}"><th scope="row"><button type="button" data-cell tabindex="-1"
    data-toggle="${row.key}" aria-expanded="${expanded}" aria-label="${row.title}, ${counted(row.cases.length, "case")}">${
      row.open ? "▾" : "▸"
    } ${row.title} <small>${row.more}</small></button></th>${columns.map((column) => html`<td>${sumCell(row, column)}</td>`)}</tr>`;
}

function caseCell(one, column) {
  const verdict = outcomeOf(one, column)?.verdict ?? "missing";
  const mark = VERDICTS[verdict]?.mark ?? "";
  const label = `${column.label}: ${verdict === "missing" ? "not run" : verdict}`;
  return html`<a class="mark ${verdict}" data-cell tabindex="-1" href="${caseLink(one)}" aria-label="${label}">${mark}</a>`;
}

function sumCell(row, column) {
  const counts = tally(row.cases, column);
  const text = counts.judged > 0 ? percent(counts.passed, counts.judged) : counts.unsupported > 0 ? "–" : "";
  const step = counts.judged === 0 ? "none" : [24, 59, 89, 99].filter((edge) => text > edge).length;
  return html`<button type="button" class="sum s${step}" data-cell tabindex="-1" data-toggle="${row.key}"
    aria-label="${column.label}: ${toldOf(counts)}">${text}</button>`;
}

function toldOf({ passed, judged, unsupported, missing, verdicts }) {
  const wrong = BAD.filter((verdict) => verdicts[verdict]).map((verdict) => `${verdicts[verdict]} ${verdict}`);
  return [
    judged > 0 && `${passed} of ${judged} pass`,
    ...wrong,
    unsupported > 0 && `${unsupported} not offered`,
    missing > 0 && `${missing} not run`,
  ].filter(Boolean).join(", ");
}

/** What is pointed at, in a line below the table. */
function peekAt(row, column) {
  if (!row) return column ? column.label : "";
  if (!column) return row.one ? row.one.description : `${row.more}: ${row.title}, ${counted(row.cases.length, "case")}`;
  if (!row.one) return `${column.label} · ${row.title} · ${toldOf(tally(row.cases, column))}`;
  const outcome = outcomeOf(row.one, column);
  const said = gist(outcome);
  return `${column.label} · ${row.one.id} · ${outcome?.verdict ?? "not run"}${said && ` · ${said}`}`;
}
