import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { WorkMeter } from './work-meter.ts';

const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };
const int64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };

/** Whether a number is an integer that 32 bits hold (OpenAPI format registry, `int32`). */
export function isInt32(value: number | bigint): boolean {
  return (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= int32.minimum &&
    value <= int32.maximum
  );
}

/**
 * Whether a number is an integer that 64 bits hold (OpenAPI format registry, `int64`). Exact for
 * `bigint`.
 */
export function isInt64(value: number | bigint): boolean {
  // What a double holds exactly, 64 bits do: nearly every number that is judged.
  if (Number.isSafeInteger(value)) return true;
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  const exact = BigInt(value);
  return exact >= int64.minimum && exact <= int64.maximum;
}

const always = { type: 'string', validate: () => true } as const;

/** Every format that vouch judges; what it costs to judge a text is spent on a meter. */
export function meteredFormats(meter: WorkMeter): Record<string, Format> {
  return Object.fromEntries(
    Object.entries(formats).map(([name, format]) => [name, metered(format, meter)]),
  );
}

function metered(format: Format, meter: WorkMeter): Format {
  const judge = testOf(format);
  if (judge === undefined) return format;
  return (text: string) => {
    meter.spend(1 + text.length);
    return judge(text);
  };
}

/** How a format judges a text; undefined where it judges none. */
function testOf(format: Format): ((text: string) => boolean) | undefined {
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return format;
  if (typeof format !== 'object' || format.type === 'number' || format.async === true)
    return undefined;
  const { validate } = format;
  if (validate instanceof RegExp) return (text) => validate.test(text);
  // A format of texts, for those of numbers are passed over above.
  return typeof validate === 'function' ? (validate as (text: string) => boolean) : undefined;
}

/** Those of ajv-formats, and those of the OpenAPI format registry. */
const formats: Readonly<Record<string, Format>> = {
  ...fullFormats,
  email: isEmail,
  'idn-email': isInternationalEmail,
  // No standard has it; that of ajv-formats takes no address of this machine or of a private
  // network.
  url: fullFormats.uri,
  int32: { type: 'number', validate: isInt32 },
  int64: { type: 'number', validate: isInt64 },
  float: { type: 'number', validate: () => true },
  double: { type: 'number', validate: () => true },
  password: always,
  binary: always,
};

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
function isEmail(text: string): boolean {
  return plain.test(withPlainDomain(withPlainLocalPart(text)));
}

/**
 * Whether a text may be an internationalized mailbox (RFC 6531): something before an `@` and
 * something after it, no white space.
 */
function isInternationalEmail(text: string): boolean {
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
