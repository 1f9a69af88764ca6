import { plainName } from '../../contract/infer/infer-names.ts';
import { closeBody, openedNames } from '../../contract/infer/open-envelopes.ts';
import type { Schema } from '../../contract/model.ts';
import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../json/value.ts';
import { membersNamedIn } from '../../contract/words/refusal-hints.ts';
import { membersOf } from '../../json/body-members.ts';
import { mediaOf } from '../model/case.ts';
import type { Step } from '../model/step.ts';
import { jsonOf } from './read-answer.ts';
import { schemaAt } from './refusal.ts';
import { namesIn, pathOf, textsOf } from './request-parts.ts';
import { looksLike } from '../../words-in.ts';

/** A part of a request that the answer to it names. */
export interface NamedPart {
  /** The name of the parameter, or of the member of the body. */
  readonly part: string;
  /** The place within the request, as people write it: `source.file`. */
  readonly path: string;
  /** The place of its schema in the contract. */
  readonly at: Pointer;
  /** Whether the contract lists its values. */
  readonly isListed: boolean;
}

/**
 * The parts of a request that a refusal names: by a pointer or the path of a field
 * (`#/source/file`, `body.source.file`, `["body", "source", "file"]`), as members of its own
 * (`errors.name`), or in words. Empty if it names none.
 */
export function namedParts(step: Step): NamedPart[] {
  const parts = partsAround(step);
  const value = jsonOf(step.answer);
  const known = new Set(parts.map(({ part }) => plainName(part)));
  const isPart = (name: string): boolean => known.has(plainName(name.split('.')[0] ?? ''));
  const paths =
    value === undefined ? [] : [...pathsIn(value, isPart)].map((path) => inFields(step, path));
  const pointed = parts.filter(({ tokens }) => paths.some((path) => leadsTo(path, tokens)));
  const found = pointed.length > 0 ? pointed : partsInWords(step, parts);
  // `source` is named by `source.file` too.
  return found.filter(({ path }) => !found.some((inner) => inner.path.startsWith(`${path}.`)));
}

/** The parts of a request whose text a refusal quotes as a whole word, of any length. */
export function quotedParts(step: Step): NamedPart[] {
  const said = new TextDecoder().decode(step.exchange.response?.body).slice(0, longestText);
  const texts = textsOf(step.case);
  return partsAround(step).filter(({ path }) => isQuoted(said, texts.get(path) ?? ''));
}

function isQuoted(said: string, text: string): boolean {
  const at = text === '' ? -1 : said.indexOf(text);
  const isBound = (one: string): boolean => !/[\p{L}\p{N}]/u.test(one);
  return at >= 0 && isBound(said.slice(at - 1, at)) && isBound(said.charAt(at + text.length));
}

interface Part extends NamedPart {
  readonly tokens: readonly string[];
}

/** The parameters of an operation, and the members that its body has or may have. */
function partsAround({ case: testCase, sent }: Step): Part[] {
  const { operation } = testCase;
  const body = mediaOf(testCase)?.schema;
  const whole = operation.requestBody?.pointer ?? operation.pointer;
  const parameters = operation.parameters.map(({ name, schema }): Part => ({
    part: name,
    path: name,
    at: placeOf(schema),
    isListed: isListed(schema),
    tokens: [plainName(name)],
  }));
  const present = membersOf(sent.body ?? null).map(({ at }) => at);
  const declared = [...(body?.flatten().properties.keys() ?? [])].map((name) =>
    joinPointer('', name),
  );
  const members = [...new Set([...present, ...declared])].map((place): Part => {
    const schema = body && schemaAt(body, place);
    const names = namesIn(place);
    return {
      part: names[0] ?? '',
      path: names.join('.'),
      at: schema === undefined ? whole : placeOf(schema),
      isListed: isListed(schema),
      tokens: names.map(plainName),
    };
  });
  return [...parameters, ...members.filter(({ tokens }) => tokens.length > 0)];
}

function isListed(schema: Schema | undefined): boolean {
  const { enum: values, const: only } = schema?.flatten().node ?? {};
  return values !== undefined || only !== undefined;
}

