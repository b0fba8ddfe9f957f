// What can be told of any view: names for those who hear it, contrast for those who hardly see it.

/** What can be used or read cell by cell, but has no name, as the browser tells a screen reader. */
export async function nameless(page) {
  const ROLES = [
    "button", "link", "gridcell", "cell", "columnheader", "rowheader", "combobox", "searchbox", "checkbox",
    "grid", "treegrid", "table", "navigation", "search", "image",
  ];
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter((node) => !node.ignored && ROLES.includes(node.role?.value) && !node.name?.value?.trim())
    .map((node) => node.role.value);
}

/** Texts that do not stand out by 4.5 to 1 (3 to 1 if they are large), each with its ratio. */
export function contrasts(page) {
  return page.evaluate(() => {
    const numbers = (color) => color.match(/[\d.]+/g).map(Number);
    const light = (part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    };
    const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
    const over = ([r, g, b, a = 1], under) => [r, g, b].map((part, n) => part * a + under[n] * (1 - a));
    const behind = (element) => {
      if (!element) return [255, 255, 255];
      const color = numbers(getComputedStyle(element).backgroundColor);
      return color[3] === 0 ? behind(element.parentElement) : over(color, behind(element.parentElement));
    };
    const found = new Set();
    for (const element of document.querySelectorAll("body *")) {
      const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      const { color, fontSize, fontWeight, visibility } = getComputedStyle(element);
      if (!own || visibility === "hidden" || element.getClientRects().length === 0) continue;
      const back = behind(element);
      const pair = [luminance(over(numbers(color), back)), luminance(back)].sort((a, b) => b - a);
      const ratio = (pair[0] + 0.05) / (pair[1] + 0.05);
      const size = parseFloat(fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) {
        found.add(`${element.tagName.toLowerCase()}.${element.className}: ${ratio.toFixed(2)}`);
      }
    }
    return [...found];
  });
}
