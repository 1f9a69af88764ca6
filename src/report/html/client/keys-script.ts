/** What the keyboard does, and the help that says it. */
export const keysScript = String.raw`
const keyNames = [['1 to ' + tabs.length, 'the parts of the report'], ['/', 'search'], ['j, k', 'next and previous finding, exchange or page'], ['Enter', 'open or close it'], ['t', 'light or dark'], ['Esc', 'out of the search, which stays'], ['?', 'this help']];
const help = h('dialog', { 'aria-labelledby': 'help-title' }, h('h2', { id: 'help-title' }, 'Keys'), h('dl', { class: 'keys' }, keyNames.map(([keys, what]) => [h('dt', {}, h('kbd', {}, keys)), h('dd', {}, what)])), h('form', { method: 'dialog' }, h('button', { autofocus: true }, 'Close')));

/* On a page of one alone, to the next one; in a list, to the next item, and at its end to the next page. */
function moveTo(step) {
  const other = view.querySelector('a[rel=' + (step > 0 ? 'next' : 'prev') + ']');
  const summaries = [...view.querySelectorAll('.finding > summary, .list > details > summary')];
  const at = summaries.indexOf(document.activeElement);
  const next = summaries[at === -1 && step < 0 ? -1 : at + step];
  if (view.querySelector('.steps') === null && next !== undefined) next.focus();
  else if (other !== null) other.click();
}

function press(key) {
  const tab = tabs[Number(key) - 1];
  if (tab !== undefined) location.hash = '#/' + tab[0];
  else if (key === 'j') moveTo(1);
  else if (key === 'k') moveTo(-1);
  else if (key === '?') help.showModal();
  else if (key === 't') {
    colours.value = getComputedStyle(document.documentElement).getPropertyValue('--back').trim() === '#ffffff' ? 'dark' : 'light';
    colours.dispatchEvent(new Event('change'));
  } else if (key === '/') document.getElementById('search')?.focus();
  else return false;
  return true;
}

document.addEventListener('keydown', (event) => {
  if (help.open) return;
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
    if (event.key !== 'Escape') return;
    event.target.blur();
    event.preventDefault();
    return;
  }
  if (press(event.key)) event.preventDefault();
});
`;
