// One case: what was sent and expected, and what each implementation made of it.

function caseView(main) {
  const one = byId.get(state.id);
  if (!one) {
    main.innerHTML = html`<h2 tabindex="-1">No such case</h2>
      <p>This page has no case ${state.id}. <a href="${viewLink("matrix")}">Those it has</a>.</p>`;
    return;
  }
  const policy = policies.get(one.policy);
  main.innerHTML = html`
    <nav class="around" aria-label="Other cases">${around(one)}</nav>
    <h2 tabindex="-1">${one.id}</h2>
    <p class="lead">${one.description}</p>
    <p class="facts-line"><i class="level ${one.level}">${one.level}</i>
      <a href="${specLink(one.clause)}">${titleOf(one.clause)}</a> <code>${one.clause}</code>
      ${policy && html`· policy <a href="${specLink(`policy-${policy.id}`)}">${policy.question}</a> <code>${policy.id}</code>`}
      ${one.source?.length > 0 && html`· seen in ${one.source.map((source, turn) => html`${turn > 0 && ", "}${sourceLink(source)}`)}`}</p>
    <div class="texts">
      ${Object.entries(one.sent).sort(([a], [b]) => (a < b ? 1 : -1)).map(([name, text]) => block(name, text))}
      <section><h3>expected</h3>${expectedOf(one, policy)}</section>
    </div>
    <h3 class="answers">What became of it</h3>
    ${groupBy(shown(), (column) => one.by[column.n]).sort(badFirst(one)).map(([at, columns]) => answer(one, one.outcomes[at], columns))}
    <p class="quiet"><a href="${data.repository}/issues/new?title=${encodeURIComponent(`Wrong on the page: ${one.id}`)}">Something here is wrong</a>:
      tell us the output of the command. <a href="#foot" data-jump="foot">How to correct an error on this page</a>.</p>`;
}

/** The cases before and after this one, of those that the filters leave. */
function around(one) {
  const some = chosen();
  const at = some.indexOf(one);
  const to = (n, text, key) =>
    some[n] ? html`<a href="${caseLink(some[n])}" data-key="${key}" aria-label="${text} case: ${some[n].id}">${key === "ArrowLeft" ? "← " : ""}${text}${key === "ArrowRight" ? " →" : ""}</a>` : html`<span class="quiet">${text}</span>`;
  const place = at < 0 ? "not among the filtered cases" : `${thousands(at + 1)} of ${thousands(some.length)}`;
  return html`<a href="${viewLink("matrix")}" data-back>Matrix</a> ${to(at < 0 ? -1 : at - 1, "previous", "ArrowLeft")}
    ${to(at < 0 ? -1 : at + 1, "next", "ArrowRight")} <span class="quiet">${place}</span>`;
}

/** A report on GitHub is linked. */
function sourceLink(source) {
  const [, repository, number] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(source) ?? [];
  return repository ? html`<a href="https://github.com/${repository}/issues/${number}">${source}</a>` : source;
}

function block(name, text) {
  return html`<section><h3>${name}</h3>${pre(textOf(text), `${name}, as JSON`)}</section>`;
}

/** A box that scrolls must be reached by the keyboard too. */
function pre(text, label, places) {
  return html`<pre tabindex="0" role="group" aria-label="${label}">${laidOut(text, places)}</pre>`;
}

function expectedOf(one, policy) {
  if (one.expected.length === 0) return html`<p>Any answer or error will do; only a crash or silence fails.</p>`;
  return one.expected.map(([option, text], turn) => {
    const at = policy?.options.findIndex((each) => each.id === option) ?? -1;
    const meaning = policy?.options[at]?.meaning;
    const label = option
      ? html`<p class="option"><i class="choice option${at}">${"abcdefgh"[at] ?? "?"}</i> <b>${option}</b>: ${meaning}</p>`
      : turn > 0 && html`<p class="option">or</p>`;
    return html`${label}${pre(textOf(text), `expected${option ? `, ${option}` : ""}`)}`;
  });
}

function badFirst(one) {
  const rank = ([at]) => {
    const place = [...BAD, "pass", "unsupported"].indexOf(one.outcomes[at]?.verdict);
    return place < 0 ? 99 : place;
  };
  return (a, b) => rank(a) - rank(b);
}

function answer(one, outcome, columns) {
  const verdict = outcome?.verdict ?? "missing";
  const { mark = "", told = "the report does not cover this case" } = VERDICTS[verdict] ?? {};
  const name = verdict === "missing" ? "not run" : verdict;
  return html`<article class="answer">
    <h4><i class="mark ${verdict}" aria-hidden="true">${mark}</i> ${name}${outcome?.option && `: ${outcome.option}`}
      <small>${told}</small></h4>
    <p class="who">${columns.map((column) => html`<a href="${implementationLink(column)}">${column.name} <small>${column.version}</small></a> `)}</p>
    ${outcome && details(outcome)}
    ${outcome && html`<details class="again"${verdict !== "pass" && columns.length < 4 && html` open`}><summary>Run it again</summary><ul>${columns.map((column) => html`<li>
      <button type="button" class="copy" data-copy="${rerunOf(one, column)}" aria-label="Copy the command for ${column.label}">Copy</button>
      <code>${rerunOf(one, column)}</code></li>`)}</ul></details>`}
  </article>`;
}

function details(outcome) {
  const differences = (outcome.differences ?? []).map((texts) => texts.map(textOf));
  return html`
    ${outcome.sent && Object.entries(outcome.sent).map(([name, text]) => block(`${name} sent here`, text))}
    ${outcome.answer !== undefined && pre(textOf(outcome.answer), "the answer", new Set(differences.map(([pointer]) => pointer)))}
    ${differences.length > 0 && html`<ul class="where">${differences.map(([pointer, expected, actual]) => html`<li>
      <code>${pointer || "the whole answer"}</code> expected <b>${expected}</b>, got <b>${actual}</b></li>`)}</ul>`}
    ${outcome.message !== undefined && html`<p class="said">${textOf(outcome.message)}</p>`}
    ${(outcome.laws ?? []).map(([law, told]) => html`<p class="law">law <a href="${specLink(law)}">${law}</a> broken: ${textOf(told)}</p>`)}
    ${outcome.known !== undefined && html`<p class="quiet">Known: ${textOf(outcome.known)}</p>`}
    ${outcome.stderr !== undefined && html`<details><summary>stderr</summary><pre tabindex="0" role="group" aria-label="stderr">${textOf(outcome.stderr)}</pre></details>`}`;
}
