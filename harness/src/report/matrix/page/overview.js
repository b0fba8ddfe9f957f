// The first view: what each implementation comes to, and where most of them go wrong. And one of them alone.

const FIGURES = {
  fail: "Failed",
  refused: "Refused",
  error: "Error",
  crash: "Crash",
  timeout: "Timeout",
  unsupported: "Not offered",
};

function overview(main) {
  const some = chosen();
  const columns = shown();
  main.innerHTML = html`
    <h2 tabindex="-1">Overview</h2>
    <p class="lead">${opening(some, columns)}</p>
    ${notes(columns)}
    <div class="wide"><table class="figures" role="table" aria-label="Implementations">
      <thead role="rowgroup"><tr role="row">
        ${sortHead("name", "Implementation")}${sortHead("must", "Must")}${sortHead("should", "Should")}
        <th role="columnheader" scope="col">Policies</th>${sortHead("laws", "Laws broken")}
        ${Object.entries(FIGURES).map(([key, name]) => sortHead(key, name, "number"))}
      </tr></thead>
      <tbody role="rowgroup">${columns.map((one) => figures(one, some))}</tbody>
    </table></div>
    <p class="key"><svg class="bar" aria-hidden="true"><rect class="passed" width="34%" height="100%"/><rect class="wrong" x="34%" width="33%" height="100%"/><rect class="none" x="67%" width="33%" height="100%"/></svg>
      passed, went wrong, not offered. A percentage is of what was judged, rounded down: what is not offered is in neither part of it.</p>
    ${hardest(some, columns)}`;
}

function opening(some, columns) {
  const levels = LEVELS.map((level) => [level, chosenBy("level", level).length]);
  const told = levels.filter(([, n]) => n > 0).map(([level, n]) => `${thousands(n)} ${level}`);
  const all = isFiltered() ? "the cases that the filters leave" : `corpus ${data.corpus}`;
  return `${counted(columns.length, "implementation")}, ${counted(some.length, "case")} of ${all}${
    told.length ? `: ${told.join(", ")}` : ""
  }.`;
}

/** What makes figures stand less firmly than they look. */
function notes(columns) {
  const told = columns.flatMap((one) => notesOn(one).map((note) => html`<li>${one.label}: ${note}</li>`));
  return told.length > 0 && html`<ul class="notes">${told}</ul>`;
}

function notesOn(one) {
  const missing = cases.filter((each) => !outcomeOf(each, one)).length;
  return [
    missing > 0 &&
      `the report covers ${thousands(cases.length - missing)} of the ${thousands(cases.length)} cases on this page, and its figures are of these`,
    one.cut_short && `the run ended early: ${one.cut_short}`,
    ...one.warnings,
  ].filter(Boolean);
}

function sortHead(key, name, kind = "") {
  const sorted = order();
  const now = sorted.key === key;
  const direction = now ? (sorted.up ? "ascending" : "descending") : "none";
  const next = now && !state.sort.startsWith("-") ? `-${key}` : key;
  return html`<th role="columnheader" scope="col" class="${kind}" aria-sort="${direction}"><a
    href="${link({ sort: next })}" data-keep="sort-${key}">${name}<i aria-hidden="true">${now ? (sorted.up ? "▲" : "▼") : ""}</i></a></th>`;
}

function figures(one, some) {
  const all = tally(some, one);
  const level = (name) => scoreCell(tally(chosenBy("level", name.toLowerCase()), one), name);
  const broken = Object.entries(all.laws).sort((a, b) => b[1] - a[1]);
  return html`<tr role="row">
    <th role="rowheader" scope="row"><a href="${implementationLink(one)}">${one.name}</a>
      <small>${[one.version, one.language].filter(Boolean).join(" · ")} · <time datetime="${one.started}">${dayOf(one)}</time></small></th>
    ${level("Must")}${level("Should")}
    <td role="cell" data-label="Policies"><a class="print" href="${viewLink("policies", { only: [one.key] })}">${fingerprint(one)}</a></td>
    <td role="cell" data-label="Laws broken" class="laws">${broken.length === 0 && html`<span class="quiet">none</span>`}${broken.map(
      ([law, count]) => html`<a href="${viewLink("matrix", { law, in: one.key })}">${law} ${count}</a> `,
    )}</td>
    ${Object.entries(FIGURES).map(([verdict, name]) => {
      const count = all.verdicts[verdict] ?? 0;
      const told = `${one.label}: ${counted(count, "case")} ${verdict}`;
      return html`<td role="cell" class="number" data-label="${name}">${
        count > 0
          ? html`<a href="${viewLink("matrix", { verdict, in: one.key })}" aria-label="${told}">${thousands(count)}</a>`
          : html`<span class="quiet">0</span>`
      }</td>`;
    })}
  </tr>`;
}

const dayOf = (one) => one.started.slice(0, 10);

function scoreCell(counts, name) {
  const { passed, judged, unsupported } = counts;
  const cell = (inside) => html`<td role="cell" class="score" data-label="${name}"><span>${inside}</span></td>`;
  if (judged === 0) return cell(html`<small>${unsupported > 0 ? "not offered" : "no cases"}</small>`);
  return cell(html`${bar(counts)}<b>${percent(passed, judged)}%</b> <small>${thousands(passed)}/${thousands(judged)}</small>`);
}

