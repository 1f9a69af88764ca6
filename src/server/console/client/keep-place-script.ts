/**
 * What a person was at stays where it is while a view is made anew, and the state is made anew when
 * requests change it.
 */
export const keepPlaceScript = String.raw`
const mostOftenMs = 700;

/* Notes what is searched for and where the focus is; what comes back puts both into the view that has taken the place. */
function notePlace() {
  const held = view.contains(document.activeElement) && document.activeElement !== view ? document.activeElement : undefined;
  const words = document.getElementById('search')?.value ?? '';
  const aside = view.querySelector('.scroll')?.scrollLeft ?? 0;
  const caret = held?.tagName === 'INPUT' ? held.selectionStart : null;
  return () => {
    const search = document.getElementById('search');
    if (search?.tagName === 'INPUT' && search.value !== words) {
      search.value = words;
      search.dispatchEvent(new Event('input'));
    }
    if (aside > 0) view.querySelector('.scroll')?.scrollTo({ left: aside });
    if (held === undefined) return;
    const same = [...view.querySelectorAll(held.tagName)].find((node) => wordsOf(node) === wordsOf(held)) ?? view;
    same.focus({ preventScroll: true });
    if (caret !== null && same !== view) same.setSelectionRange(caret, caret);
  };
}

function wordsOf(node) {
  return node.id || node.getAttribute('aria-label') || node.textContent;
}

/* Nobody looks at a hidden page, and nobody is interrupted: an open dialog or choice is let be until it is done with, and so is what nobody would put back. */
function isBadMoment() {
  const at = document.activeElement;
  return document.hidden || document.querySelector('dialog[open]') !== null || (view.contains(at) && /^(SELECT|INPUT|TEXTAREA)$/.test(at.tagName) && at.id !== 'search');
}

function followState() {
  let waiting;
  const again = () => {
    waiting = undefined;
    if (isBadMoment()) later();
    else render();
  };
  const later = () => { waiting ??= setTimeout(again, mostOftenMs); };
  const changes = ({ method, session: of }) => !/^(GET|HEAD|OPTIONS)$/.test(method) && (of ?? 'default') === session.name;
  const follow = ({ kind, fresh }) => { if (kind === 'replaced' || (kind === 'added' && fresh.some(changes))) later(); };
  feed.listeners.add(follow);
  leaving(() => { clearTimeout(waiting); feed.listeners.delete(follow); });
}
`;
