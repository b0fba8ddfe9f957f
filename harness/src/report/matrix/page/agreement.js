// Who answers like whom: implementations against implementations.

function agreement(main) {
  const some = chosen();
  const { columns, of } = agreements(some, shown());
  const alike = !state.sort;
  main.innerHTML = html`
    <h2 tabindex="-1">Agreement</h2>
    <p class="lead">Of the cases on which both were judged, the percentage they answered alike: the same verdict, and the same answer by value. A cell opens the cases on which the two differ.</p>
    <p class="key"><span>${[0, 2, 4, 6, 8, 9].map((step) => html`<i class="heat h${step}" aria-hidden="true">${step * 10}</i>`)} % alike</span>
      <span>order: ${alike ? html`<b>alike side by side</b> · <a href="${link({ sort: "must" })}" data-keep="order">by score</a>` : html`<a href="${link({ sort: "" })}" data-keep="order">alike side by side</a> · <b>by ${order().key}</b>`}</span></p>
    <div id="grid" class="grid heat-map" tabindex="-1"></div>
    <p id="peek" aria-hidden="true"></p>`;
  const peek = main.querySelector("#peek");
  const told = (a, b) => {
    if (a === b) return `${a.label}: itself`;
    const { same, both } = of(a, b);
    return `${a.label} and ${b.label}: ${thousands(same)} of ${counted(both, "case")} answered alike`;
  };
  currentGrid = new Grid(main.querySelector("#grid"), {
    label: "Agreement of implementations",
    head: columnHead("Answers like", columns),
    count: columns.length,
    columns: columns.length + 1,
    row: (at) => agreementRow(columns[at], at, columns, of, told),
    peek: (row, column) => {
      const [a, b] = [columns[row], columns[column - 1]];
      peek.textContent = a && b ? told(a, b) : ((a ?? b)?.label ?? "");
    },
  });
}

function agreementRow(a, at, columns, of, told) {
  return html`<tr aria-rowindex="${at + 2}"><th scope="row"><a data-cell tabindex="-1" href="${implementationLink(a)}">${a.name}
    <small>${a.version}</small></a></th>${columns.map((b) => {
      if (a === b) return html`<td><span class="heat self" data-cell tabindex="-1" role="img" aria-label="${told(a, b)}"></span></td>`;
      const { same, both } = of(a, b);
      const text = both > 0 ? percent(same, both) : "–";
      return html`<td><a class="heat h${both > 0 ? Math.min(9, Math.floor(text / 10)) : "none"}" data-cell tabindex="-1"
        href="${viewLink("matrix", { apart: [a.key, b.key], only: [a.key, b.key] })}" aria-label="${told(a, b)}">${text}</a></td>`;
    })}</tr>`;
}

/** Counts for each pair; and unless another order is chosen, an order in which each stands beside one that is like it. */
function agreements(some, columns) {
  const classes = new Map(columns.map((one) => [one, Int16Array.from(some, (each) => classOf(each, one))]));
  const counts = new Map();
  const of = (a, b) => {
    const key = a.n < b.n ? `${a.n} ${b.n}` : `${b.n} ${a.n}`;
    if (!counts.has(key)) counts.set(key, agreementOf(classes.get(a), classes.get(b)));
    return counts.get(key);
  };
  if (state.sort || columns.length === 0) return { columns, of };
  const [first, ...rest] = columns;
  const chain = [first];
  const nearness = (one) => {
    const { same, both } = of(chain.at(-1), one);
    return both ? same / both : -1;
  };
  while (rest.length > 0) {
    const next = rest.reduce((best, one) => (nearness(one) > nearness(best) ? one : best));
    rest.splice(rest.indexOf(next), 1);
    chain.push(next);
  }
  return { columns: chain, of };
}

function agreementOf(some, others) {
  let same = 0;
  let both = 0;
  for (let i = 0; i < some.length; i++) {
    if (some[i] < 0 || others[i] < 0) continue;
    both++;
    if (some[i] === others[i]) same++;
  }
  return { same, both };
}
