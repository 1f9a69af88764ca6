import { plainName, alternatives, namePattern } from '../../contract/infer/infer-names.ts';
import { oncePer } from '../../contract/lazy.ts';
import type { HeaderSpec, Schema } from '../../contract/model.ts';
import { encodeParameter } from '../../contract/parameter/encode-parameter.ts';
import { expectedValue, readScalar } from '../../contract/parameter/expected-value.ts';
import { headerForm } from '../../contract/parameter/parameter-form.ts';
import { type HeaderList, headerValue, isSuccess } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';
import { plainValue } from '../../values/plain-value.ts';
import { entityTag } from '../records/record-fields.ts';
import { headerText } from '../errors/visible-text.ts';

/** Adds documented headers: required ones, and those whose value is known. */
export function fillHeaders(documented: readonly HeaderSpec[], facts: HeaderFacts): HeaderList {
  return documented.flatMap((header) => {
    if (headerValue(facts.present, header.name) !== undefined) return [];
    const role = roleOf(header);
    if (role === 'framing') return [];
    const value =
      known(header, role, facts) ?? (header.required ? make(header, facts.seed) : undefined);
    return value === undefined ? [] : [[header.name, headerText(value)] as const];
  });
}

/** The documented headers that have a valid example of a name, with that example. */
export function namedHeaders(documented: readonly HeaderSpec[], name: string): HeaderList {
  return documented.flatMap((header) => {
    const example = header.examples.find((each) => each.name === name);
    const value = example && asTyped(header, example.value);
    return value === undefined || roleOf(header) === 'framing' || !isValid(header, value)
      ? []
      : [[header.name, headerText(write(header, value))] as const];
  });
}

function roleOf({ name, schema }: HeaderSpec): HeaderRole | 'framing' | 'none' {
  return roleNamed(schema, name);
}

/** The role of a header with a schema, by its name. */
const roleNamed = oncePer((_: Schema, name: string) => headerRole(plainName(name)) ?? 'none');

/**
 * The value of a header: the contract's example, unless the response implies another one; otherwise
 * from the name of the header.
 */
function known(
  header: HeaderSpec,
  role: HeaderRole | 'none',
  facts: HeaderFacts,
): string | undefined {
  if (role === 'none' || !(header.required || role.optional(facts))) return undefined;
  const shown = role.describesState ? undefined : exampleOf(header);
  const value = shown ?? role.values(facts).find((candidate) => isValid(header, candidate));
  return value === undefined ? undefined : write(header, value);
}

function make(header: HeaderSpec, seed: string): string | undefined {
  const example = exampleOf(header);
  if (example !== undefined) return write(header, example);
  const made = plainValue(header.schema, { seed: `${seed} ${header.name}`, direction: 'response' });
  return made.ok ? write(header, made.value) : undefined;
}

function exampleOf(header: HeaderSpec): JsonValue | undefined {
  return header.examples
    .map(({ value }) => asTyped(header, value))
    .find((value) => isValid(header, value));
}

/** The example of a header is often its text in the message: `"60"` for 60. */
function asTyped({ schema }: HeaderSpec, value: JsonValue): JsonValue {
  if (typeof value !== 'string') return value;
  const reading = readScalar(value, expectedValue(schema).types);
  return reading.ok ? reading.values[0] : value;
}

function isValid({ schema }: HeaderSpec, value: JsonValue): boolean {
  return schema.validate(value, 'response').length === 0;
}

function write(header: HeaderSpec, value: JsonValue): string {
  const encoded = encodeParameter(headerForm(header), value);
  return encoded.in === 'header' ? encoded.value : '';
}

/** The facts from which headers are filled in. */
interface HeaderFacts {
  readonly status: number;
  /** The fields that the response already has. */
  readonly present: HeaderList;
  /** The total number of records, if the response is a list. */
  readonly total: number | undefined;
  /** The record or other state in the response; undefined if there is none. */
  readonly state: JsonValue | undefined;
  /** The number of bytes of the body. */
  readonly size: number;
  readonly seed: string;
  readonly now: Date;
}

/** The meaning of a header, by its name. */
interface HeaderRole {
  /** Plausible values, best first. */
  values(facts: HeaderFacts): readonly JsonValue[];
  /** Whether it describes this response, so that an example could be wrong. */
  readonly describesState?: boolean;
  /** Whether to send it although the contract does not require it. */
  optional(facts: HeaderFacts): boolean;
}

const always = (): boolean => true;
const never = (): boolean => false;
const inAnHour = (now: Date): Date => new Date(now.getTime() + 3_600_000);
const seconds = (moment: Date): number => Math.floor(moment.getTime() / 1000);
/**
 * For a created record, the behaviour sets the location: any other URL would point to another
 * record.
 */
const redirects = new Set([202, 301, 302, 303, 307, 308]);

/** An entity tag in the forms that contracts allow: strong, weak, or without quotes. */
const tagForms = (tag: string): string[] => [`"${tag}"`, `W/"${tag}"`, tag];

/** The entity tag of a state as the documented header shows it. */
export function writeEntityTag(documented: readonly HeaderSpec[], state: JsonValue): string {
  const forms = tagForms(entityTag(state));
  const header = documented.find(({ name }) => plainName(name) === 'etag');
  const [strong = ''] = forms;
  return forms.find((form) => header === undefined || isValid(header, form)) ?? strong;
}

const framing = alternatives(
  'contentlength transferencoding contentencoding connection keepalive trailer upgrade te date',
);

