import { plainForm } from '../../contract/parameter/parameter-form.ts';
import type { MediaTypeSpec, OutgoingOperation, Parameter, Schema } from '../../contract/model.ts';
import { encodeParameter } from '../../contract/parameter/encode-parameter.ts';
import {
  concreteType,
  isJsonMediaType,
  matchesMediaRange,
  parseMediaType,
} from '../../http/media-type.ts';
import { emptyBody, type HeaderList, headerValue } from '../../http/message.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../json/value.ts';
import { plainValue, type ValueResult } from '../../values/plain-value.ts';
import { mergePatch } from '../records/patch/json-patch.ts';
import { fieldsOf } from '../records/record-fields.ts';
import { type KnownMembers, type Making, setKnownMembers } from './known-members.ts';

/** The input of a request that the service sends. */
export interface OutgoingFacts {
  readonly known: KnownMembers;
  /** Header fields of the triggering request, which are copied if the contract declares them. */
  readonly headers: HeaderList;
  readonly seed: string;
  readonly making: Making;
  /** Required members of the body; members that are null are removed (RFC 7396). */
  readonly body?: JsonValue | undefined;
}

/** A request without its URL, or a clause that says why there is none. */
export type Written =
  | {
      readonly kind: 'written';
      readonly query: string;
      readonly headers: HeaderList;
      readonly body: Uint8Array;
    }
  | { readonly kind: 'impossible'; readonly reason: string };

/** Writes a callback or webhook as the contract documents it, with a valid body. */
export function writeOutgoing(outgoing: OutgoingOperation, facts: OutgoingFacts): Written {
  const parameters = writeParameters(outgoing, facts);
  if (typeof parameters === 'string') return { kind: 'impossible', reason: parameters };
  const content = chooseContent(outgoing.requestBody?.content ?? []);
  const common = [
    ['Vouch-Callback', headerSafe(outgoing.name)],
    ['User-Agent', 'vouch'],
  ] as const;
  if (content === undefined) {
    if (outgoing.requestBody?.required !== true && facts.body === undefined)
      return {
        kind: 'written',
        query: parameters.query,
        headers: [...common, ...parameters.headers],
        body: emptyBody,
      };
    return {
      kind: 'impossible',
      reason: 'has no body in a media type that vouch writes for requests: JSON, forms and text',
    };
  }
  const made = makeBody(content, facts);
  if (!made.ok) return { kind: 'impossible', reason: made.reason };
  const bytes = writeBody(content, made.value);
  if (bytes === undefined)
    return {
      kind: 'impossible',
      reason: `has a body that cannot be written as ${content.mediaType}`,
    };
  return {
    kind: 'written',
    query: parameters.query,
    headers: [['Content-Type', content.mediaType], ...common, ...parameters.headers],
    body: bytes,
  };
}

function formOf({ mediaType }: MediaTypeSpec): 'json' | 'form' | 'text' | undefined {
  if (isJsonMediaType(mediaType)) return 'json';
  const essence = parseMediaType(mediaType)?.essence ?? '';
  if (essence === 'application/x-www-form-urlencoded') return 'form';
  return essence.startsWith('text/') && !essence.endsWith('*') ? 'text' : undefined;
}

/** Prefers JSON, then forms, then text; a range that includes JSON is JSON. */
function chooseContent(content: readonly MediaTypeSpec[]): MediaTypeSpec | undefined {
  const concrete = content.map((entry) =>
    matchesMediaRange('application/json', entry.mediaType) || isJsonMediaType(entry.mediaType)
      ? { ...entry, mediaType: concreteType(entry.mediaType, false) }
      : entry,
  );
  return (['json', 'form', 'text'] as const).flatMap((form) =>
    concrete.filter((entry) => formOf(entry) === form),
  )[0];
}

