import { headerValue, withHeader, type HeaderList } from '../../http/message.ts';
import type { PreferenceName, Preferences } from './read-preferences.ts';

/**
 * Adds which of a client's preferences had their part in an answer (`Preference-Applied`, RFC 7240,
 * section 3), and that another `Prefer` would get another answer (`Vary`, RFC 9110, section
 * 12.5.5).
 */
export function tellPreferences(
  headers: HeaderList,
  { written }: Preferences,
  applied: readonly PreferenceName[],
): HeaderList {
  if (written.length === 0) return headers;
  const told = written.filter(({ name }) => applied.includes(name)).map(({ text }) => text);
  return told.length === 0 ? headers : [...vary(headers), ['Preference-Applied', told.join(', ')]];
}

function vary(headers: HeaderList): HeaderList {
  const before = headerValue(headers, 'vary');
  if (before === undefined) return [...headers, ['Vary', 'Prefer']];
  const names = before.split(',').map((name) => name.trim().toLowerCase());
  return names.includes('*') || names.includes('prefer')
    ? headers
    : withHeader(headers, 'Vary', `${before}, Prefer`);
}
