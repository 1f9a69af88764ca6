// The search of the site: all in the page, with the index that the build wrote.
const input = document.querySelector('#search');
const list = document.querySelector('#results');
const root = document.body.dataset.root ?? '';
const maxResults = 12;
let chosen = -1;

/** The sections that have all words, those in a heading first. */
function find(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return globalThis.searchIndex
    .flatMap((section) => {
      const [page, heading, text] = [section.page, section.heading, section.text].map((part) =>
        part.toLowerCase(),
      );
      let score = 0;
      for (const word of words) {
        const worth =
          (heading.includes(word) ? 8 : 0) +
          (page.includes(word) ? 4 : 0) +
          Math.min(5, text.split(word).length - 1);
        if (worth === 0) return [];
        score +=
          worth +
          (new RegExp(`\\b${RegExp.escape?.(word) ?? word.replace(/\W/g, '\\$&')}\\b`).test(heading)
            ? 4
            : 0);
      }
      // Guides come first: decisions and the changelog tell of the past.
      return [
        {
          section,
          score: /^(decisions|changelog|architecture|contributing)/.test(section.url)
            ? score / 4
            : score,
        },
      ];
    })
    .sort((one, other) => other.score - one.score)
    .slice(0, maxResults)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words[0]) }));
}

function excerptOf(text, word) {
  const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
  return `${at > 0 ? '… ' : ''}${text.slice(at, at + 140)}${text.length > at + 140 ? ' …' : ''}`;
}

function show() {
  const found = find(input.value);
  chosen = -1;
  input.removeAttribute('aria-activedescendant');
  list.replaceChildren(...found.map(itemOf));
  if (found.length === 0 && input.value.trim() !== '') {
    const none = document.createElement('li');
    none.textContent = 'No section has these words.';
    none.setAttribute('role', 'option');
    none.setAttribute('aria-disabled', 'true');
    list.append(none);
  }
  setOpen(input.value.trim() !== '');
}

function itemOf({ url, page, heading, excerpt }, index) {
  const item = document.createElement('li');
  item.id = `result-${String(index)}`;
  item.setAttribute('role', 'option');
  item.dataset.url = root + url;
  item.addEventListener('click', () => open(item));
  const [title, where, text] = ['strong', 'small', 'span'].map((name) =>
    document.createElement(name),
  );
  title.textContent = heading;
  where.textContent = heading === page ? '' : page;
  text.textContent = excerpt;
  item.append(title, where, text);
  return item;
}

function open(item) {
  setOpen(false);
  location.href = item.dataset.url;
}

function setOpen(isOpen) {
  list.hidden = !isOpen;
  input.setAttribute('aria-expanded', String(isOpen));
}

function choose(step) {
  const items = [...list.querySelectorAll('[role=option]:not([aria-disabled])')];
  if (items.length === 0) return;
  chosen = (chosen + step + items.length) % items.length;
  for (const [index, item] of items.entries())
    item.setAttribute('aria-selected', String(index === chosen));
  input.setAttribute('aria-activedescendant', items[chosen].id);
  items[chosen].scrollIntoView({ block: 'nearest' });
}

input.addEventListener('input', show);
input.addEventListener('focus', () => input.value.trim() !== '' && show());
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    choose(event.key === 'ArrowDown' ? 1 : -1);
  } else if (event.key === 'Escape') setOpen(false);
});
input.form.addEventListener('submit', (event) => {
  event.preventDefault();
  const item = list.querySelectorAll('[data-url]')[Math.max(0, chosen)];
  if (item !== undefined) open(item);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea')) return;
  event.preventDefault();
  input.focus();
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('form')) setOpen(false);
});
// On a telephone the list of pages is closed.
if (matchMedia('(width < 60rem)').matches) document.querySelector('.menu').open = false;
