import type { Contract } from '../../contract/model.ts';
import { isWithin, splitPointer, valueAt } from '../../json/pointer.ts';
import { parseJson } from '../../json/parse-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Finding } from './finding.ts';
import { isSafe } from './step.ts';

/** A finding, with the facts that identify its cause. */
export interface FindingFacts {
  readonly finding: Finding;
  readonly check: string;
  readonly operation: string;
  /**
   * The beginning of the path, up to its first parameter: operations on one kind of record share
   * it.
   */
  readonly root: string;
  /** The cause as the check names it. */
  readonly cause: string;
  /** The status of the response; undefined without one. */
  readonly status: number | undefined;
  /** The intent of the shown request; empty without an exchange. */
  readonly intent: JsonObject;
  /** The last part of the place in the contract: a keyword of a schema, or a number in a list. */
  readonly keyword: string;
  /** The name of the field that it concerns. */
  readonly field: string | undefined;
  /** The name of the parameter that it concerns. */
  readonly parameter: string | undefined;
  /** The operations of the requests that show it, by their ids, in order. */
  readonly steps: readonly string[];
  /** The last of them that writes. */
  readonly lastWrite: string | undefined;
  /** The names and types of the members of an error: alike in all that one handler writes. */
  readonly errorForm: string | undefined;
}

/** Extracts the facts of a finding. */
export function readFacts(finding: Finding, { operations, document }: Contract): FindingFacts {
  const { check, operation, replay } = finding;
  const intent = replay?.steps.at(-1)?.intent ?? {};
  const parameters = operations.find(({ id }) => id === operation.id)?.parameters ?? [];
  const asked = parameters.find(
    ({ pointer, schema }) =>
      isWithin(finding.pointer, pointer) ||
      finding.pointer === `${schema.flatten().pointer}/default`,
  );
  const cause = finding.cause ?? replay?.cause ?? '';
  const status = finding.exchange?.response?.status;
  const steps = (replay?.steps ?? []).map((step) => step.operation);
  const byId = new Map(operations.map((one) => [one.id, one]));
  return {
    finding,
    check,
    operation: operation.id,
    root: operation.path.split(/\/?[({]/, 1).join(),
    cause,
    intent,
    status,
    steps,
    lastWrite: steps.findLast((id) => !isSafe(byId.get(id) ?? { method: 'GET' })),
    errorForm: errorFormOf(finding),
    keyword: splitPointer(finding.pointer).at(-1) ?? '',
    field: fieldOf(finding, { cause, intent, document }),
    parameter:
      intent['kind'] === 'invalid' && intent['part'] !== 'body'
        ? String(intent['subject'])
        : asked?.name,
  };
}

/** A larger body is hardly an error with a form. */
const maxErrorBytes = 16_384;

function errorFormOf({ exchange }: Finding): string | undefined {
  const { status = 0, body } = exchange?.response ?? {};
  if (status < 400 || body === undefined || body.length > maxErrorBytes) return undefined;
  const parsed = parseJson(body);
  if (!parsed.ok || !isJsonObject(parsed.value)) return undefined;
  const members = Object.entries(parsed.value).map(([name, value]) => `${name}: ${typeOf(value)}`);
  return members.sort().join(', ');
}

function typeOf(value: JsonValue): string {
  return value === null ? 'null' : isJsonArray(value) ? 'array' : typeof value;
}

/** The field at a place, the one that is missing there, or the one that several answers show. */
function fieldOf(
  { pointer, exchange }: Finding,
  {
    cause,
    intent,
    document,
  }: { readonly cause: string; readonly intent: JsonObject; readonly document: JsonObject },
): string | undefined {
  const { field, rule } = intent;
  // Without an answer, nothing is shown of it; and what should be refused is no wrong value.
  const isShown = (exchange?.response?.status ?? 500) < 500 && rule !== 'refused';
  const shown = isShown && typeof field === 'string' ? field : undefined;
  return fieldAt(pointer) ?? requiredField(pointer, cause, document) ?? shown;
}

/** `name` of `…/properties/name/maxLength`. */
function fieldAt(pointer: string): string | undefined {
  const tokens = splitPointer(pointer);
  let field: string | undefined;
  for (let at = 0; at < tokens.length - 1; at += 1) {
    // The next segment is a name, and may be `properties` again: GeoJSON has such a field.
    if (tokens[at] === 'properties') field = tokens[(at += 1)];
  }
  return field;
}

/** The cause, if it is a name of the list at `…/required`: that field is missing. */
function requiredField(pointer: string, cause: string, document: JsonObject): string | undefined {
  if (splitPointer(pointer).at(-1) !== 'required') return undefined;
  const names = valueAt(document, pointer);
  return isJsonArray(names) && names.includes(cause) ? cause : undefined;
}

/** Whether the shown request is the plain one, which any other of the operation resembles. */
export function testsNothing({ intent: { kind, at } }: FindingFacts): boolean {
  return kind !== 'invalid' && (typeof at !== 'string' || at === '' || at.endsWith('/responses'));
}

/** Whether two findings are about one tested place. */
export function testSame(left: FindingFacts, right: FindingFacts): boolean {
  return (
    left.intent['at'] === right.intent['at'] ||
    (left.field !== undefined && left.field === right.field) ||
    (left.parameter !== undefined && left.parameter === right.parameter)
  );
}

/** What the engine treats alike in several checks. */
export type Trait =
  /** One response decides: it also judges a response that is not part of a run. */
  | 'one response'
  /** The head of a response decides, without its body. */
  | 'head'
  /** It depends on records whose state is not known of recorded traffic. */
  | 'state'
  /** It decides nothing while the lists that it compares are empty. */
  | 'lists'
  /** All responses of a service may share the defect: then one finding stands for all. */
  | 'shared'
  /** A service that validates nothing accepts every input: then one finding stands for all. */
  | 'inputs'
  /** It judges the workflows of the user, which count even if nothing else was tested. */
  | 'workflows'
  /** It judges the messages of HTTP themselves: without them nothing else can be read. */
  | 'messages'
  /** It judges credentials: a refused one is its subject. */
  | 'credentials'
  /** It judges statuses of 500 and above. */
  | 'failures'
  /** A finding is about one field of a body. */
  | 'fields'
  /** A finding may say no more than that the response has another status. */
  | 'statuses'
  /** A finding says that the contract does not document a status. */
  | 'undocumented'
  /** It judges the bodies of errors. */
  | 'error bodies'
  /** What it judges is done by one part of a service for all operations: paging, conditions. */
  | 'machinery'
  /** It compares methods of a path with each other. */
  | 'methods';

/** Why other findings have the cause of a finding of this check. */
export interface Explanation {
  /** The checks whose findings it explains: their ids, or a trait that they share. */
  readonly findings: readonly string[] | Trait | 'any';
  /** Whether the finding is one that can explain others. Default: it is. */
  readonly leads?: (leader: FindingFacts) => boolean;
  readonly explains: (leader: FindingFacts, other: FindingFacts) => boolean;
  /** It is asked after all other explanations. */
  readonly last?: true;
}
