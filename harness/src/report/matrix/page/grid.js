// Tables that are walked by arrow keys, and that build only the rows that can be seen.

/** Rows beyond the edge that are built all the same, so that scrolling shows no gap. */
const SPARE = 12;

/**
 * A table in a box that scrolls. `head` is its first row; `row(at)` answers the markup of row `at`, whose height is always the same if `lazy`.
 * Every cell holds one element with `data-cell`, which takes the focus; only one of them is reached by Tab.
 */
class Grid {
  constructor(box, { label, head, count, columns, row, lazy = false, tree = false, peek }) {
    Object.assign(this, { box, count, columns, row, lazy, peek, height: 0 });
    this.at = { row: -1, column: 0 };
    // Where there are few columns, their names are read without turning the head.
    box.classList.toggle("roomy", columns <= 9);
    box.innerHTML = html`<table role="${tree ? "treegrid" : "grid"}" aria-label="${label}"
      aria-rowcount="${count + 1}" aria-colcount="${columns}"><thead>${head}</thead><tbody></tbody></table>`;
    [this.table] = box.children;
    this.body = this.table.tBodies[0];
    // One row tells the height of all, and so the room that those take which are not built.
    this.show(0, lazy ? 1 : count);
    this.height = this.body.rows[lazy ? 1 : 0].getBoundingClientRect().height;
    if (lazy) this.body.rows[2].style.height = `${(count - 1) * this.height}px`;
    this.see();
    box.onscroll = () => requestAnimationFrame(() => this.see());
    box.onkeydown = (event) => this.walk(event);
    box.addEventListener("focusin", (event) => this.entered(event.target));
    box.onmouseover = (event) => this.point(event.target.closest("td, th"));
    this.stops();
  }

  /** Builds the rows that can be seen. */
  see() {
    if (!this.box.isConnected) return;
    if (!this.lazy || this.printing) return this.show(0, this.count);
    const top = Math.floor(this.box.scrollTop / this.height) - SPARE;
    const seen = Math.ceil(this.box.clientHeight / this.height) + 2 * SPARE;
    const from = Math.max(0, Math.min(top, this.count - seen));
    if (from !== this.from || from + seen > this.to) this.show(from, Math.min(this.count, from + seen));
  }

  show(from, to) {
    if (this.from === from && this.to === to) return;
    const focused = this.body.contains(document.activeElement);
    Object.assign(this, { from, to });
    const rows = [];
    for (let at = from; at < to; at++) rows.push(this.row(at));
    if (!this.lazy) {
      this.body.innerHTML = html`${rows}`;
    } else {
      this.body.innerHTML = html`<tr aria-hidden="true"></tr>${rows}<tr aria-hidden="true"></tr>`;
      const { rows: all } = this.body;
      all[0].style.height = `${from * this.height}px`;
      all[all.length - 1].style.height = `${(this.count - to) * this.height}px`;
    }
    this.stops();
    // The row with the focus may be gone; the keys go on working from the box.
    if (focused) (this.cell(this.at) ?? this.box).focus({ preventScroll: true });
  }

  /** Builds everything while somebody prints. */
  print(printing) {
    this.printing = printing;
    this.see();
  }

  /** The element of a cell that takes the focus. Row -1 is the head. */
  cell({ row, column }) {
    const rows = row < 0 ? this.table.tHead.rows : this.body.rows;
    const place = row < 0 ? 0 : row - this.from + (this.lazy ? 1 : 0);
    if (row >= 0 && (row < this.from || row >= this.to)) return undefined;
    return rows[place]?.cells[column]?.querySelector("[data-cell]");
  }

  go(row, column) {
    this.at = {
      row: Math.max(-1, Math.min(row, this.count - 1)),
      column: Math.max(0, Math.min(column, this.columns - 1)),
    };
    if (!this.cell(this.at)) {
      this.box.scrollTop = Math.max(0, this.at.row * this.height - this.box.clientHeight / 2);
      this.see();
    }
    this.stops();
    const cell = this.cell(this.at);
    cell?.focus({ preventScroll: true });
    if (cell && this.at.row >= 0) this.uncover(cell.closest("td, th"));
  }

  /** Scrolls until nothing that sticks to an edge covers the cell. */
  uncover(cell) {
    const { box } = this;
    const outer = box.getBoundingClientRect();
    const inner = cell.getBoundingClientRect();
    const top = outer.top + this.table.tHead.offsetHeight;
    if (inner.top < top) box.scrollTop -= top - inner.top;
    else if (inner.bottom > outer.top + box.clientHeight) {
      box.scrollTop += inner.bottom - outer.top - box.clientHeight;
    }
    if (this.at.column === 0) return;
    const left = outer.left + this.table.tHead.rows[0].cells[0].offsetWidth;
    if (inner.left < left) box.scrollLeft -= left - inner.left;
    else if (inner.right > outer.left + box.clientWidth) {
      box.scrollLeft += inner.right - outer.left - box.clientWidth;
    }
  }

  walk(event) {
    if (event.altKey || event.metaKey) return;
    const { row, column } = this.at;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.height) - 2);
    const far = event.ctrlKey;
    const steps = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      PageUp: [Math.max(0, row - page), column],
      PageDown: [row + page, column],
      Home: [far ? -1 : row, 0],
      End: [far ? this.count : row, this.columns],
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    this.go(...step);
  }

  entered(target) {
    const cell = target.closest("td, th");
    if (!cell) return;
    this.at = this.placeOf(cell);
    this.stops();
    this.point(cell);
  }

  placeOf(cell) {
    const inHead = this.table.tHead.contains(cell);
    const place = cell.parentElement.sectionRowIndex;
    return { row: inHead ? -1 : this.from + place - (this.lazy ? 1 : 0), column: cell.cellIndex };
  }

  /** Tells about the cell that is pointed at, and shows its column. */
  point(cell) {
    if (!cell || cell.ariaHidden) return;
    const { row, column } = this.placeOf(cell);
    this.table.querySelector(".pointed")?.classList.remove("pointed");
    if (column > 0) this.table.tHead.rows[0].cells[column]?.classList.add("pointed");
    this.peek?.(row, column);
  }

  /** One cell is reached by Tab, all others by arrows. */
  stops() {
    this.stop?.setAttribute("tabindex", "-1");
    this.stop = this.cell(this.at) ?? this.cell({ row: -1, column: 0 });
    this.stop?.setAttribute("tabindex", "0");
  }
}

/** The head of a table whose columns are implementations. */
function columnHead(first, columns) {
  return html`<tr aria-rowindex="1"><th scope="col"><span data-cell tabindex="-1">${first}</span></th>${columns.map(
    (one) => html`<th scope="col" class="column"><a data-cell tabindex="-1"
      href="${implementationLink(one)}"><span>${one.name}</span> <small>${one.version}</small></a></th>`,
  )}</tr>`;
}
