import { isCursor } from '../../contract/infer/infer-list-parameters.ts';
import { successSchema } from '../../contract/infer/conventions/envelope-styles.ts';
import {
  lastParameter,
  pathKey,
  wholeParameters,
} from '../../contract/infer/conventions/path-styles.ts';
import type { Contract, Operation, Parameter } from '../../contract/model.ts';
import { maskParameter } from '../../contract/protocols/update-mask.ts';
import { isJsonPatch } from '../../contract/words/read-patch.ts';
import { isIdempotencyKey, isTagNeeded } from '../../contract/model/operation.ts';
import { joinPointer } from '../../json/pointer.ts';
import { defined, type JsonValue } from '../../json/value.ts';
import type { CreatedRecord } from '../model/record.ts';
import { keyOf as seenKey } from '../reading/collection-key.ts';
import type { WhySkipped } from '../model/case.ts';
import type { Argument, BodyTemplate, RequestTemplate, Source } from '../model/request-template.ts';
import { type Role, roleOf, isSafe } from '../model/step.ts';
import { isListed, isShown, plainArgument, validExample } from './argument-values.ts';
import { newKey } from './unique-text.ts';
import { bodyOf, draftBodies, type DraftBody, withOwnName } from './draft-body.ts';
import { type ListedRecords, listedRecords, withListedNames } from './listed-records.ts';
import { givenArguments, type GivenValues, withGivenValues } from './given-values.ts';
import { isReference, refersAnew } from '../reading/identifiers.ts';
import type { BodyName, PathName, RecordKind } from '../reading/path-names.ts';
import { bodyName, namedResource, partField, pathNames, sourceOf } from '../reading/path-names.ts';
import { keyNames, withNobodysKeys } from '../reading/record-keys.ts';
import { bodiesKeepingRules } from './keep-rules.ts';
import { withOwnKeys } from './mark-body.ts';

export { bodyOf, type DraftBody } from './draft-body.ts';
export { isSafe, readsBody } from '../model/step.ts';
export type { RecordKind } from '../reading/path-names.ts';

/** The plain valid request of an operation: a typical request without optional parts. */
export interface Draft {
  readonly operation: Operation;
  readonly role?: Role | undefined;
  /** The required arguments, except those that name records. */
  readonly arguments: readonly Argument[];
  /** The path parameters that name records, outermost first. */
  readonly names: readonly PathName[];
  /** The path parameter that names the record on which the operation acts. */
  readonly identifier?: Parameter | undefined;
  readonly body?: DraftBody | undefined;
  /** Valid bodies in the other media types of the operation. */
  readonly otherBodies: readonly DraftBody[];
  /** Whether it refers to something that the contract does not show, such as an owner's id. */
  readonly invented: boolean;
  /** Set if each of its requests makes a record, under a name of the run in the path. */
  readonly isNaming?: true;
  /** Its templates, once made: each case that breaks one thing has one of them as its control. */
  readonly plainRequests: Map<RecordKind, RequestTemplate>;
}

/** A draft, or why there is none: a clause that begins with a small letter. */
export type DraftResult =
  { readonly ok: true; readonly draft: Draft } | ({ readonly ok: false } & WhySkipped);

/**
 * Parameter values that the user gave, by operation id and parameter name; `*` means every
 * operation that requires a parameter of the name.
 */
export type ParameterExamples = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;

/** The settings of drafts. `linked` names path parameters that an earlier response fills in. */
export interface DraftSettings {
  readonly seed: string;
  readonly examples?: ParameterExamples | undefined;
  /** Values that only the user knows, by operation or by schema. */
  readonly values?: GivenValues | undefined;
  readonly linked?: ReadonlySet<string>;
  /**
   * Headers that the user adds to every request, in lower case: drafts have no arguments for them.
   */
  readonly givenHeaders?: ReadonlySet<string>;
}