/** The place of a schema, where a reference leads: members that share it have one cause. */
function placeOf(schema: Schema): Pointer {
  return schema.follow(schema).pointer;
}

const longestPath = 120;

/** A path by the fields of a body, if it leads through the envelope around them. */
function inFields({ case: testCase }: Step, path: readonly string[]): readonly string[] {
  const envelope = mediaOf(testCase)?.envelope;
  if (envelope === undefined) return path;
  const names = path.filter((name) => name !== '' && !isIndex(name));
  const start = locations.includes(plainName(names[0] ?? '')) ? 1 : 0;
  const opened = openedNames(envelope, names.slice(start), plainName);
  return opened === undefined || opened.length === 0 ? path : opened;
}

/** The texts, lists of texts and names of members in an answer that may lead to a place. */
function* pathsIn(
  value: JsonValue,
  isPart: (name: string) => boolean,
  depth = 0,
): Generator<readonly string[]> {
  if (depth > 5) return;
  if (typeof value === 'string') {
    if (value.length <= longestPath && !/\s/.test(value)) yield value.split(/[./[\]#$]+/);
  } else if (isJsonArray(value)) {
    if (value.every((item) => ['string', 'number'].includes(typeof item))) yield value.map(String);
    for (const item of value) yield* pathsIn(item, isPart, depth + 1);
  } else if (isJsonObject(value)) {
    yield* messageNames(value, isPart, depth);
    for (const held of Object.values(value)) yield* pathsIn(held, isPart, depth + 1);
  }
}

/** The members of an answer that are called as what is wrong: `{"name": ["is too long"]}`. */
function* messageNames(
  value: JsonObject,
  isPart: (name: string) => boolean,
  depth: number,
): Generator<readonly string[]> {
  const isText = (held: JsonValue): boolean => typeof held === 'string';
  const entries = Object.entries(value);
  const areMessages = depth > 0 && entries.every(([name, held]) => isPart(name) && isText(held));
  for (const [name, held] of entries)
    if (areMessages || (isJsonArray(held) && held.length > 0 && held.every(isText)))
      yield name.split('.');
}

/** Where a path may begin, before the names: the part of the request. */
const locations = ['body', 'query', 'path', 'header', 'cookie', 'request', 'params'];

function leadsTo(path: readonly string[], tokens: readonly string[]): boolean {
  const names = path.filter((name) => name !== '' && !isIndex(name)).map(plainName);
  const [first = ''] = names;
  const isTo = (from: readonly string[]): boolean =>
    from.length === tokens.length && from.every((name, index) => name === tokens[index]);
  return isTo(names) || (locations.includes(first) && isTo(names.slice(1)));
}

const isIndex = looksLike(/^\d+$/);

function partsInWords(step: Step, parts: readonly Part[]): Part[] {
  const { answer, exchange, sent } = step;
  const value = jsonOf(answer);
  const text =
    value === undefined
      ? new TextDecoder().decode(exchange.response?.body)
      : typeof value === 'string'
        ? value
        : membersOf(value)
            .flatMap((member) => (typeof member.value === 'string' ? [member.value] : []))
            // A text without a blank is an address or a code.
            .filter((said) => /\s/.test(said))
            .join('\n');
  if (text.length > longestText) return [];
  const given = Object.fromEntries(
    [...sent.arguments].map(([{ name }, argument]) => [name, argument]),
  );
  const body = objectOf(sent.body);
  const declared = parts.filter(({ tokens }) => tokens.length === 1).map(({ part }) => part);
  const places = membersNamedIn(text, { ...given, ...body }, declared);
  const paths = [...places.map(pathOf), ...fieldsNamedIn(text, step)];
  return parts.filter(({ path }) => paths.includes(path));
}

/** The fields that a text names as they stand in a body with an envelope around them. */
function fieldsNamedIn(text: string, { case: testCase, sent }: Step): string[] {
  const envelope = mediaOf(testCase)?.envelope;
  if (envelope === undefined || sent.body === undefined) return [];
  const places = membersNamedIn(text, closeBody(envelope, sent.body), []);
  return places.flatMap((at) => openedNames(envelope, namesIn(at))?.join('.') ?? []);
}

const longestText = 2_000;
