import { escapeCharacter } from '../../json/json-problem.ts';
import { formatOverlay } from '../../contract/overlay/format-overlay.ts';
import type { Contract, Operation } from '../../contract/model.ts';
import { parseMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpResponse, isSuccess } from '../../http/message.ts';
import { joinPointer, type Pointer, splitPointer, valueAt, isWithin } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { defined, isJsonArray, isJsonObject, memberOf, objectOf } from '../../json/value.ts';
import type { ObservedGap } from '../model/event.ts';
import type { Finding, OverlayAction } from '../model/finding.ts';
import type { Proposal, Violation } from '../model/knowledge.ts';

/** What an Overlay keeps of a response: its status and its media type. */
export interface SeenResponse {
  readonly status: number;
  readonly type: string | undefined;
}

/** The status and the media type of a response. */
export function seenResponse({ status, headers }: HttpResponse): SeenResponse {
  return { status, type: parseMediaType(headerValue(headers, 'content-type') ?? '')?.essence };
}

/**
 * The action that resolves a violation which the document causes, or may cause: a success that it
 * does not document. Undefined if the server is to blame, or if no action is known. A gap at the
 * responses of an operation is a response that it does not document.
 */
export function actionFor(
  contract: Contract,
  { blame, at, proposal }: Pick<Violation, 'blame' | 'at' | 'proposal'>,
  seen: { readonly operation: Operation; readonly response: HttpResponse | undefined },
): OverlayAction | undefined {
  const { operation, response } = seen;
  if (blame !== 'contract' && !isSuccess(response?.status ?? 0)) return undefined;
  if (blame === 'contract' && proposal !== undefined)
    return actionAt(contract, { ...proposal, update: asSeen(contract, proposal) });
  if (at !== joinPointer(operation.pointer, 'responses') || response === undefined)
    return undefined;
  return documentResponses(contract, operation, [seenResponse(response)]);
}

/** An action at a place that exists. An Overlay cannot reach other files of the contract. */
export function actionAt(
  { document }: Contract,
  { at, update }: Proposal,
): OverlayAction | undefined {
  const isReachable =
    splitPointer(at)[0] !== 'x-vouch-files' && isJsonObject(valueAt(document, at));
  return isReachable ? { target: toJsonPath(at, document), update } : undefined;
}

/**
 * Adds the responses that an operation does not document, with the media types that were seen; an
 * error response has the schema of the other error responses of its operation. Undefined if all are
 * documented.
 */
export function documentResponses(
  contract: Contract,
  operation: Operation,
  seen: readonly SeenResponse[],
): OverlayAction | undefined {
  const known = new Set(operation.responses.map(({ status }) => status));
  const added = seen
    .map((response) => ({ ...response, code: String(response.status) }))
    .filter(({ code }) => !known.has(code) && !known.has(`${code.charAt(0)}XX`))
    .map(({ code, status, type }) => {
      const schema =
        type === undefined ? undefined : schemaOfAlike(contract, operation, { status, type });
      const content: JsonObject =
        type === undefined || contract.dialect === '2.0'
          ? {}
          : { content: { [type]: schema === undefined ? {} : { schema } } };
      return [code, { description: `Observed at a deployment: ${code}.`, ...content }] as const;
    });
  if (added.length === 0) return undefined;
  const at = joinPointer(operation.pointer, 'responses');
  return actionAt(contract, { at, update: Object.fromEntries(added) });
}

/** Members were seen in responses alone: where requests have the same schema, as `readOnly`. */
function asSeen({ document }: Contract, { at, update }: Proposal): JsonObject {
  const { properties } = update;
  if (!isJsonObject(properties) || !isSentPlace(document)(at)) return update;
  const shown = Object.entries(properties).map(([name, schema]) => [
    name,
    isJsonObject(schema) ? { ...schema, readOnly: true } : schema,
  ]);
  return { ...update, properties: Object.fromEntries(shown) as JsonObject };
}

/**
 * The reference to the schema of another response with the same media type: of an error for an
 * error, of a success for a success.
 */