/** Drafts the plain request of an operation. */
export function draftRequest(
  contract: Contract,
  operation: Operation,
  settings: DraftSettings,
): DraftResult {
  const { examples = {}, values = {} } = settings;
  const given = { ...examplesFor(operation, examples), ...givenArguments(operation, values) };
  const fixed = operation.parameters.filter(
    ({ name, in: location }) =>
      Object.hasOwn(given, name) && (location !== 'path' || mayName(contract, operation)),
  );
  const seen = seenArguments(contract, operation, settings);
  const names = (seen.length > 0 ? [] : pathNames(contract, operation))
    .filter(
      ({ parameter }) =>
        !fixed.includes(parameter) && settings.linked?.has(parameter.name) !== true,
    )
    .map(withExample);
  const filled = new Set([...fixed, ...[...names, ...seen].map(({ parameter }) => parameter)]);
  // Below a record of the run, nothing is anybody else's.
  const isBelow = names.length > 0 && names.every(({ creatable }) => creatable);
  const required = requiredArguments(operation, filled, { ...settings, contract, isBelow });
  if (!required.ok) return required;
  const role = roleOf(contract, operation);
  const drafted = draftBodies(operation, settings.seed, role?.resource.operations.create);
  if (!drafted.ok) return { ...drafted, code: 'unwritable' };
  const salt = `${settings.seed} ${operation.id}`;
  const listed = listedRecords(contract.inference.placementOf(operation));
  const { bodies } = drafted;
  const byKeys = actsByKeys(contract, operation);
  const kept = bodiesKeepingRules(contract, operation, { bodies, seed: settings.seed });
  const [body, ...otherBodies] = kept
    .map((made) => withGivenValues(made, operation, values))
    .map((made) => withOwnNames(made, { operation, role, names, salt }))
    .map((made) => withOwnEntries(made, listed, salt))
    .map((made) => withRecordInBody(made, bodyName(contract, operation)))
    .map((made) =>
      byKeys ? withoutKeysOfOthers(made, { names: keyNames(contract), salt }) : made,
    );
  const identifier = names.findLast(
    ({ parent, below }) => parent === undefined && below === undefined,
  )?.parameter;
  const fixedArguments = fixed.map((parameter): Argument => ({
    parameter,
    source: { kind: 'value', value: given[parameter.name] ?? null },
  }));
  const draft: Draft = {
    operation,
    arguments: [...fixedArguments, ...seen, ...required.arguments],
    names,
    otherBodies,
    invented: seen.length > 0 || required.invented || (body !== undefined && isInvented(body)),
    plainRequests: new Map(),
    role,
    identifier,
    body,
  };
  return { ok: true, draft };
}

/**
 * Arguments for a path to a record without a resource, from responses of the list or the create on
 * the path before it: for operations that only read. A value that the contract shows is used if
 * nothing was seen: the record of an example need not exist on the target.
 */
function seenArguments(
  contract: Contract,
  operation: Operation,
  { examples = {}, values = {}, linked, seed }: DraftSettings,
): Argument[] {
  if (!isSafe(operation)) return [];
  const parameters = wholeParameters(operation.path);
  const last = parameters.at(-1);
  if (last === undefined) return [];
  const named = new Set(pathNames(contract, operation).map(({ parameter }) => parameter.name));
  const given = { ...examplesFor(operation, examples), ...givenArguments(operation, values) };
  const isOpen = ({ name }: { readonly name: string }): boolean =>
    !named.has(name) && !Object.hasOwn(given, name) && linked?.has(name) !== true;
  const open = operation.parameters
    .filter(({ in: location }) => location === 'path')
    .filter(isOpen);
  if (open.length === 0 || open.some(isListed)) return [];
  const path = pathKey(
    operation.path
      .split('/')
      .slice(0, last.segment + 2)
      .join('/'),
  );
  const isUnsaid = (parameter: Parameter): boolean =>
    !isShown(parameter) && parameter.schema.flatten().types.includes('string');
  const mayBeSeen = open.every(isUnsaid) && isAnsweredElsewhere(contract, path);
  if (!mayBeSeen && !showsItems(contract, path, operation)) return [];
  return parameters.flatMap(({ name, segment }): Argument[] => {
    const parameter = operation.parameters.find(
      (candidate) => candidate.in === 'path' && candidate.name === name,
    );
    if (parameter === undefined || Object.hasOwn(given, name)) return [];
    const shown = isShown(parameter) ? plainArgument(parameter, seed) : undefined;
    const otherwise = shown?.ok === true ? shown.value : undefined;
    return [
      { parameter, source: { kind: 'seen', path, segment, name, ...defined({ otherwise }) } },
    ];
  });
}

