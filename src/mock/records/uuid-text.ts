const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A text as shelves are named by it: capitals do not count in a UUID (RFC 9562, section 4). */
export function plainText(text: string): string {
  return text.length === 36 && uuid.test(text) ? text.toLowerCase() : text;
}

/**
 * How else a text may be written that names the same: a UUID in small letters, and in capitals;
 * nothing for any other text.
 */
export function otherSpellings(text: string): readonly string[] {
  if (text.length !== 36 || !uuid.test(text)) return [];
  return [text.toLowerCase(), text.toUpperCase()].filter((spelling) => spelling !== text);
}
