import { isIdempotencyKey } from '../../contract/idempotency-key.ts';
import type { Contract, Operation, Parameter } from '../../contract/model.ts';
import { defined } from '../../json/defined.ts';
import type { JsonValue } from '../../json/value.ts';
import { plainValue } from '../../values/plain-value.ts';
import type { CreatedRecord } from '../model/record.ts';
import type { Argument, BodyTemplate, RequestTemplate } from '../model/request-template.ts';
import { type Role, roleOf } from '../model/step.ts';
import { boundHeader } from './draft/bound-header.ts';
import { bodyOf, draftBodies, type DraftBody, withOwnName } from './draft/draft-body.ts';
import { isSafe } from './draft/is-safe.ts';
import { newKey } from './draft/new-key.ts';
import { type PathName, pathNames, type RecordKind, sourceOf } from './draft/path-names.ts';
import { isPatch, isReference, refers } from './draft/references.ts';
import { withOwnKeys } from './mark-body.ts';

export { bodyOf, type DraftBody } from './draft/draft-body.ts';
export { isSafe } from './draft/is-safe.ts';
export type { RecordKind } from './draft/path-names.ts';

/**
 * The plain valid request of an operation: what a person would send, and nothing that may be left
 * out of the address.
 */
export interface Draft {
  readonly operation: Operation;
  readonly role?: Role;
  /** The required arguments but for those that name records. */
  readonly arguments: readonly Argument[];
  /** The path parameters that name records, outermost first. */
  readonly names: readonly PathName[];
  /** The path parameter that names the record on which the operation acts. */
  readonly identifier?: Parameter;
  readonly body?: DraftBody;
  /** Valid bodies in the other media types of the operation. */
  readonly otherBodies: readonly DraftBody[];
  /**
   * Whether it refers to something that the contract does not show, such as the identifier of an
   * owner.
   */
  readonly invented: boolean;
}

/** A draft, or why there is none: a clause that begins with a small letter. */
export type DraftResult =
  { readonly ok: true; readonly draft: Draft } | { readonly ok: false; readonly reason: string };

/**
 * Values of parameters that the user gave, by operation id and parameter name; `*` stands for every
 * operation that requires a parameter of the name.
 */
export type ParameterExamples = Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;

/** What drafts are made from. `linked` names path parameters that an earlier answer fills in. */
export interface DraftSettings {
  readonly seed: string;
  readonly examples?: ParameterExamples | undefined;
  readonly linked?: ReadonlySet<string>;
  /**
   * Headers that the user adds to every request, in lower case: a draft has no arguments for them.
   */
  readonly givenHeaders?: ReadonlySet<string>;
}

/** Drafts the plain request of an operation. */
export function draftRequest(
  contract: Contract,
  operation: Operation,
  settings: DraftSettings,
): DraftResult {
  const { seed, examples, linked, givenHeaders } = settings;
  const given = givenFor(operation, examples ?? {});
  const fixed = operation.parameters.filter(
    ({ name, in: place }) => Object.hasOwn(given, name) && (place !== 'path' || mayName(operation)),
  );
  const names = pathNames(contract, operation)
    .filter(({ parameter }) => !fixed.includes(parameter) && linked?.has(parameter.name) !== true)
    .map(withExample);
  const named = new Set(names.map(({ parameter }) => parameter));
  const args: Argument[] = fixed.map((parameter) => ({
    parameter,
    source: { kind: 'value', value: given[parameter.name] ?? null },
  }));
  let invented = false;
  for (const parameter of operation.parameters.filter(
    (candidate) => candidate.required && !named.has(candidate) && !fixed.includes(candidate),
  )) {
    if (parameter.in === 'path' && linked?.has(parameter.name) === true) continue;
    if (parameter.in === 'header' && givenHeaders?.has(parameter.name.toLowerCase()) === true)
      continue;
    if (parameter.in === 'path' && !(isShown(parameter) && isSafe(operation)))
      return { ok: false, reason: unknownName(operation, parameter) };
    const made = plainArgument(parameter, seed);
    if (!made.ok)
      return { ok: false, reason: `no valid ${parameter.name} could be made: ${made.reason}` };
    args.push({
      parameter,
      source: (isIdempotencyKey(parameter) ? newKey(parameter) : undefined) ?? {
        kind: 'value',
        value: made.value,
      },
    });
    // What a document shows need not exist on this target.
    invented ||=
      parameter.in === 'path'
        ? !isListed(parameter)
        : isReference(parameter.name) && !isShown(parameter);
  }
  const drafted = draftBodies(operation, seed);
  if (!drafted.ok) return drafted;
  const role = roleOf(contract, operation);
  const isCreate = role?.action === 'create';
  // What no resource has may name its record all the same.
  const namesRecord =
    isCreate || (role === undefined && operation.method === 'POST' && names.length === 0);
  const ownName = {
    field: isCreate ? role.resource.identifier.field : undefined,
    salt: `${seed} ${operation.id}`,
  };
  const [body, ...otherBodies] = drafted.bodies.map((made): DraftBody => {
    const owned = namesRecord
      ? withOwnKeys(withOwnName(made, ownName), ownName.salt)
      : withNameOfPath(made, role, ownName.salt);
    return isCreate ? { ...owned, makesRecord: true } : owned;
  });
  invented ||= body !== undefined && !body.shown && (isPatch(body) || refers(body.value));
  const identifier = names.find(
    ({ parent, below }) => parent === undefined && below === undefined,
  )?.parameter;
  const optional = {
    ...defined({ role, identifier, body }),
  };
  return {
    ok: true,
    draft: { operation, arguments: args, names, otherBodies, invented, ...optional },
  };
}