/** Whether some operation may show the records of a path: a list or a create before it. */
function showsItems({ operations }: Contract, path: string, asking: Operation): boolean {
  const key = seenKey(path);
  return operations.some(
    (other) =>
      other !== asking && !other.path.endsWith('}') && seenKey(pathKey(other.path)) === key,
  );
}

/** Whether some operation on another path answers JSON, which may show the address of a record. */
function isAnsweredElsewhere({ operations }: Contract, path: string): boolean {
  return operations.some(
    (other) => !pathKey(other.path).startsWith(path) && successSchema(other) !== undefined,
  );
}

/** The user's examples for the parameters of an operation, by name. */
function examplesFor(
  { id, parameters }: Operation,
  examples: ParameterExamples,
): Readonly<Record<string, JsonValue>> {
  const required = new Set(
    parameters.flatMap((parameter) => (parameter.required ? [parameter.name] : [])),
  );
  const everywhere = Object.hasOwn(examples, '*')
    ? Object.entries(examples['*'] ?? {}).filter(([name]) => required.has(name))
    : [];
  return {
    ...Object.fromEntries(everywhere),
    ...(Object.hasOwn(examples, id) ? examples[id] : {}),
  };
}

/**
 * Whether a user may name the records in the path of an operation: to read them, or to create
 * something below them. A value that a person gives makes no record the run's own.
 */
function mayName({ effects }: Contract, operation: Operation): boolean {
  const effect = effects.get(operation)?.effect;
  return (
    effect === 'reads' || (effect === 'creates one' && lastParameter(operation.path) === undefined)
  );
}

function withExample(name: PathName): PathName {
  const example = validExample(name.parameter);
  return example === undefined ? name : { ...name, otherwise: example.value };
}

type RequiredArguments =
  | { readonly ok: true; readonly arguments: readonly Argument[]; readonly invented: boolean }
  | ({ readonly ok: false } & WhySkipped);

/** Arguments for the required parameters that are not `filled` yet. */
function requiredArguments(
  operation: Operation,
  filled: ReadonlySet<Parameter>,
  {
    seed,
    linked,
    givenHeaders,
    contract,
    isBelow,
  }: DraftSettings & { readonly contract: Contract; readonly isBelow: boolean },
): RequiredArguments {
  const reads = contract.effects.get(operation)?.effect === 'reads';
  const isGiven = ({ in: location, name }: Parameter): boolean =>
    (location === 'path' && linked?.has(name) === true) ||
    (location === 'header' && givenHeaders?.has(name.toLowerCase()) === true);
  const open = operation.parameters.filter(
    (parameter) =>
      (parameter.required || isTagNeeded(operation, parameter)) &&
      !filled.has(parameter) &&
      !isGiven(parameter),
  );
  const made: Argument[] = [];
  let invented = false;
  for (const parameter of open) {
    if (parameter.in === 'path' && !isBelow && !(reads && mayGuess(parameter)))
      return { ok: false, ...unknownName(contract, operation, parameter) };
    const plain = plainArgument(parameter, seed);
    if (!plain.ok)
      return {
        ok: false,
        code: 'unwritable',
        reason: `no valid ${parameter.name} could be made: ${plain.reason}`,
      };
    made.push({ parameter, source: sourceFor(contract, operation, { parameter, ...plain }) });
    // Values in a document need not exist on this target.
    invented ||=
      parameter.in === 'path'
        ? !isListed(parameter)
        : (isReference(parameter.name) || isCursor(parameter)) && !isShown(parameter);
  }
  return { ok: true, arguments: made, invented };
}

