import { type Random, plainUuid } from './random.ts';
import { wordsIn } from '../words-in.ts';
import { dayText, mailOf, momentText, personOf, timeText } from './people-and-dates.ts';

/** A string format: usual texts, unusual valid texts, and invalid texts. */
export interface FormatTexts {
  /**
   * Usual texts, the most common first, then shorter ones. `shared` is the random source of the
   * surrounding record.
   */
  plain(random: Random, name: string, shared?: Random): readonly string[];
  /** Unusual texts that are valid. */
  readonly edges: readonly string[];
  /** Texts that violate the format, the clearest first. */
  readonly broken: readonly string[];
  /** A usual text of exactly that length, if the format allows any length. */
  stretch?(length: number): string;
}

const pictures = ['amber', 'birch', 'cedar', 'grove', 'harbor'];
const pages = ['about', 'guides/start', 'items/42', 'news'];

const uri: FormatTexts = {
  plain: (random, name) => [
    /image|photo|avatar|picture|logo|icon|thumbnail|cover/.test(name)
      ? `https://example.com/images/${random.pick(pictures)}.jpg`
      : `https://example.com/${random.pick(pages)}`,
    'https://example.com',
    'http://a.co',
    'urn:a',
  ],
  edges: ['https://example.com:8443/path?query=1#part', 'http://[::1]/', 'urn:isbn:0451450523'],
  broken: ['not a uri', 'http://', '://example.com', 'example.com/path', 'https://exa mple.com'],
  stretch: (length) => `https://example.com/${'a'.repeat(length)}`.slice(0, length),
};

const email: FormatTexts = {
  plain: (random, _name, shared = random) => [
    mailOf(personOf(shared), random),
    `${random.pick('jksar'.split(''))}@b.co`,
  ],
  edges: ['first.last+tag@sub.example.com', "o'hara@example.com", 'a@b.co'],
  broken: ['not-an-email', 'someone@', '@example.com', 'two@@example.com', 'some one@example.com'],
  stretch: (length) => stretchEmail(length),
};

/** Local part and labels stay within 64 and 63 characters (RFC 5321, section 4.5.3.1). */
function stretchEmail(length: number): string {
  const tail = '.example.com';
  const local = 'a'.repeat(Math.min(64, Math.max(1, length - tail.length - 2)));
  let domain = '';
  for (
    let missing = length - local.length - 1 - tail.length;
    missing > 0;
    missing = length - local.length - 1 - tail.length - domain.length
  ) {
    domain +=
      domain === '' || missing === 1
        ? 'b'.repeat(Math.min(63, missing))
        : `.${'b'.repeat(Math.min(63, missing - 1))}`;
  }
  return `${local}@${domain}${tail}`;
}

const hostname: FormatTexts = {
  plain: () => ['www.example.com', 'example.com', 'a.co', 'a'],
  edges: ['xn--bcher-kva.example', 'a', '123.example.com'],
  broken: ['-bad-.example.com', 'exa mple.com', 'under_score.example.com', 'a..b'],
};

const ipv6: FormatTexts = {
  plain: () => ['2001:db8::1', '::1'],
  edges: ['::', '2001:db8:0:0:0:0:0:1', '::ffff:192.0.2.1'],
  broken: ['2001:db8::1::2', '12345::1', '192.0.2.1', ':::'],
};

const anyText: Omit<FormatTexts, 'plain'> = { edges: [], broken: [] };

/**
 * The string formats that vouch generates (JSON Schema Validation 2020-12, section 7.3, and the
 * OpenAPI format registry).
 */