/**
 * The body of a replacement or an update repeats the name in the path, and no example's. Where it
 * is sent as it stands, it names no record that somebody has.
 */
function withNameOfPath(body: DraftBody, role: Role | undefined, salt: string): DraftBody {
  if (role?.action !== 'replace' && role?.action !== 'update') return body;
  const { field, parameter } = role.resource.identifier;
  if (parameter === undefined) return body;
  const named = withOwnName(body, { field, salt });
  return named.identifier === undefined ? body : { ...named, namedBy: parameter };
}

function givenFor(
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
 * Whether a user may say on which record an operation acts: reading harms nobody, and who names a
 * record for a POST means it.
 */
function mayName(operation: Operation): boolean {
  return isSafe(operation) || operation.method === 'POST';
}

function withExample(name: PathName): PathName {
  const example = validExample(name.parameter);
  return example === undefined ? name : { ...name, otherwise: example.value };
}

function unknownName(operation: Operation, { name }: Parameter): string {
  const how = mayName(operation)
    ? `; give one with targets.NAME.examples.${operation.id}.${name}`
    : ', and the run changes only what it created';
  return `nothing in the contract shows which values {${name}} has${how}`;
}

/**
 * A valid value of a parameter: an example of the contract where it shows one. An empty one in a
 * path would lead to another path.
 */
function plainArgument(parameter: Parameter, seed: string): ReturnType<typeof plainValue> {
  const bound = boundHeader(parameter);
  if (bound !== undefined) return bound;
  const example = validExample(parameter);
  const made =
    example === undefined
      ? plainValue(parameter.schema, { seed, direction: 'request', name: parameter.name })
      : ({ ok: true, value: example.value } as const);
  if (parameter.in !== 'path' || !made.ok || made.value !== '') return made;
  const other = parameter.schema
    .flatten()
    .node.enum?.find((value) => typeof value === 'string' && value !== '');
  return typeof other === 'string'
    ? { ok: true, value: other }
    : { ok: false, reason: 'no path can carry an empty value' };
}

function validExample({ examples, schema }: Parameter): Parameter['examples'][number] | undefined {
  return examples.find(({ value }) => schema.accepts(value, 'request'));
}

/** Whether the contract shows a value, or says which there are. */
function isShown(parameter: Parameter): boolean {
  const { node } = parameter.schema.flatten();
  return (
    validExample(parameter) !== undefined ||
    isListed(parameter) ||
    [node.default, node.examples, node['example']].some((shown) => shown !== undefined)
  );
}

function isListed({ schema }: Parameter): boolean {
  const { node, types } = schema.flatten();
  return (
    node.enum !== undefined || node.const !== undefined || types.every((type) => type === 'boolean')
  );
}

/** The request of a draft, with another body or further arguments where they are given. */
export function requestOf(draft: Draft, record: RecordKind, changes?: Changes): RequestTemplate {
  let own = plain.get(draft);
  if (own === undefined) plain.set(draft, (own = new Map()));
  let known = own.get(record);
  if (known === undefined) own.set(record, (known = plainTemplate(draft, record)));
  return changes === undefined ? known : changeTemplate(known, changes);
}

interface Changes {
  readonly extra?: readonly Argument[];
  readonly body?: BodyTemplate | 'none';
}

// Every case that breaks one thing has the plain request for its control.
const plain = new WeakMap<Draft, Map<RecordKind, RequestTemplate>>();

function plainTemplate(draft: Draft, record: RecordKind): RequestTemplate {
  const names: Argument[] = draft.names.map((name) => ({
    parameter: name.parameter,
    source: sourceOf(name, record),
  }));
  return template(
    [...names, ...draft.arguments],
    draft.body === undefined ? 'none' : bodyOf(draft.body, draft.body.value),
  );
}

function changeTemplate(
  known: RequestTemplate,
  { extra = [], body = known.body ?? 'none' }: Changes,
): RequestTemplate {
  const kept =
    extra.length === 0
      ? known.arguments
      : known.arguments.filter(({ parameter }) =>
          extra.every((argument) => argument.parameter !== parameter),
        );
  // Not spread: that leaves room for more at the end of each, and a plan keeps thousands.
  return template(extra.length === 0 ? kept : kept.concat(extra), body);
}

function template(given: readonly Argument[], body: BodyTemplate | 'none'): RequestTemplate {
  return body === 'none'
    ? { arguments: given, credential: 'given' }
    : { arguments: given, body, credential: 'given' };
}

/**
 * The arguments that name one record that the run created: its identifier, and what it stands
 * below.
 */
export function argumentsFor({ names }: Draft, { identifier, parents }: CreatedRecord): Argument[] {
  return names.flatMap(({ parameter, parent }) => {
    const value = parent === undefined ? identifier : parents.get(parent);
    return value === undefined ? [] : [{ parameter, source: { kind: 'value', value } }];
  });
}
