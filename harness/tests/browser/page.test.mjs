// The page of `callfit matrix` in a real browser: what a reader sees, clicks and types.

import assert from "node:assert/strict";
import { after, before, beforeEach, afterEach, describe, test } from "node:test";
import { statSync } from "node:fs";

import { Browser, makePage } from "./browser.mjs";
import { FIELD, corpus, crowd } from "./reports.mjs";
import { contrasts, nameless } from "./checks.mjs";

const SEED = "coerce/seed/row-1-count";
const VIEWS = ["overview", "matrix?open=all", "policies", "agreement", `case/${SEED}`, "implementation/keeper@2.1.0"];

let browser;
let file;
let page;

before(async () => {
  file = makePage("field", FIELD);
  browser = await Browser.start();
});
after(() => browser?.close());
beforeEach(async () => (page = await browser.open(file)));
afterEach(() => page.isClean());

const count = () => page.text("#count");
const rows = (selector) => page.all(`#grid ${selector}`);
const names = () => page.all(".figures tbody th a");

describe("the page", () => {
  test("shows each view, and asks nothing of any network", async () => {
    for (const view of VIEWS) {
      await page.go(view);
      assert.notEqual(await page.text("main h2"), "", view);
    }
  });

  test("runs nothing that a report says", async () => {
    for (const view of VIEWS) await page.go(view);
    assert.equal(await page.run(() => window.pwned), undefined);
    await page.go(`case/${SEED}`);
    assert.match(await page.text("main"), /<\/script><script>window\.pwned/);
    assert.match(await page.text("main"), /\\u\{202e\}/, "what turns the text is spelled out");
  });

  test("says which figures stand less firmly", async () => {
    const half = Math.ceil(corpus.length / 2).toLocaleString("en");
    assert.match(await page.text(".notes"), new RegExp(`half 0\\.5\\.0: the report covers ${half} of`));
  });

  test("tells how to correct it", async () => {
    assert.match(await page.text("#foot"), /How to correct an error on this page/);
  });
});

describe("the overview", () => {
  test("counts", async () => {
    const must = corpus.filter((one) => one.level === "must").length.toLocaleString("en");
    const row = await page.text(".figures tbody tr:has-text('right')");
    assert.ok(row.includes(`100% ${must}/${must}`), row);
  });

  test("is sorted by its heads, and the address says so", async () => {
    await page.click(".figures thead a:text('Implementation')");
    const sorted = await names();
    assert.deepEqual(sorted, [...sorted].sort((a, b) => a.localeCompare(b, "en")));
    assert.equal(await page.run(() => location.hash), "#/overview?sort=name");
    await page.click(".figures thead a:text('Implementation')");
    assert.deepEqual(await names(), sorted.toReversed());
    assert.equal(await page.attribute(".figures thead th", "aria-sort"), "descending");
    assert.equal(await page.focused(), "Implementation▼", "the focus stays");
    await page.go("overview?sort=refused");
    assert.equal((await names())[0], "refuser");
  });

  test("leads from a figure to its cases", async () => {
    await page.click("[aria-label^='refuser 0.3.0:'][aria-label$='refused']");
    assert.equal(await page.text("main h2"), "Matrix");
    assert.equal(await page.value("verdict"), "refused");
    assert.equal(await page.value("in"), "refuser@0.3.0");
  });
});

describe("filters", () => {
  test("by words", async () => {
    await page.key("/");
    await page.type("row-1-count");
    assert.match(await count(), /^1 of /);
    await page.type(" nowhere");
    assert.match(await count(), /^0 of /);
    await page.go("matrix?q=nowhere-at-all");
    await page.click("text=Show all cases");
    assert.match(await count(), /^([\d,]+) of \1 cases/);
  });

  test("by verdict, clause, policy, level, area and law", async () => {
    const expected = {
      "clause=int": corpus.filter((one) => one.clause === "int"),
      "policy=plus-sign": corpus.filter((one) => one.policy === "plus-sign"),
      "level=should": corpus.filter((one) => one.level === "should"),
      "area=sanitize": corpus.filter((one) => one.area === "sanitize"),
      "clause=int&level=must": corpus.filter((one) => one.clause === "int" && one.level === "must"),
      "verdict=error&in=right@1.0.0": [],
      "verdict=error": corpus,
      "law=exact": corpus,
    };
    for (const [query, some] of Object.entries(expected)) {
      await page.go(`matrix?${query}`);
      assert.ok((await count()).startsWith(`${some.length.toLocaleString("en")} of`), `${query}: ${await count()}`);
    }
  });

  test("change the figures, and can be cleared", async () => {
    await page.select("clause", "int");
    const some = corpus.filter((one) => one.clause === "int" && one.level === "must").length;
    assert.ok((await page.text(".figures tbody tr:has-text('right')")).includes(`${some}/${some}`));
    await page.click("#count a");
    assert.equal(await page.run(() => location.hash), "#/overview");
    assert.equal(await page.value("clause"), "");
  });

  test("leave out implementations", async () => {
    await page.click("#columns summary");
    await page.click("#columns input[value='moody@7.7.7']");
    assert.equal((await names()).length, FIELD.length - 1);
    assert.ok(!(await names()).includes("moody"));
    await page.click("#all-columns");
    assert.equal((await names()).length, FIELD.length);
  });
});

