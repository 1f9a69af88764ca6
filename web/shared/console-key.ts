const name = 'vouch-console';

/**
 * Keeps the key that comes in the fragment of the address after a link was opened, which browsers
 * do not send, and removes it from the address at once, in favour of `then`. Returns whether there
 * was one.
 */
export function takeKey(then: string): boolean {
  const [, key] = /^#enter=([\w-]+)$/.exec(location.hash) ?? [];
  if (key === undefined) return false;
  keepKey(key);
  history.replaceState(null, '', `${location.pathname}${then}`);
  return true;
}

/** Keeps the key for the pages of this origin. */
export function keepKey(key: string): void {
  localStorage.setItem(name, key);
}

/** The header with the key, beside the cookie, which every page of this host sends. */
export function keyHeader(): Readonly<Record<string, string>> {
  return { 'Vouch-Console': localStorage.getItem(name) ?? '' };
}
