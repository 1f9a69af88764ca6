/** A text as one word for a POSIX shell, in which it reads nothing. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
