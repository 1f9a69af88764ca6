/** Light and dark: as the machine has it, or as the reader wants it. Paper is always white. */
export const themeScript = String.raw`
const themeNames = { system: 'system colours', light: 'light', dark: 'dark' };
const themes = { system: 'screen and (prefers-color-scheme: dark)', light: 'not all', dark: 'screen' };

/* The one rule of the style sheet that holds the dark colours says when they are wanted. */
function wear(theme) {
  const rule = [...document.styleSheets[0].cssRules].find((each) => each.media?.mediaText.includes('prefers-color-scheme') || each.dark);
  rule.dark = true;
  rule.media.mediaText = themes[theme];
  document.documentElement.style.colorScheme = theme === 'system' ? '' : theme;
}

/* Where a browser keeps nothing for files, the choice lasts as long as the page. */
function remembered() {
  try { return localStorage.getItem('vouch-theme') ?? 'system'; } catch { return 'system'; }
}

function themeSwitch() {
  const select = h('select', { class: 'theme', 'aria-label': 'Colours' }, Object.keys(themes).map((name) => h('option', { value: name }, themeNames[name])));
  select.value = Object.hasOwn(themes, remembered()) ? remembered() : 'system';
  wear(select.value);
  select.addEventListener('change', () => {
    wear(select.value);
    try { localStorage.setItem('vouch-theme', select.value); } catch { /* See above. */ }
  });
  return select;
}
`;
