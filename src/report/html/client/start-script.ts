/** The page comes into being: what waited for it goes. */
export const startScript = String.raw`
document.title = end.headline + ': ' + (run === undefined ? 'vouch check' : visible(run.target));
document.getElementById('wait').replaceWith(h('div', { id: 'page' }, pageHead(), nav, view, h('footer', { class: 'dim' }, 'Made by vouch. Press ', h('kbd', {}, '?'), ' for keys.'), help));
render();
history.replaceState({ known: true }, '');
`;