/** A bar a policy, in SPEC's order: how high tells the option. */
function fingerprint(one) {
  const kinds = { mixed: [0, 14], neither: [13, 1], unsupported: [13, 1], missing: [13, 1] };
  const heights = [[9, 5], [4, 10], [0, 14], [0, 14]];
  let chosenOnes = 0;
  let mixed = 0;
  const bars = data.policies.map((policy, at) => {
    const choice = choiceOf(policy, chosenBy("policy", policy.id), one);
    const option = choice.kind.startsWith("option");
    if (option) chosenOnes++;
    if (choice.kind === "mixed") mixed++;
    const [y, height] = option ? heights[choice.kind.at(-1)] ?? heights[3] : kinds[choice.kind];
    return html`<rect class="${choice.kind}" x="${at * 4}" y="${y}" width="3" height="${height}"/>`;
  });
  const told = `Policies of ${one.label}: ${chosenOnes} chosen, ${mixed} mixed, of ${data.policies.length}`;
  return html`<svg class="fingerprint" role="img" aria-label="${told}" viewBox="0 0 ${data.policies.length * 4} 14">${bars}</svg>`;
}

/** The clauses that most implementations miss. */
function hardest(some, columns) {
  const MOST = 10;
  const rows = groupBy(some.filter((one) => one.level !== "policy"), (one) => one.clause)
    .map(([clause, inside]) => [clause, sumOf(columns.map((one) => tally(inside, one)))])
    .filter(([, sum]) => sum.judged > sum.passed)
    .sort((a, b) => share(a[1]) - share(b[1]))
    .slice(0, MOST);
  if (rows.length === 0) return "";
  return html`<section><h3>What most go wrong on</h3>
    <p class="quiet">Clauses by the share of right answers, of all implementations shown.</p>
    <ul class="hardest">${rows.map(([clause, sum]) => html`<li>
      <a href="${viewLink("matrix", { clause })}">${titleOf(clause)}</a>
      <span>${bar({ ...sum, unsupported: 0 })}<b>${percent(sum.passed, sum.judged)}%</b></span></li>`)}</ul></section>`;
}

function implementationView(main) {
  const one = byKey.get(state.id);
  if (!one) {
    main.innerHTML = html`<h2 tabindex="-1">No such implementation</h2>
      <p>This page has no report of ${state.id}. <a href="${viewLink("overview")}">Those it has</a>.</p>`;
    return;
  }
  const some = chosen();
  const broken = Object.entries(tally(some, one).laws).sort((a, b) => b[1] - a[1]);
  const groups = groupBy(some, (each) => each.clause)
    .map(([clause, inside]) => [clause, tally(inside, one)])
    .filter(([, counts]) => counts.judged > counts.passed)
    .sort((a, b) => a[1].passed - a[1].judged - (b[1].passed - b[1].judged));
  main.innerHTML = html`
    <h2 tabindex="-1">${one.name} <small>${one.version}</small></h2>
    <dl class="facts">
      <dt>Written in</dt><dd>${one.language ?? "not told"}</dd>
      ${/^https?:/.test(one.homepage ?? "") && html`<dt>Home</dt><dd><a href="${one.homepage}">${one.homepage}</a></dd>`}
      <dt>Offers</dt><dd>${[...one.methods, ...one.features].join(", ")}</dd>
      <dt>Report of</dt><dd>${dayOf(one)}, made by callfit ${one.callfit} in ${(one.duration_ms / 1000).toFixed(1)} s</dd>
      <dt>Run one case</dt><dd><code>${one.rerun.replace("{case}", "CASE")}</code></dd>
    </dl>
    ${notesOn(one).length > 0 && html`<ul class="notes">${notesOn(one).map((note) => html`<li>${note}</li>`)}</ul>`}
    <div class="wide"><table class="areas" aria-label="Areas and levels">
      <thead><tr><th scope="col">Area</th>${LEVELS.map((level) => html`<th scope="col">${level}</th>`)}</tr></thead>
      <tbody>${groupBy(some, (each) => each.area).map(([area, inside]) => html`<tr>
        <th scope="row"><a href="${viewLink("matrix", { area, only: [one.key] })}">${area}</a></th>
        ${LEVELS.map((level) => scoreCell(tally(inside.filter((each) => each.level === level), one), level))}</tr>`)}</tbody>
    </table></div>
    <section><h3>Laws broken</h3><p>${broken.length === 0 && "None that the cases show."}${broken.map(
      ([law, count]) => html`<a href="${viewLink("matrix", { law, in: one.key, only: [one.key] })}">${law}</a> in ${counted(count, "case")}. `,
    )}</p></section>
    <section><h3>Where it goes wrong</h3>${groups.length === 0 && html`<p>Nowhere in these cases.</p>`}
    <ul class="hardest">${groups.map(([clause, counts]) => html`<li>
      <a href="${viewLink("matrix", { clause, verdict: "bad", in: one.key, only: [one.key] })}">${titleOf(clause)}</a>
      <span>${bar({ ...counts, unsupported: 0 })}<b>${counts.judged - counts.passed}</b><small>of ${counts.judged}</small></span></li>`)}</ul></section>
    <p><a href="${viewLink("policies", { only: [one.key] })}">Its policies</a> · <a href="${viewLink("matrix", { only: [one.key] })}">its cases</a></p>`;
}

function sumOf(counts) {
  const add = (name) => counts.reduce((sum, one) => sum + one[name], 0);
  return { passed: add("passed"), judged: add("judged"), unsupported: add("unsupported") };
}

/** Lists by key, in the order in which the keys come. */
const groupBy = (list, keyOf) => [...Map.groupBy(list, keyOf)];