/** Where the value of a required parameter comes from; `value` is what it is otherwise. */
function sourceFor(
  contract: Contract,
  operation: Operation,
  { parameter, value }: { readonly parameter: Parameter; readonly value: JsonValue },
): Source {
  const part = parameter.in === 'path' ? partField(contract, operation, parameter) : undefined;
  const key = isIdempotencyKey(parameter) ? newKey(parameter) : undefined;
  if (key !== undefined) return key;
  if (isTagNeeded(operation, parameter)) return { kind: 'tag' };
  if (maskParameter(operation) === parameter) return { kind: 'members' };
  const record = isSafe(operation) ? recordSource(contract, parameter, value) : undefined;
  if (record !== undefined) return record;
  return part === undefined
    ? { kind: 'value', value }
    : { kind: 'field', ...part, own: true, otherwise: value };
}

/** The source of a query parameter that refers to a record: a known one, if there is one. */
function recordSource(
  contract: Contract,
  parameter: Parameter,
  otherwise: JsonValue,
): Source | undefined {
  if (parameter.in !== 'query' || typeof otherwise === 'object' || isListed(parameter))
    return undefined;
  const resource = namedResource(contract, parameter.name);
  return resource && { kind: 'known', resource: resource.name, otherwise };
}

function unknownName(contract: Contract, operation: Operation, { name }: Parameter): WhySkipped {
  const unknown = `nothing in the contract shows which values {${name}} has`;
  if (!mayName(contract, operation))
    return {
      code: 'no-own-record',
      reason: `${unknown}, and the run changes only what it created`,
    };
  const opens = `targets.NAME.examples.${operation.id}.${name}`;
  return { code: 'unknown-value', reason: `${unknown}; give one with ${opens}`, opens };
}

/** Whether a made-up body refers to something, or to places in a record, that need not exist. */
function isInvented(body: DraftBody): boolean {
  return !body.shown && (isJsonPatch(body) || refersAnew(body.value));
}

/** Whether a read may be sent with a made-up value in its path: a made-up text finds nothing. */
function mayGuess(parameter: Parameter): boolean {
  return isShown(parameter) || !parameter.schema.flatten().types.includes('string');
}

interface Naming extends Pick<Draft, 'operation' | 'names'> {
  readonly role: Role | undefined;
  readonly salt: string;
}

/** A body that names no record which exists already, except the one that the path names. */
function withOwnNames(body: DraftBody, { operation, role, names, salt }: Naming): DraftBody {
  const isCreate = role?.action === 'create';
  // A POST without a resource may identify its record too.
  const namesRecord =
    isCreate || (role === undefined && operation.method === 'POST' && names.length === 0);
  if (!namesRecord) return withNameOfPath(body, role, salt);
  const field = isCreate ? role.resource.identifier.field : undefined;
  const owned = withOwnKeys(withOwnName(body, { field, salt }), salt);
  return isCreate ? { ...owned, makesRecord: true } : owned;
}

/** The body of a bulk create whose records have names that are in no use. */
function withOwnEntries(
  body: DraftBody,
  listed: ListedRecords | undefined,
  salt: string,
): DraftBody {
  if (listed === undefined) return body;
  return { ...body, listed, value: withListedNames(body.value, listed, { salt }) };
}