describe("links", () => {
  test("bring back what was seen", async () => {
    await page.go("matrix");
    await page.select("level", "should");
    await page.select("verdict", "bad");
    await page.click("#grid [data-toggle='coerce']:has-text('coerce')");
    const address = await page.run(() => location.href);
    const seen = await page.text("#grid");
    await page.goto(address);
    assert.equal(await page.text("#grid"), seen);
    assert.equal(await page.value("level"), "should");
  });

  test("lead to a case, and on to the next that the filters leave", async () => {
    await page.go(`case/${SEED}?clause=ref-position`);
    assert.equal(await page.text("main h2"), SEED);
    const some = corpus.filter((one) => one.clause === "ref-position").length;
    assert.match(await page.text(".around"), new RegExp(`of ${some}`));
    await page.key("ArrowRight");
    assert.notEqual(await page.text("main h2"), SEED);
    await page.key("ArrowLeft");
    assert.equal(await page.text("main h2"), SEED);
  });

  test("to what is not there say so", async () => {
    await page.go("case/coerce/no/such");
    assert.equal(await page.text("main h2"), "No such case");
    await page.go("implementation/nobody");
    assert.equal(await page.text("main h2"), "No such implementation");
    await page.go("nonsense?x=1");
    assert.equal(await page.text("main h2"), "Overview");
  });
});