function makeBody(
  { schema, examples }: MediaTypeSpec,
  { known, seed, making, body }: OutgoingFacts,
): ValueResult {
  if (schema === undefined) return { ok: true, value: patch(examples[0]?.value ?? {}, body) };
  const example = examples.find(({ value }) => schema.validate(value, 'request').length === 0);
  const base =
    example === undefined ? makeBase(schema, seed) : { ok: true as const, value: example.value };
  if (!base.ok) return { ok: false, reason: `has no body that vouch can make: ${base.reason}` };
  const filled = isJsonObject(base.value)
    ? setKnownMembers(schema, base.value, { known, making })
    : base.value;
  const value = patch(filled, body);
  const issue = body === undefined ? undefined : schema.validate(value, 'request')[0];
  return issue === undefined
    ? { ok: true, value }
    : {
        ok: false,
        reason:
          'has a body that breaks the contract: ' +
          `${issue.at === '' ? 'it' : issue.at} ${issue.message}`,
      };
}

function patch(value: JsonValue, body: JsonValue | undefined): JsonValue {
  return body === undefined ? value : mergePatch(value, body);
}

/** Uses the record as in responses, with its identifier, if the schema allows it. */
function makeBase(schema: Schema, seed: string): ValueResult {
  const shown = plainValue(schema, { seed, direction: 'response' });
  return shown.ok && schema.validate(shown.value, 'request').length === 0
    ? shown
    : plainValue(schema, { seed, direction: 'request' });
}

function writeBody(content: MediaTypeSpec, value: JsonValue): Uint8Array | undefined {
  const form = formOf(content);
  if (form === 'json') return encode(stringifyJson(value));
  if (form === 'text') return typeof value === 'string' ? encode(value) : undefined;
  return isJsonObject(value) ? encode(writeForm(content.schema, value)) : undefined;
}

/** Writes each member in the style `form`, exploded (OpenAPI 3.1, section 4.8.15). */
function writeForm(schema: Schema | undefined, members: JsonObject): string {
  const fields = schema === undefined ? undefined : fieldsOf(schema);
  return Object.entries(members)
    .flatMap(([name, value]) => {
      const part = fields?.get(name)?.schema ?? schema;
      const nested = typeof value === 'object' && value !== null && !Array.isArray(value);
      if (part === undefined || nested) {
        const text = typeof value === 'string' ? value : stringifyJson(value);
        return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
      }
      const written = encodeParameter(plainForm(name, 'query', part), value);
      return written.in === 'query' && written.pairs !== '' ? [written.pairs] : [];
    })
    .join('&');
}

/** The required parameters, or a clause that names one that cannot be made. */
function writeParameters(
  { parameters }: OutgoingOperation,
  facts: OutgoingFacts,
): { readonly query: string; readonly headers: HeaderList } | string {
  const pairs: string[] = [];
  const headers: [string, string][] = [];
  for (const parameter of parameters.filter(({ required }) => required)) {
    const made = parameterValue(parameter, facts);
    if (!made.ok)
      return `has no value for its ${parameter.in} parameter ${parameter.name}: ${made.reason}`;
    const written = encodeParameter(parameter, made.value);
    if (written.in === 'query') pairs.push(written.pairs);
    if (written.in === 'header') headers.push([written.name, written.value]);
    if (written.in === 'cookie') headers.push(['Cookie', written.pair]);
  }
  return { query: pairs.join('&'), headers };
}

function parameterValue(
  { name, schema, examples, in: location }: Parameter,
  { known, headers, seed }: OutgoingFacts,
): ValueResult {
  const candidates = [
    location === 'header' ? headerValue(headers, name) : undefined,
    known.get(name),
    ...examples.map(({ value }) => value),
  ];
  const value = candidates.find(
    (candidate) => candidate !== undefined && schema.validate(candidate, 'request').length === 0,
  );
  return value === undefined
    ? plainValue(schema, { seed: `${seed} ${name}`, direction: 'request' })
    : { ok: true, value };
}

function headerSafe(name: string): string {
  return /^[!-~]{1,200}$/.test(name) ? name : encodeURIComponent(name.toWellFormed()).slice(0, 200);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
