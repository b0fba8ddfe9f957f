// Where reasonable implementations differ: each policy with its options, and who chose which.

function policiesView(main) {
  const columns = shown();
  const rows = data.policies.filter((policy) => chosenBy("policy", policy.id).length > 0);
  main.innerHTML = html`
    <h2 tabindex="-1">Policies</h2>
    <p class="lead">Questions on which reasonable implementations differ. Each of the options passes; a letter tells which one was chosen.</p>
    <p class="key"><span><i class="choice option0" aria-hidden="true">a</i><i class="choice option1" aria-hidden="true">b</i><i class="choice option2" aria-hidden="true">c</i><i class="choice option3" aria-hidden="true">d</i> the option of that letter</span>
      <span><i class="choice mixed" aria-hidden="true">±</i> mixed: its own cases disagree</span>
      <span><i class="choice neither" aria-hidden="true">×</i> none of the options</span>
      <span><i class="choice unsupported" aria-hidden="true">–</i> not offered</span> <span>★ recommended</span></p>
    <div id="grid" class="grid policies" tabindex="-1"></div>
    <p id="peek" aria-hidden="true"></p>`;
  const box = main.querySelector("#grid");
  if (rows.length === 0) {
    box.outerHTML = nothing();
    return;
  }
  const peek = main.querySelector("#peek");
  currentGrid = new Grid(box, {
    label: "Policies by implementations",
    head: columnHead("Policy", columns),
    count: rows.length,
    columns: columns.length + 1,
    row: (at) => policyRow(rows[at], at, columns),
    peek: (row, column) => {
      const policy = rows[row];
      const one = columns[column - 1];
      const told = policy && one && ` · ${policy.id} · ${choiceOf(policy, chosenBy("policy", policy.id), one).told}`;
      peek.textContent = one ? `${one.label}${told ?? ""}` : policy ? `In the field: ${policy.field}` : "";
    },
  });
}

function policyRow(policy, at, columns) {
  const options = policy.options.map((option, turn) => html`<span title="${option.meaning}"><b>${"abcdefgh"[turn]}</b> ${option.id}${
    option.id === policy.profiles.recommended && html`<abbr title="recommended"> ★</abbr>`
  }</span> `);
  return html`<tr aria-rowindex="${at + 2}"><th scope="row"><a data-cell tabindex="-1" href="${viewLink("matrix", { policy: policy.id })}"
    aria-label="${policy.id}: ${policy.question}">${policy.id}</a> <small>${options}</small><p>${policy.question}</p></th>${columns.map((one) => {
      const choice = choiceOf(policy, chosenBy("policy", policy.id), one);
      return html`<td><a class="choice ${choice.kind}" data-cell tabindex="-1" href="${viewLink("matrix", { policy: policy.id })}"
        aria-label="${one.label}: ${choice.told}">${choice.mark}</a></td>`;
    })}</tr>`;
}
