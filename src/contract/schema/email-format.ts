import { fullFormats } from 'ajv-formats/dist/formats.js';

// ajv-formats knows the addresses that people have; these are the rest of what the grammar allows.
const plain = fullFormats.email as RegExp;
const ipv4 = fullFormats.ipv4 as RegExp;
const ipv6 = fullFormats.ipv6 as RegExp;
const quoted = /^"(?:[ !#-[\]-~]|\\[ -~])*"@/;
const literal = /@\[(?:IPv6:)?([\d.:a-f]+)\]$/i;

/**
 * Whether a text is a mailbox (RFC 5321, section 4.1.2): the local part may be quoted, the domain
 * may be an address in brackets.
 */
export function isEmail(text: string): boolean {
  return plain.test(withPlainDomain(withPlainLocalPart(text)));
}

/**
 * Whether a text may be an internationalized mailbox (RFC 6531): something before an `@` and
 * something after it, no white space.
 */
export function isInternationalEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/u.test(withPlainLocalPart(text));
}

function withPlainLocalPart(text: string): string {
  return text.replace(quoted, 'quoted@');
}

function withPlainDomain(text: string): string {
  const address = literal.exec(text)?.[1];
  if (address === undefined) return text;
  const isAddress = /\[IPv6:/i.test(text) ? ipv6.test(address) : ipv4.test(address);
  return isAddress ? text.replace(literal, '@literal.example') : text;
}
