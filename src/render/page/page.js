const files = [...document.querySelectorAll(".file")];
const notes = [...document.querySelectorAll(".note")];
let at = -1;
let note = -1;
function show(list, index) {
  if (!list.length) return index;
  const next = (index + list.length) % list.length;
  const file = list[next].closest(".file");
  if (file && list !== files) file.open = true;
  list[next].scrollIntoView({ block: list === files ? "start" : "center" });
  return next;
}
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "j" || event.key === "k") {
    files[at]?.classList.remove("current");
    at = show(files, event.key === "j" ? at + 1 : Math.max(at - 1, 0));
    files[at]?.classList.add("current");
  } else if (event.key === "x" && files[at]) {
    files[at].open = !files[at].open;
  } else if (event.key === "n") {
    note = show(notes, note + 1);
  }
});