/** All of a body, as the range that a 206 has (RFC 9110, section 14.4). */
export function rangeOf(size: number): string {
  return `bytes 0-${String(size - 1)}/${String(size)}`;
}

/**
 * Headers of the registry of HTTP fields whose values have a grammar, and one value of it: sent if
 * a contract requires them and says no more than that they are texts.
 */
const usualTexts: Readonly<Record<string, readonly JsonValue[]>> = {
  // Without `--cors`, which says what they are (Fetch, section 3.2.3), any page may read.
  'accesscontrol(alloworigin|allowheaders|allowmethods|exposeheaders)|timingalloworigin': ['*'],
  accesscontrolmaxage: [600, '600'],
  accesscontrolallowcredentials: [true, 'true'],
  age: [0, '0'],
  allow: ['GET, HEAD'],
  'accept(patch|post|query)?': ['application/json'],
  acceptencoding: ['gzip'],
  'acceptlanguage|contentlanguage': ['en'],
  acceptranges: ['none'],
  altsvc: ['h3=":443"'],
  '(cdn)?cachecontrol|pragma': ['no-cache'],
  clearsitedata: ['"cache"'],
  contentdisposition: ['attachment; filename="sample"'],
  'contentsecuritypolicy(reportonly)?': ["default-src 'self'"],
  '(content|repr)digest': ['sha-256=:AAAA:'],
  digest: ['SHA-256=AAAA'],
  'crossorigin(embedder|opener|resource)policy': ['same-origin'],
  link: ['<https://example.com/items?page=2>; rel="next"'],
  permissionspolicy: ['geolocation=()'],
  preferenceapplied: ['return=minimal'],
  ratelimitpolicy: ['60;w=3600', '"default";q=60;w=3600'],
  referrerpolicy: ['no-referrer'],
  server: ['Example/1.0'],
  servertiming: ['db;dur=5'],
  setcookie: ['session=sample; Path=/; HttpOnly'],
  stricttransportsecurity: ['max-age=31536000'],
  traceparent: [`00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`],
  vary: ['Accept'],
  via: ['1.1 example'],
  warning: ['199 - "sample"'],
  '(www|proxy)authenticate': ['Bearer'],
  xcontenttypeoptions: ['nosniff'],
  xframeoptions: ['DENY'],
};

/**
 * The meaning of headers by normalised name (lower case, letters and digits only). Framing headers
 * are left to the server.
 */
const byName: readonly (readonly [RegExp, HeaderRole | 'framing'])[] = [
  [namePattern(`^(${framing})$`), 'framing'],
  [
    /^x?(total|totalcount|count|paginationcount|totalitems)$/,
    {
      values: ({ total }) => (total === undefined ? [] : [total, String(total)]),
      optional: always,
      describesState: true,
    },
  ],
  [
    /^x?(result|returned|item)count$/,
    {
      values: ({ state }) => (Array.isArray(state) ? [state.length, String(state.length)] : []),
      optional: always,
      describesState: true,
    },
  ],
  [
    /^x?(ratelimitlimit|ratelimit)$/,
    { values: () => [60, '60', 'limit=60, remaining=59, reset=3600'], optional: always },
  ],
  [/^x?ratelimitremaining$/, { values: () => [59, '59'], optional: always }],
  [/^x?ratelimitused$/, { values: () => [1, '1'], optional: always }],
  [
    /^xratelimitreset$/,
    {
      values: ({ now }) => [
        seconds(inAnHour(now)),
        inAnHour(now).toISOString(),
        String(seconds(inAnHour(now))),
      ],
      optional: always,
    },
  ],
  [
    /^ratelimitreset$/,
    { values: ({ now }) => [3600, inAnHour(now).toISOString(), '3600'], optional: always },
  ],
  [
    /^retryafter$/,
    {
      values: ({ now }) => [1, '1', inAnHour(now).toUTCString()],
      optional: ({ status }) => status === 429 || status === 503,
    },
  ],
  [
    /^(content)?location$/,
    {
      values: () => ['https://example.com/items/42', '/items/42'],
      optional: ({ status }) => redirects.has(status),
    },
  ],
  [
    /^etag$/,
    {
      values: ({ state, seed }) => tagForms(entityTag(state ?? seed)),
      optional: ({ status, state }) => isSuccess(status) && state !== undefined,
      describesState: true,
    },
  ],
  [
    /^(lastmodified|expires|sunset)$/,
    { values: ({ now }) => [now.toUTCString(), now.toISOString()], optional: never },
  ],
  [
    /^contentrange$/,
    {
      values: ({ status, size }) =>
        status === 416 ? [`bytes */${String(size)}`] : size === 0 ? [] : [rangeOf(size)],
      optional: ({ status }) => status === 206 || status === 416,
      describesState: true,
    },
  ],
  // RFC 9745, and the drafts before it.
  [
    /^deprecation$/,
    {
      values: ({ now }) => [`@${String(seconds(now))}`, 'true', true, now.toUTCString()],
      optional: never,
    },
  ],
  ...Object.entries(usualTexts).map(([names, values]): readonly [RegExp, HeaderRole] => [
    namePattern(`^(${names})$`),
    { values: () => values, optional: never },
  ]),
];

/** The role of a header by its normalised name; undefined if the name is not known. */
function headerRole(name: string): HeaderRole | 'framing' | undefined {
  return byName.find(([names]) => names.test(name))?.[1];
}