describe("a case", () => {
  beforeEach(() => page.go(`case/${SEED}`));

  test("tells what was sent, expected and answered, and where it differs", async () => {
    const seen = await page.text("main");
    for (const part of ['"$ref": "#/$defs/Count"', '{ "count": "5" }', '{ "count": 5 }', "/count expected 5, got \"5\""]) {
      assert.ok(seen.includes(part), part);
    }
    assert.deepEqual(await page.all(".answer mark"), ['"5"']);
    const spec = await page.attribute(".facts-line a", "href");
    assert.match(spec, /SPEC\.md#ref-position$/);
  });

  test("tells those who answer alike together, and how to see it again", async () => {
    const passed = await page.text(".answer:has-text('✓ pass')");
    assert.ok(passed.includes("right 1.0.0"), passed);
    const commands = await page.all(".answer:has-text('keeper') code");
    assert.ok(commands.includes(`callfit run --filter ${SEED} mine`), commands.join());
  });

  test("copies the command", async () => {
    await page.click("[aria-label='Copy the command for keeper 2.1.0']");
    assert.equal(await page.text("[aria-label='Copy the command for keeper 2.1.0']"), "Copied");
    assert.equal(await page.clipboard(), `callfit run --filter ${SEED} mine`);
  });
});

describe("the matrix", () => {
  test("opens to clauses and to cases", async () => {
    await page.go("matrix?open=none");
    assert.equal((await rows("tbody tr[aria-level]")).length, 4);
    await page.click("#grid th [data-toggle='resolve']");
    assert.ok((await rows("tr[aria-level='2']")).length > 5);
    const before = Number(await page.attribute("#grid table", "aria-rowcount"));
    await page.click("#grid th [data-toggle='resolve:ref-walk']");
    const inClause = corpus.filter((one) => one.area === "resolve" && one.clause === "ref-walk").length;
    const more = Number(await page.attribute("#grid table", "aria-rowcount")) - before;
    assert.equal(more, inClause);
    assert.equal(await page.run(() => location.hash), "#/matrix?open=resolve,resolve:ref-walk");
  });

  test("is walked by the keys", async () => {
    await page.go("matrix?clause=ref-position&area=coerce&sort=-name");
    await page.run(() => document.querySelector("#grid tbody [data-cell]").focus());
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight"]) await page.key(key);
    assert.match(await page.focused("aria-label"), /^right 1\.0\.0: pass$/);
    assert.match(await page.text("#peek"), /right 1\.0\.0 · coerce\/.* · pass/);
    const outline = await page.run(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, "none", "the focus is seen");
    await page.key("Enter");
    const opened = await page.text("main h2");
    assert.match(opened, /^coerce\//);
    await page.key("Escape");
    assert.equal(await page.text("main h2"), "Matrix");
    assert.match(await page.focused("aria-label"), /^right 1\.0\.0: pass$/, "the focus comes back");
    await page.key("Home");
    assert.ok((await page.focused("aria-label")).startsWith(opened));
    await page.key("Control+Home");
    await page.key("ArrowDown");
    await page.key("Enter");
    assert.equal(await page.focused("aria-expanded"), "false", "a row closes, and keeps the focus");
    assert.equal((await rows("tbody tr[aria-level]")).length, 1);
  });

  test("builds only the rows that can be seen, and all of them to be printed", async () => {
    await page.go("matrix?open=all&sort=name");
    const built = (await rows("tbody tr[aria-level]")).length;
    assert.ok(built < 120, `${built} rows`);
    await page.run(() => document.querySelector("#grid tbody [data-cell]").focus());
    await page.key("Control+End");
    const last = corpus.at(-1);
    assert.match(await page.focused("aria-label"), /right 1\.0\.0/);
    assert.ok((await page.text("#peek")).includes(last.id.split("/")[0]));
    await page.run(() => dispatchEvent(new Event("beforeprint")));
    const all = Number(await page.attribute("#grid table", "aria-rowcount")) - 1;
    assert.equal((await rows("tbody tr[aria-level]")).length, all);
    assert.ok(all > corpus.length);
  });

  test("puts what most get wrong first", async () => {
    await page.go("matrix?open=coerce&rows=worst");
    const [, , first] = await rows("tbody th");
    await page.click("text=in SPEC's order");
    const [, , other] = await rows("tbody th");
    assert.notEqual(first, other);
  });
});

describe("policies and agreement", () => {
  test("a policy that an implementation's own cases disagree on is marked", async () => {
    await page.go("policies");
    const label = await page.attribute("#grid .choice.mixed", "aria-label");
    assert.match(label, /^moody 7\.7\.7: mixed: .* in \d+ case/);
    assert.equal(await page.text("#grid .choice.mixed >> nth=0"), "±");
    assert.equal(await page.text("#grid tbody tr:has-text('plus-sign') [aria-label^='keeper']"), "a");
  });

  test("agreement leads to the cases on which two differ", async () => {
    await page.go("agreement?only=right@1.0.0&only=keeper@2.1.0");
    const label = await page.attribute("#grid a.heat", "aria-label");
    const [, same, both] = /: ([\d,]+) of ([\d,]+) cases answered alike$/.exec(label);
    await page.click("#grid a.heat");
    const number = (text) => Number(text.replaceAll(",", ""));
    assert.equal(number((await count()).split(" ")[0]), number(both) - number(same));
    assert.match(await count(), /differ/);
  });
});

describe("whoever reads it otherwise", () => {
  test("in the dark: by the system, or by the button", async () => {
    const back = () => page.run(() => getComputedStyle(document.body).backgroundColor);
    const light = await back();
    await page.scheme("dark");
    const dark = await back();
    assert.notEqual(dark, light);
    await page.click("#theme");
    assert.equal(await back(), light);
    await page.click("#theme");
    assert.equal(await back(), dark);
  });

  test("on a phone: the page does not scroll sideways", async () => {
    await page.size(360, 740);
    for (const view of VIEWS) {
      await page.go(view);
      const wide = await page.run(() => document.documentElement.scrollWidth);
      assert.equal(wide, 360, view);
    }
    await page.click("#more");
    await page.select("level", "must");
    assert.match(await page.text("#more"), /Filters \(1\)/);
  });

  test("by ear: everything that can be used has a name", async () => {
    for (const view of VIEWS) {
      await page.go(view);
      assert.deepEqual(await nameless(page.page), [], view);
    }
  });

  test("with weak eyes: text stands out in both themes", async () => {
    for (const scheme of ["light", "dark"]) {
      await page.scheme(scheme);
      for (const view of VIEWS) {
        await page.go(view);
        assert.deepEqual(await contrasts(page.page), [], `${scheme} ${view}`);
      }
    }
  });

  test("on paper: the tables are whole", async () => {
    await page.go("policies");
    await page.page.emulateMedia({ media: "print" });
    assert.equal(await page.run(() => getComputedStyle(document.querySelector("#grid")).overflow), "visible");
    assert.equal(await page.run(() => getComputedStyle(document.querySelector("#filters")).display), "none");
  });
});

test("40 implementations by 1,500 cases", async (t) => {
  const large = makePage("large", crowd(40, 1500));
  const size = statSync(large).size;
  assert.ok(size < 5e6, `${size} bytes`);
  const crowded = await browser.open(large);
  // How long it takes depends on the machine, so it is told and not tested; what takes the time is.
  const timing = await crowded.run(() => performance.getEntriesByType("navigation")[0].loadEventEnd);
  t.diagnostic(`${(size / 1e6).toFixed(1)} MB, opens in ${Math.round(timing)} ms`);
  assert.equal((await crowded.all(".figures tbody tr")).length, 40);
  await crowded.go("matrix?open=all");
  const elements = await crowded.run(() => document.querySelectorAll("*").length);
  assert.ok(elements < 12_000, `${elements} elements`);
  await crowded.isClean();
});
