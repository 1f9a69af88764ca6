import { decodePercent } from '../../http/target.ts';
import { joinPointer, parentPointer, splitPointer, type Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Dialect } from '../model.ts';
import { nearestWord } from '../../errors.ts';
import { locateReference, writeReference } from '../read/cursor.ts';
import { type FoundText, scanDocument } from './scan-document.ts';

/** A repaired reference: its place, and a sentence that says what was done. */
export interface RepairedReference {
  readonly pointer: Pointer;
  readonly message: string;
  readonly hint: string;
}

/** A document in which every local reference resolves. */
export interface RepairedReferences {
  readonly document: JsonObject;
  readonly repairs: readonly RepairedReference[];
}

/**
 * Repairs references of a document that have no target, or only refer to themselves. One that is
 * nearly right (`#/definitions/pet` for `Pet`, an unescaped slash in a name) gets the intended
 * target; for any other, the place accepts any value. `texts` are all references. Returns the
 * document itself if nothing is wrong, otherwise a copy.
 */
export function repairReferences(
  document: JsonObject,
  texts: Iterable<string>,
  dialect: Dialect,
): RepairedReferences {
  const wrong = new Map<string, Wrong>();
  for (const text of texts) {
    const fault = faultOf(document, text);
    if (fault !== undefined) wrong.set(text, fault);
  }
  if (wrong.size === 0) return { document, repairs: [] };
  const copy = structuredClone(document);
  const { local, outward } = scanDocument(copy, true);
  const found = [...local, ...outward].filter(
    ({ text, isMapping }) => !isMapping && wrong.has(text),
  );
  return {
    document: copy,
    repairs: found.flatMap((each) => repair(each, wrong.get(each.text) ?? {}, dialect)),
  };
}

/** A reference that cannot be resolved, and its intended target if known. */
interface Wrong {
  readonly meant?: Pointer;
  /** A target with a similar name, which is only suggested. */
  readonly near?: Pointer | undefined;
  readonly isCircular?: boolean;
}

function faultOf(document: JsonObject, text: string): Wrong | undefined {
  const seen = new Set<Pointer>();
  for (let reference = text; ;) {
    const target = locateReference(document, reference);
    // Another reference on the path has no target: that one is reported.
    if (target === undefined) return reference === text ? wrongly(document, text) : undefined;
    if (seen.has(target.pointer)) return { isCircular: true };
    seen.add(target.pointer);
    const { value } = target;
    if (!isJsonObject(value) || typeof value['$ref'] !== 'string') return undefined;
    reference = value['$ref'];
  }
}

function repair(
  found: FoundText,
  { meant, near, isCircular }: Wrong,
  dialect: Dialect,
): RepairedReference {
  const { text, pointer } = found;
  if (meant !== undefined) return leadTo(found, meant, pointer);
  takeAnything(found, dialect);
  return isCircular === true
    ? {
        pointer,
        message: `The reference ${text} leads back to itself; anything is valid in its place.`,
        hint: 'Let it lead to what is meant.',
      }
    : {
        pointer,
        message: `The reference ${text} does not resolve; anything is valid in its place.`,
        hint:
          near === undefined
            ? 'Fix the reference, or add its target.'
            : `Did you mean ${writeReference(near)}?`,
      };
}

/** Redirects a reference to the intended target. */
export function leadTo(found: FoundText, meant: Pointer, pointer: Pointer): RepairedReference {
  const right = writeReference(meant);
  // The holder is part of a copy, or of a document that was read for this contract only.
  (found.holder as Record<string, JsonValue>)['$ref'] = right;
  return {
    pointer,
    message: `The reference ${found.text} does not resolve; it is read as ${right}.`,
    hint: `Write ${right}.`,
  };
}

/**
 * Removes a reference. Its siblings stay if they would have counted beside the reference: in a path
 * item, and since OpenAPI 3.1 in a schema.
 */
export function takeAnything({ holder, key, pointer }: FoundText, dialect: Dialect): void {
  // The holder is part of a copy, or of a document that was read for this contract only.
  const members = holder as Record<string, JsonValue>;
  const keeps = dialect === '3.1' || dialect === '3.2' || isPathItem(parentPointer(pointer));
  for (const name of Object.keys(members))
    if (name === key || (!keeps && name !== 'description')) delete members[name];
}