export const formatTexts: Readonly<Record<string, FormatTexts>> = {
  'date-time': {
    plain: (random, name) => [momentText(random, name)],
    edges: [
      '2024-02-29T23:59:59Z',
      '2024-12-31T23:59:59.999Z',
      '2000-01-01T00:00:00+02:00',
      '1970-01-01T00:00:00Z',
    ],
    broken: wordsIn(
      'not-a-date-time 2024-02-30T00:00:00Z 2024-03-15T10:00:00 2024-03-15',
      '2024-03-15T25:00:00Z',
    ),
  },
  date: {
    plain: (random, name) => [dayText(random, name)],
    edges: ['2024-02-29', '1999-12-31', '2000-01-01', '1970-01-01'],
    broken: wordsIn(
      'not-a-date 2024-02-30 2023-02-29 2024-13-01 15/03/2024 2024-3-5 2024-03-15T10:00:00Z',
    ),
  },
  time: {
    plain: (random) => [timeText(random)],
    edges: ['00:00:00Z', '23:59:59.999Z', '12:00:00+02:00'],
    broken: ['not-a-time', '25:00:00Z', '10:61:00Z', '10:00'],
  },
  duration: {
    plain: () => ['PT30M', 'P1D'],
    edges: ['P1Y2M3DT4H5M6S', 'P2W', 'PT0S'],
    broken: ['not-a-duration', 'P', '30 minutes', 'PT'],
  },
  email,
  'idn-email': email,
  hostname,
  'idn-hostname': hostname,
  ipv4: {
    plain: (random) => [`192.0.2.${random.integer(1, 254)}`, '1.1.1.1'],
    edges: ['0.0.0.0', '255.255.255.255', '127.0.0.1'],
    broken: ['256.1.1.1', '192.0.2', '192.0.2.1.5', 'not-an-ip', '::1'],
  },
  ipv6,
  uri,
  url: {
    ...uri,
    edges: ['https://example.com:8443/path?query=1'],
    broken: ['not a url', 'http://', 'example.com/path'],
  },
  iri: uri,
  'uri-reference': {
    plain: (random) => [`/${random.pick(pages)}`, '/a', 'a'],
    edges: ['?query=1', '#part', '../up'],
    broken: ['exa mple', 'a\\b', '%zz'],
  },
  'iri-reference': { plain: () => ['/about', 'a'], edges: ['../up'], broken: ['a\\b'] },
  'uri-template': {
    plain: () => ['/items/{id}', '/a'],
    edges: ['/search{?q,page}'],
    broken: ['/items/{id', '/items/{}'],
  },
  uuid: {
    plain: (random) => [plainUuid(random, () => random.pick(['8', '9', 'a', 'b']))],
    edges: ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF'],
    broken: [
      'not-a-uuid',
      '7f9c24e8-3b12-4fef-91e0-56a2d5a4f0',
      '7f9c24e83b124fef91e056a2d5a4f0c1',
      'g7f9c24e-3b12-4fef-91e0-56a2d5a4f0c1',
    ],
  },
  'json-pointer': { plain: () => ['/name', ''], edges: ['', '/a~1b/0'], broken: ['name', '/a~2'] },
  'relative-json-pointer': { plain: () => ['1/name', '0'], edges: ['0#'], broken: ['/name', '01'] },
  regex: { plain: () => ['^[a-z]+$', 'a'], edges: [''], broken: ['(', '[a-'] },
  byte: {
    plain: () => ['aGVsbG8=', 'YQ=='],
    edges: ['', 'AA==', '+/+/'],
    broken: ['not base64!', 'a', 'aGVsbG8'],
    stretch: (length) => 'YWFh'.repeat(Math.floor(length / 4)),
  },
  base64url: {
    plain: () => ['aGVsbG8', 'YQ'],
    edges: ['', 'AA', '-_-_'],
    broken: [],
    stretch: (length) => 'YWFh'.repeat(Math.floor(length / 4)),
  },
  binary: { ...anyText, plain: () => ['hello'] },
  // Digits that a text carries, where a double might round them.
  int64: { ...anyText, plain: (random) => [String(random.integer(10_000, 99_999)), '7'] },
  int32: { ...anyText, plain: (random) => [String(random.integer(10_000, 99_999)), '7'] },
  password: {
    ...anyText,
    plain: (random) => [`Quiet-River-${random.integer(10, 99)}`, 'Qr-7x!pw'],
  },
};
