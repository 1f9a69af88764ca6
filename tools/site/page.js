// What a page does besides the search: its colours, copies of code, the menu of a telephone.
const order = ['system', 'light', 'dark'];
const themeButton = document.querySelector('#theme');

function nameTheme() {
  const { theme } = document.documentElement.dataset;
  themeButton.textContent = { system: '◐ System', light: '☀ Light', dark: '☾ Dark' }[theme];
  themeButton.setAttribute('aria-label', `Colours: ${theme}. Change them.`);
}

themeButton.hidden = false;
themeButton.addEventListener('click', () => {
  const at = order.indexOf(document.documentElement.dataset.theme);
  globalThis.themes.choose(order[(at + 1) % order.length]);
  nameTheme();
});
nameTheme();

// Each block of code can be copied.
for (const code of document.querySelectorAll('main pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(code.textContent).then(() => {
      button.textContent = 'Copied';
      setTimeout(() => (button.textContent = 'Copy'), 2000);
    });
  });
  const holder = document.createElement('div');
  holder.className = 'code';
  code.replaceWith(holder);
  holder.append(code, button);
}

// The list of pages begins near the current one.
const menu = document.querySelector('.menu');
const current = menu.querySelector('[aria-current]');
if (current !== null) menu.scrollTop = current.offsetTop - menu.clientHeight / 2;
// On a telephone the list of pages is closed.
if (matchMedia('(width < 60rem)').matches) menu.open = false;