function isPathItem(pointer: Pointer): boolean {
  const [top, , ...more] = splitPointer(pointer);
  return top === 'paths' && more.length === 0;
}

/** The containers of each kind of part in Swagger 2.0 and in OpenAPI 3. */
const homes: readonly (readonly (readonly string[])[])[] = [
  [['definitions'], ['components', 'schemas']],
  [['parameters'], ['components', 'parameters']],
  [['responses'], ['components', 'responses']],
];

function wrongly(document: JsonObject, text: string): Wrong {
  const { meant } = meantBy(document, text);
  return meant === undefined ? { near: nearTo(document, text) } : { meant };
}

/** The part of the document with the name that is nearest to that of a reference. */
function nearTo(document: JsonObject, text: string): Pointer | undefined {
  const raw = text.replace(/^#?\/?/, '').split('/');
  const home = homes.find((places) => places.some((place) => startsWith(raw, place)));
  const resolved = containersIn(document, raw)[0] ?? [];
  for (const container of [resolved, ...(home ?? [])]) {
    const last = unescaped(raw.slice(container.length).join('/'));
    const name = nearestWord(last, Object.keys(memberAt(document, container) ?? {}));
    if (container.length > 0 && name !== undefined) return joinPointer('', ...container, name);
  }
  return undefined;
}

/** The probable target of a reference that does not resolve. */
function meantBy(document: JsonObject, text: string): Wrong {
  const raw = text
    .replaceAll('\\', '/')
    .replace(/^#?\/?/, '')
    .split('/');
  for (const container of containersIn(document, raw)) {
    const name = nameIn(memberAt(document, container), raw.slice(container.length));
    if (name !== undefined) return { meant: joinPointer('', ...container, name) };
  }
  return elsewhere(document, raw) ?? {};
}

/**
 * A part of that kind and name at the place of another version of OpenAPI; a bare name is a schema.
 */
function elsewhere(document: JsonObject, raw: readonly string[]): Wrong | undefined {
  const home = homes.find((places) => places.some((place) => startsWith(raw, place)));
  const written = home?.find((place) => startsWith(raw, place)) ?? [];
  for (const place of home ?? homes[0] ?? []) {
    const name = nameIn(memberAt(document, place), raw.slice(written.length));
    if (name !== undefined) return { meant: joinPointer('', ...place, name) };
  }
  return undefined;
}

function startsWith(tokens: readonly string[], start: readonly string[]): boolean {
  return start.every((token, index) => tokens[index] === token);
}

/**
 * The target of a name that is not a pointer (`$ref: Pet`, `#definitions/Pet`): the part of the
 * document with this name. Undefined if there is none.
 */
export function meantByName(document: JsonObject, text: string): Pointer | undefined {
  const name = /^#?[\w.-]+(?:\/[\w.-]+)*$/.test(text) ? text : undefined;
  return name === undefined ? undefined : meantBy(document, name).meant;
}

/** The prefixes of a pointer that resolve to an object, the longest first. */
function containersIn(document: JsonObject, raw: readonly string[]): string[][] {
  return raw
    .map((_, index) => raw.slice(0, index).map(unescaped))
    .filter((tokens) => tokens.length > 0 && memberAt(document, tokens) !== undefined)
    .reverse();
}

function memberAt(document: JsonObject, tokens: readonly string[]): JsonObject | undefined {
  let value: JsonValue | undefined = document;
  for (const token of tokens)
    value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
  return isJsonObject(value) ? value : undefined;
}

/** The member that the rest of a pointer names: as written, unescaped, or with different case. */
function nameIn(members: JsonObject | undefined, rest: readonly string[]): string | undefined {
  if (members === undefined || rest.length === 0) return undefined;
  const names = [rest.join('/'), rest.map(unescaped).join('/')];
  const exact = names.find((name) => Object.hasOwn(members, name));
  if (exact !== undefined) return exact;
  const plain = names.map((name) => name.toLowerCase());
  const alike = Object.keys(members).filter((name) => plain.includes(name.toLowerCase()));
  return alike.length === 1 ? alike[0] : undefined;
}

function unescaped(token: string): string {
  const plain = token.replaceAll('~1', '/').replaceAll('~0', '~');
  return decodePercent(plain) ?? plain;
}
