// A headless Chromium, a page of `callfit matrix` in it, and what a reader does there.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { chromium } from "playwright-core";

import { writeReports } from "./reports.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const QUIET = [
  "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
  "--disable-sync", "--no-first-run",
];

/** The page that `callfit matrix` makes of reports of these. */
export function makePage(name, implementations) {
  const folder = mkdtempSync(join(tmpdir(), `callfit-${name}-`));
  process.once("exit", () => rmSync(folder, { recursive: true }));
  writeReports(join(folder, "reports"), implementations);
  const file = join(folder, "page.html");
  execFileSync(command(), ["matrix", join(folder, "reports"), "-o", file], { stdio: "pipe" });
  return file;
}

function command() {
  const built = ["release", "debug"].map((profile) => join(ROOT, "target", profile, "callfit"));
  const found = process.env.CALLFIT ?? built.find(existsSync);
  assert.ok(found, "no callfit: `cargo build` makes one, or CALLFIT names it");
  return found;
}

function browserPath() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const named = ["chromium", "chromium-browser", "google-chrome"];
  const found = process.env.CALLFIT_CHROMIUM
    ?? named.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync);
  assert.ok(found, `no Chromium: install one of ${named.join(", ")}, or name it in CALLFIT_CHROMIUM`);
  return found;
}

export class Browser {
  static async start() {
    const browser = new Browser();
    browser.chromium = await chromium.launch({ executablePath: browserPath(), args: QUIET });
    return browser;
  }

  close() {
    return this.chromium.close();
  }

  /** A reader who opens this file, and whose history begins here. */
  async open(file) {
    const permissions = ["clipboard-read", "clipboard-write"];
    const context = await this.chromium.newContext({ viewport: { width: 1400, height: 900 }, permissions });
    const reader = new Reader();
    Object.assign(reader, { context, address: pathToFileURL(file).href, faults: [] });
    reader.page = await context.newPage();
    reader.page.on("console", (message) => reader.faults.push(`${message.type()}: ${message.text()}`));
    reader.page.on("pageerror", (error) => reader.faults.push(String(error.stack)));
    reader.page.on("request", (request) => {
      if (request.url().split("#")[0] !== reader.address) reader.faults.push(`asks for ${request.url()}`);
    });
    await reader.goto(reader.address);
    return reader;
  }
}

class Reader {
  /** Goes to a view as a link of the page does. */
  go(view) {
    return this.page.evaluate((hash) => new Promise((done) => {
      if (location.hash === hash) done();
      window.addEventListener("hashchange", () => done(), { once: true });
      location.hash = hash;
    }), `#/${view}`);
  }

  /** Opens the page anew, as a link from outside does. */
  async goto(address) {
    await this.page.goto("about:blank");
    await this.page.goto(address);
  }

  /** Nothing was written to the console, thrown or fetched. */
  async isClean() {
    const faults = this.faults.filter((fault) => !fault.includes("about:blank"));
    await this.context.close();
    assert.deepEqual(faults, []);
  }

  run(code) {
    return this.page.evaluate(code);
  }

  async text(selector) {
    return spaced(await this.page.locator(selector).first().innerText());
  }

  async all(selector) {
    return (await this.page.locator(selector).allInnerTexts()).map(spaced);
  }

  attribute(selector, name) {
    return this.page.locator(selector).first().getAttribute(name);
  }

  click(selector) {
    return this.page.locator(selector).first().click();
  }

  key(key) {
    return this.page.keyboard.press(key);
  }

  type(text) {
    return this.page.keyboard.type(text);
  }

  select(name, value) {
    return this.page.locator(`[name=${name}]`).selectOption(value);
  }

  value(name) {
    return this.page.locator(`[name=${name}]`).inputValue();
  }

  /** What has the focus: its text, or an attribute of it. */
  focused(attribute) {
    return this.page.evaluate(
      (name) => (name ? document.activeElement.getAttribute(name) : document.activeElement.innerText),
      attribute,
    );
  }

  clipboard() {
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  scheme(colorScheme) {
    return this.page.emulateMedia({ colorScheme });
  }

  size(width, height) {
    return this.page.setViewportSize({ width, height });
  }
}

const spaced = (text) => text.replace(/\s+/g, " ").trim();
