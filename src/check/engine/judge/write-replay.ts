import type { Contract } from '../../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { defined, stringifyJson, editParts } from '../../../json/value.ts';
import type { Violation } from '../../model/knowledge.ts';
import { type Case, controlOf, hash, type Sequence } from '../../model/case.ts';
import type { ReplayForm, ReplayRequest, ReplayStep } from '../../model/finding.ts';
import type {
  Alteration,
  BodyTemplate,
  RequestTemplate,
  Source,
} from '../../model/request-template.ts';

/** A finding to be written as a replay. */
export interface Shown extends Pick<ReplayForm, 'check' | 'alone' | 'times' | 'mark'> {
  readonly violation: Violation;
  readonly sequence: Sequence;
  readonly status?: number | undefined;
}

/** Writes the requests of a finding as plain JSON. `hide` removes secrets from a text. */
export function writeReplay(
  { check, violation, sequence, alone, times, mark, status }: Shown,
  contract: Contract,
  hide: (text: string) => string,
): ReplayForm {
  return {
    version: 1,
    check,
    at: violation.at,
    cause: violation.cause ?? '',
    mark,
    ...defined({ status }),
    contract: hashContract(contract),
    alone,
    times,
    ...(sequence.concurrent === true ? { concurrent: true } : {}),
    // Hiding changes only texts, so the type stays the same.
    steps: sequence.cases.map((testCase) => hideTexts(stepOf(testCase), hide) as ReplayStep),
  };
}

function stepOf(testCase: Case): ReplayStep {
  const { operation, title, phase, intent, request, criteria } = testCase;
  const control = controlOf(testCase);
  return {
    operation: operation.id,
    title,
    phase,
    intent: { ...intent },
    request: requestOf(request),
    ...(criteria === undefined ? {} : { criteria: criteria.plain }),
    ...(control === undefined ? {} : { control: requestOf(control) }),
  };
}

function requestOf({ arguments: given, body, ...others }: RequestTemplate): ReplayRequest {
  const { address, polling, linked, ...rest } = others;
  return {
    arguments: given.map(({ parameter, source }) => ({
      name: parameter.name,
      in: parameter.in,
      source: sourceOf(source),
    })),
    ...(body === undefined ? {} : { body: bodyOf(body) }),
    ...(address === undefined ? {} : { address: { ...address } }),
    ...(polling === undefined ? {} : { polling: { ...polling } }),
    ...(linked === undefined ? {} : { linked: { ...linked } }),
    ...rest,
  };
}

function sourceOf(source: Source): JsonObject {
  switch (source.kind) {
    case 'value':
      return {
        kind: 'value',
        json: stringifyJson(source.value),
        ...defined({ like: source.like, address: source.address }),
      };
    case 'list':
      return { ...source, of: source.of.map(sourceOf) };
    case 'known':
    case 'field': {
      const { otherwise, ...rest } = source;
      return { ...rest, ...(otherwise === undefined ? {} : { json: stringifyJson(otherwise) }) };
    }
    default:
      return { ...source };
  }
}

function identifierOf({
  identifier,
  namedBy,
  codes,
}: Exclude<BodyTemplate, { kind: 'bytes' }>): JsonObject {
  const coded = codes === undefined ? {} : { codes: [...codes] };
  if (identifier === undefined) return coded;
  return { ...coded, identifier: [...identifier], ...defined({ namedBy }) };
}

function fillsOf({ fills }: Exclude<BodyTemplate, { kind: 'bytes' }>): JsonObject {
  return fills === undefined
    ? {}
    : { fills: fills.map(({ at, source }) => ({ at, source: sourceOf(source) })) };
}

function alterationOf({ at, part }: Alteration): JsonObject {
  return { at, ...(part === undefined ? {} : { json: stringifyJson(part) }) };
}

function bodyOf(body: BodyTemplate): JsonObject {
  switch (body.kind) {
    case 'json':
      return {
        kind: 'json',
        mediaType: body.mediaType,
        json: stringifyJson(body.value),
        ...defined({ onto: body.onto }),
        ...fillsOf(body),
        ...identifierOf(body),
      };
    case 'content':
      return {
        kind: 'content',
        mediaType: body.media.mediaType,
        json: stringifyJson(body.value),
        ...(body.altered === undefined ? {} : { altered: alterationOf(body.altered) }),
        ...defined({ label: body.label }),
        ...fillsOf(body),
        ...identifierOf(body),
      };
    case 'bytes':
      return {
        kind: 'bytes',
        ...defined({ mediaType: body.mediaType }),
        base64: Buffer.from(body.bytes).toString('base64'),
      };
  }
}

function hideTexts(value: JsonValue, hide: (text: string) => string): JsonValue {
  return typeof value === 'string'
    ? hide(value)
    : editParts(value, (part) => hideTexts(part, hide));
}

/**
 * Cached by contract: findings, reports and earlier runs use the hash, and the overrides of a
 * contract copy its members, so it cannot hold the text itself.
 */
const known = new WeakMap<Contract, string>();

/** The hash of a contract's document, ten digits. The name of the file does not matter. */
export function hashContract(contract: Contract): string {
  // A document may have many megabytes, and every finding needs its hash.
  const text = known.get(contract) ?? hash(stringifyJson(contract.document));
  known.set(contract, text);
  return text;
}