/** Whether an operation changes what its query or its body names, and not its path. */
function actsByKeys(contract: Contract, operation: Operation): boolean {
  const effect = contract.effects.get(operation)?.effect;
  const isNamed = pathNames(contract, operation).length > 0 || bodyName(contract, operation);
  return effect !== 'reads' && effect !== 'creates one' && !isNamed;
}

/** A body whose keys are those of no record: what an example shows may be somebody's. */
function withoutKeysOfOthers(
  body: DraftBody,
  parts: { readonly names: ReadonlySet<string>; readonly salt: string },
): DraftBody {
  const value = withNobodysKeys(body.value, { ...parts, schema: body.schema });
  return value === body.value ? body : { ...body, value, shown: false };
}

/**
 * The body of a replacement or an update repeats the identifier in the path, not that of an
 * example. A body that is sent as drafted names no existing record.
 */
function withNameOfPath(body: DraftBody, role: Role | undefined, salt: string): DraftBody {
  if (role?.action !== 'replace' && role?.action !== 'update') return body;
  const { field, parameter } = role.resource.identifier;
  if (parameter === undefined) return body;
  const named = withOwnName(body, { field, salt });
  return named.identifier === undefined ? body : { ...named, namedBy: parameter };
}

/** The body of a change that names its record: it names one of the run's own. */
function withRecordInBody(body: DraftBody, named: BodyName | undefined): DraftBody {
  if (named === undefined) return body;
  const source = { kind: 'own', resource: named.resource.name } as const;
  return { ...body, fills: [{ at: joinPointer('', named.member), source }] };
}

/** The same draft with another of its bodies. */
export function withBody(draft: Draft, body: DraftBody): Draft {
  return { ...draft, body, plainRequests: new Map() };
}

/** The records that a request may act on: operations that change one only get the run's own. */
export function recordFor({ operation }: Draft): RecordKind {
  return isSafe(operation) ? 'known' : 'own';
}

/** What a request has instead of, or besides, the plain one's. */
export interface RequestChanges {
  readonly extra?: readonly Argument[] | undefined;
  readonly body?: BodyTemplate | 'none' | undefined;
}

/** The request of a draft, with another body or further arguments if given. */
export function requestOf(
  draft: Draft,
  record: RecordKind,
  changes?: RequestChanges,
): RequestTemplate {
  let plain = draft.plainRequests.get(record);
  if (plain === undefined) draft.plainRequests.set(record, (plain = plainTemplate(draft, record)));
  return changes === undefined ? plain : changeTemplate(plain, changes);
}

function plainTemplate(draft: Draft, record: RecordKind): RequestTemplate {
  const names: Argument[] = draft.names.map((name) => ({
    parameter: name.parameter,
    source: sourceOf(name, record),
  }));
  return makeTemplate(
    [...names, ...draft.arguments],
    draft.body === undefined ? 'none' : bodyOf(draft.body, draft.body.value),
  );
}

function changeTemplate(
  plain: RequestTemplate,
  { extra = [], body = plain.body ?? 'none' }: RequestChanges,
): RequestTemplate {
  const kept =
    extra.length === 0
      ? plain.arguments
      : plain.arguments.filter(({ parameter }) =>
          extra.every((argument) => argument.parameter !== parameter),
        );
  // `concat` and not a spread, which over-allocates: a plan keeps thousands of these lists.
  return makeTemplate(extra.length === 0 ? kept : kept.concat(extra), body);
}

function makeTemplate(given: readonly Argument[], body: BodyTemplate | 'none'): RequestTemplate {
  return body === 'none'
    ? { arguments: given, credential: 'given' }
    : { arguments: given, body, credential: 'given' };
}

/** The arguments that name one created record: its identifier, and what it is below. */
export function argumentsFor({ names }: Draft, { identifier, parents }: CreatedRecord): Argument[] {
  return names.flatMap(({ parameter, parent }) => {
    const value = parent === undefined ? identifier : parents.get(parent);
    return value === undefined ? [] : [{ parameter, source: { kind: 'value', value } }];
  });
}