function schemaOfAlike(
  { document }: Contract,
  { pointer, responses }: Operation,
  { status, type }: { readonly status: number; readonly type: string },
): JsonObject | undefined {
  const alike = status < 400 ? /^2(\d\d|XX)$/ : /^4(\d\d|XX)$/;
  for (const { status: documented } of responses.filter((one) => alike.test(one.status))) {
    const written = valueAt(document, joinPointer(pointer, 'responses', documented));
    const reference = memberOf(written, '$ref');
    const response =
      typeof reference === 'string' && reference.startsWith('#/')
        ? valueAt(document, reference.slice(1))
        : written;
    const schema = valueAt(response, joinPointer('/content', type, 'schema'));
    if (isJsonObject(schema) && typeof schema['$ref'] === 'string') return schema;
  }
  return undefined;
}

/**
 * The JSONPath (RFC 9535, section 2.7: a normalized path) of a place in a document:
 * `$['paths']['/books']['get']`.
 */
export function toJsonPath(pointer: Pointer, document: JsonValue): string {
  let around = '';
  return splitPointer(pointer).reduce((path, token) => {
    const isIndex = isJsonArray(valueAt(document, around));
    around = joinPointer(around, token);
    return `${path}[${isIndex ? token : quoteName(token)}]`;
  }, '$');
}

function quoteName(name: string): string {
  const escaped = name.replaceAll('\\', '\\\\').replaceAll("'", "\\'");
  // Control characters are escaped as in RFC 9535, section 2.3.1.1.
  return `'${escaped.replaceAll(/[\u0000-\u001f]/g, escapeCharacter)}'`;
}

/** What an Overlay says of itself, for a contract with this title. */
export function headOfOverlay(title: string): { readonly title: string; readonly version: string } {
  return { title: `Undocumented behaviour of a deployment of ${title}`, version: '1.0.0' };
}

/** A gap, and the request that showed it, in a sentence each. */
export function sayGap({ gap, observed }: ObservedGap): string {
  return `${gap.message} ${observed}`;
}

/** The Overlay with the action of one finding, for a contract with this title, as YAML. */
export function findingOverlay(
  { overlayAction, message }: Pick<Finding, 'overlayAction' | 'message'>,
  title = '',
): string | undefined {
  if (overlayAction === undefined) return undefined;
  const actions = [{ ...overlayAction, because: [message] }];
  return formatOverlay({ ...headOfOverlay(title), actions });
}

/** The same for a gap. */
export function gapOverlay(observed: ObservedGap, title?: string): string | undefined {
  const { overlayAction } = observed;
  return findingOverlay({ ...defined({ overlayAction }), message: sayGap(observed) }, title);
}

const known = new WeakMap<JsonObject, (at: Pointer) => boolean>();

/**
 * Whether a place of an OpenAPI document stands in a request body, or in what one refers to: what
 * is added there changes which requests are valid.
 */
export function isSentPlace(document: JsonObject): (at: Pointer) => boolean {
  const isSent = known.get(document) ?? readSentPlaces(document);
  known.set(document, isSent);
  return isSent;
}

function readSentPlaces(document: JsonObject): (at: Pointer) => boolean {
  const sent = new Set<Pointer>();
  const follow = (value: JsonValue | undefined): void => {
    if (isJsonArray(value)) value.forEach(follow);
    if (!isJsonObject(value)) return;
    const { $ref: reference } = value;
    if (typeof reference === 'string' && reference.startsWith('#/')) {
      const at = decodeURIComponent(reference.slice(1));
      if (!sent.has(at)) {
        sent.add(at);
        follow(valueAt(document, at));
      }
    }
    Object.values(value).forEach(follow);
  };
  const find = (value: JsonValue, at: Pointer): void => {
    for (const [name, member] of Object.entries(objectOf(value))) {
      const place = joinPointer(at, name);
      if (name === 'requestBody' || name === 'requestBodies') {
        sent.add(place);
        follow(member);
      } else find(member, place);
    }
  };
  find(document['paths'] ?? {}, '/paths');
  return (at) => [...sent].some((place) => isWithin(at, place));
}
