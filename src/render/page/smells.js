const filter = document.getElementById("filter");
const body = document.querySelector(".found tbody");
const rows = [...body.rows];
const tiles = [...document.querySelectorAll(".tile")];
let folder = null;
function update() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = (folder !== null && row.dataset.folder !== folder) || !words.every((word) => text.includes(word));
    shown += row.hidden ? 0 : 1;
  }
  for (const tile of tiles) tile.setAttribute("aria-pressed", String(tile.dataset.folder === folder));
  document.getElementById("count").textContent = `${shown} of ${rows.length}${folder === null ? "" : ` in ${folder}`}`;
}
for (const tile of tiles) {
  tile.addEventListener("click", () => {
    folder = folder === tile.dataset.folder ? null : tile.dataset.folder;
    update();
  });
}
const heads = [...document.querySelectorAll(".found th")];
heads.forEach((head, column) => {
  head.firstChild.addEventListener("click", () => {
    const up = head.getAttribute("aria-sort") !== "ascending";
    for (const other of heads) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    const key = (row) => row.cells[column].dataset.key ?? row.cells[column].textContent;
    rows.sort((one, other) => key(one).localeCompare(key(other), undefined, { numeric: true }) * (up ? 1 : -1));
    body.append(...rows);
  });
});
filter.addEventListener("input", update);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    filter.value = "";
    folder = null;
    update();
  } else if (event.key === "/" && document.activeElement !== filter) {
    event.preventDefault();
    filter.focus();
  }
});
update();
