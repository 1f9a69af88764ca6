// The search of the site: all in the browser, with the index that the build wrote.
const input = document.querySelector('#search');
const list = document.querySelector('#results');
const root = document.body.dataset.root ?? '';
const maxResults = 12;
let chosen = -1;
let loading;

/** Loads the index before the first search: it is larger than all else that a page needs. */
function loadIndex() {
  if (loading !== undefined) return;
  loading = document.createElement('script');
  loading.src = `${root}search-index.js`;
  loading.addEventListener('load', show);
  document.head.append(loading);
}

/** The sections that have all words; if there are none, those that have the nearest words. */
function find(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = sectionsWith(words);
  return found.length > 0 ? found : sectionsWith(words.map(nearestWord));
}

let vocabulary;

/** A word of the documentation that differs in one letter or two; the word itself without one. */
function nearestWord(word) {
  vocabulary ??= new Set(
    globalThis.searchIndex.flatMap(({ heading, text }) =>
      `${heading} ${text}`.toLowerCase().match(/[a-z]{3,}/g),
    ),
  );
  if (vocabulary.has(word)) return word;
  let [nearest, least] = [word, word.length > 5 ? 3 : 2];
  for (const known of vocabulary) {
    const apart = known === null ? least : distance(word, known, least);
    if (apart < least) [nearest, least] = [known, apart];
  }
  return nearest;
}

/** How many letters differ, are missing, too many, or swapped with the next; `most` if more. */
function distance(one, other, most) {
  if (Math.abs(one.length - other.length) >= most) return most;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  let before = row;
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1] ? 0 : 1;
      let least = Math.min(next[to - 1] + 1, row[to] + 1, row[to - 1] + same);
      if (one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1])
        least = Math.min(least, before[to - 2] + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[other.length];
}

/** The sections that have all words, those in a heading first. */
function sectionsWith(words) {
  if (words.length === 0) return [];
  const patterns = words.map(patternOf);
  return globalThis.searchIndex
    .map((section) => ({ section, score: scoreOf(section, patterns) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, maxResults)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, patterns[0]) }));
}

/** Words are found by how they begin, numbers as a whole: 401 is not the port 4010. */
function patternOf(word) {
  const literal = word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}])${literal}${/\d$/.test(word) ? '(?!\\d)' : ''}`, 'giu');
}

/** 0 if a word is missing. Decisions and what tells of the past come after everything else. */
function scoreOf({ url, page, heading, text }, patterns) {
  let score = 0;
  for (const pattern of patterns) {
    const [inHeading, inPage, inText] = [heading, page, text].map(
      (part) => part.match(pattern)?.length ?? 0,
    );
    if (inHeading + inPage + inText === 0) return 0;
    score += (inHeading > 0 ? 8 : 0) + (inPage > 0 ? 4 : 0) + Math.min(5, inText);
  }
  return /^(decisions|changelog|architecture|contributing)/.test(url) ? score / 20 : score;
}

function excerptOf(text, pattern) {
  const at = Math.max(0, text.search(pattern) - 40);
  return `${at > 0 ? '… ' : ''}${text.slice(at, at + 140)}${text.length > at + 140 ? ' …' : ''}`;
}

function show() {
  loadIndex();
  if (globalThis.searchIndex === undefined) return;
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
input.addEventListener('focus', show);
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
