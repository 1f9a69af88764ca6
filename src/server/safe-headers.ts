const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
// The complement of what RFC 9110, section 5.5, allows in a field value, and Node checks: control characters but tab.
const control = /[\x00-\x08\x0a-\x1f\x7f]/g;
const beyondLatin = /[^\x00-\xff]/;
/** Visible ASCII with single steps of white space inside: what nearly every value is made of, and nothing has to be done to. */
const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Whether a text can be the name of a field (RFC 9110, section 5.1). */
export function isFieldName(name: string): boolean {
  return token.test(name);
}

/** A value as Node sends it: a control character becomes a space, what is beyond Latin-1 goes out as UTF-8 (RFC 9110, section 5.5). */
export function safeValue(value: string): string {
  if (plain.test(value)) return value;
  const bytes = beyondLatin.test(value) ? Buffer.from(value, 'utf8').toString('latin1') : value;
  return bytes.replaceAll(control, ' ').trim();
}
