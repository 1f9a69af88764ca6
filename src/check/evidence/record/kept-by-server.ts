/**
 * Whether a field is one that a server keeps by itself, going by its name: when a record was
 * changed last, and how often.
 */
export function isKeptByServer(field: string): boolean {
  return /updat|modif|chang|version|revision|etag|time|date|_at$|At$/.test(field);
}
