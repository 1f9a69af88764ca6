import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { plainName, singularOf } from '../../../contract/infer/infer-names.ts';
import type { Contract, Operation, Resource } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isSuccess } from '../../../http/message.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, objectOf, memberOf } from '../../../json/value.ts';
import { type EffectRules, onlyReads, whyArgumentActs } from '../../model/effect-rules.ts';
import { isIdentifier } from '../../reading/created-record.ts';
import { isNobodys, isPlainKey, keyNames, keysIn } from '../../reading/record-keys.ts';
import { isSameRecord, shownRecord } from '../../reading/shown-records.ts';
import { withoutMark } from '../../reading/request-changes.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import { bodyValue } from '../memory/chosen-names.ts';
import type { Memory } from '../memory/memory.ts';
import { givenPathValues } from '../memory/ownership.ts';
import { isTaken } from '../learn/free-places.ts';
import { type Case, controlOf, mediaOf } from '../../model/case.ts';
import { namedKey, type RecordName } from '../../model/record.ts';
import type { BodyTemplate, Source } from '../../model/request-template.ts';
import { roleOf, type Sent, type Step, isUnguessable, safeMethods } from '../../model/step.ts';
import { criteriaIn, findIdentifier, identifierIn, isWord } from '../../reading/identifiers.ts';
import { bodyName, namedResource, pathNames, resourceNamedBy } from '../../reading/path-names.ts';

/** The values of a request before it is sent. */
export type WrittenCase = Pick<Step, 'case' | 'sent'>;

/**
 * A record that a create is about to name, and whether no other client can have that name. `at` is
 * set for a member that the contract does not call the identifier.
 */
export interface ChosenName {
  readonly at?: Pointer;
  /** Whether such a member is known to name the record. */
  readonly isKey?: boolean;
  /** Why a create must not use it at all, as a clause. */
  readonly refusal?: string;
  /** Undefined if no resource declares the identifier. */
  readonly record: RecordName | undefined;
  readonly identifier: JsonValue;
  readonly isUnguessable: boolean;
}

/** PROPFIND is sent only as a method that the contract does not declare (RFC 4918, section 9.1). */
const harmless: readonly string[] = [...safeMethods, 'PROPFIND'];

/**
 * The last gate before a request is sent: a change goes only to a record that the run created, and
 * a create uses no name that a record of another client may have.
 */
export class RecordGuard {
  readonly #contract: Contract;
  readonly #rules: EffectRules;
  readonly #memory: Memory;
  /** The criteria of the plain body of each operation that sends some. */
  readonly #criteria = new Map<Operation, JsonValue>();
  /** The records that the user's own requests name. */
  readonly #named = new Set<string>();
  #stopped: string | undefined;
  #changes = 0;

  constructor(parts: {
    readonly contract: Contract;
    readonly rules: EffectRules;
    readonly memory: Memory;
  }) {
    this.#contract = parts.contract;
    this.#rules = parts.rules;
    this.#memory = parts.memory;
  }

  /** Refuses every further request that may change something; `reason` is a clause. */
  stopChanges(reason: string): void {
    this.#stopped ??= reason;
  }

  /** Why changes are refused. */
  get stopped(): string | undefined {
    return this.#stopped;
  }

  /** Whether a case may change something on the target. */
  mayChange(one: Case): boolean {
    const { operation, request } = one;
    if (whyArgumentActs(one, this.#rules) !== undefined) return true;
    const method = request.method ?? operation.method;
    const reads = request.method === undefined && onlyReads(operation, this.#rules);
    return !reads && (!harmless.includes(method) || request.method === undefined);
  }

  /**
   * Why a written request must not be sent, as a clause; undefined if it may be. `earlier`: the
   * steps of its sequence before it.
   */
  forbids(written: WrittenCase, earlier: readonly Step[] = []): string | undefined {
    if (!this.mayChange(written.case)) return undefined;
    const reason =
      this.#stopped ??
      this.#forbidsIdentity(written, earlier) ??
      (this.#isForeign(written) ? undefined : this.#forbidsChange(written)) ??
      this.#forbidsOtherName(written) ??
      this.#forbidsPlace(written) ??
      this.#forbidsCriteria(written.case);
    if (reason === undefined) this.#changes += 1;
    return reason;
  }

  /**
   * The same for a request that the user wrote: it may change records of others, which then differ
   * after the run by the user's own will.
   */
  forbidsNamed(written: WrittenCase): string | undefined {
    if (!this.mayChange(written.case)) return undefined;
    if (this.#stopped !== undefined) return this.#stopped;
    const { operation } = written.case;
    for (const { parameter, resource } of pathNames(this.#contract, operation)) {
      const identifier = written.sent.arguments.get(parameter);
      if (identifier !== undefined) this.#named.add(namedKey({ resource, identifier }));
    }
    this.#changes += 1;
    return undefined;
  }

  /** Whether the run created a record, or the user named it for a change. */
  isKnown(record: RecordName): boolean {
    return this.owns(record) || this.#named.has(namedKey(record));
  }

  /** How many requests that may change something were allowed. */
  get changes(): number {
    return this.#changes;
  }

  #forbidsChange(written: WrittenCase): string | undefined {
    const { operation, request } = written.case;
    if (this.#rules.allowed.has(operation)) return undefined;
    if (request.method !== undefined) return this.#forbidsProbe(written);
    const acts = whyArgumentActs(written.case, this.#rules);
    if (acts !== undefined && this.ownRecordOf(operation, written.sent) === undefined)
      return `${acts}, and the request names no record of the run`;
    const named = this.#forbidsBody(written) ?? this.#forbidsReference(written);
    if (named !== undefined) return named;
    for (const name of pathNames(this.#contract, operation)) {
      // Creating something below a record leaves that record unchanged.
      if (name.parent !== undefined || (operation.method === 'POST' && name.below !== undefined))
        continue;
      const identifier = written.sent.arguments.get(name.parameter);
      if (identifier === undefined) continue;
      const source = request.arguments.find(
        ({ parameter }) => parameter === name.parameter,
      )?.source;
      if (source === undefined || namesNoRecord(source, identifier, operation)) continue;
      const parents = givenPathValues(operation, written.sent);
      const record = { resource: name.resource, identifier, parents };
      const isOwn = this.#owns(record, name.elsewhere) || this.#isOwnElsewhere(record);
      if (!isOwn) return notOwn(identifier);
    }
    return undefined;
  }

  /** Whether the run created the record that a path names, also where its parents are not there. */
  #owns(record: RecordName, elsewhere: boolean | undefined): boolean {
    const { ownership } = this.#memory;
    return elsewhere === true ? ownership.ownsElsewhere(record) : ownership.owns(record);
  }

  /**
   * Whether a record is called as one of the run below another parent, which is of the run too: a
   * service that ignores the parent changes that record, and no other.
   */
  #isOwnElsewhere(record: RecordName): boolean {
    return this.#memory.isBelowOwn(record) && this.#memory.ownership.ownsElsewhere(record);
  }

  /** A body that names the record which it changes names one of the run. */
  #forbidsBody({ case: { operation }, sent }: WrittenCase): string | undefined {
    const member = bodyName(this.#contract, operation)?.member;
    if (member === undefined) return undefined;
    const named = this.#namedInBody(operation, sent);
    if (named === undefined) return `its body does not name a record of the run as ${member}`;
    return this.#memory.owns(named) ? undefined : notOwn(named.identifier);
  }

  /**
   * What an operation changes may be named anywhere: `POST /orders/ship` with an `orderId`, `POST
   * /entries?action=reverse&id=7`. Unless its path names a record of the run, each key is that of
   * one, or of none. A create refers to records of others in its body, and leaves them.
   */
  #forbidsReference(written: WrittenCase): string | undefined {
    const { sent } = written;
    const { operation, request } = written.case;
    if (pathNames(this.#contract, operation).length > 0) return undefined;
    if (this.ownRecordOf(operation, sent) !== undefined) return undefined;
    const makes = this.#rules.effects.get(operation)?.effect === 'creates one';
    const asked = [...sent.arguments].filter(([{ in: location }]) => location !== 'path');
    const keys = keyNames(this.#contract);
    const values = Object.fromEntries(asked.map(([{ name }, value]) => [name, value]));
    const inBody = makes ? [] : keysIn(bodyValue(request.body), keys);
    const own = roleOf(this.#contract, operation)?.resource;
    for (const { name, value } of [...keysIn(values, keys), ...inBody]) {
      const resource = namedResource(this.#contract, name);
      if (isNobodys(value) || (makes && resource !== own && !isPlainKey(name))) continue;
      const record = resource && { resource, identifier: value, parents: new Map() };
      if (record === undefined || !this.#memory.owns(record)) return notOwn(value);
    }
    const body = bodyValue(request.body);
    return makes ? undefined : this.#forbidsNoun({ ...objectOf(body), ...values });
  }

  /** A plain noun that names a record which an answer showed: `coupon=SPRING24` of `/coupons`. */
  #forbidsNoun(values: JsonObject): string | undefined {
    const roots = this.#contract.resources.filter(
      ({ kind, parents }) => kind === 'collection' && parents.length === 0,
    );
    for (const [name, identifier] of Object.entries(values)) {
      const noun = singularOf(plainName(name));
      const resource = roots.find(
        ({ collectionPath }) => singularOf(plainName(lastWord(collectionPath))) === noun,
      );
      if (resource === undefined || !isIdentifier(identifier)) continue;
      const record = { resource, identifier, parents: new Map() };
      if (this.#memory.hasSeen(record) && !this.#memory.owns(record)) return notOwn(identifier);
    }
    return undefined;
  }

  /**
   * A request that tests another name of a record elsewhere: a service may make a record of that
   * name, among those of others. What another field shows is no name.
   */
  #forbidsOtherName({ case: { operation, request, control } }: WrittenCase): string | undefined {
    const value = bodyValue(request.body);
    if (control === undefined || !isJsonObject(value)) return undefined;
    const usual = bodyValue(controlOf({ control })?.body) ?? null;
    const own = roleOf(this.#contract, operation)?.resource;
    for (const [name, text] of Object.entries(value)) {
      if (typeof text !== 'string') continue;
      const before = memberOf(usual, name);
      if (typeof before === 'string' && withoutMark(before) === withoutMark(text)) continue;
      const resource = resourceNamedBy(this.#contract, name);
      if (resource === undefined || resource === own) continue;
      if (this.#memory.showsIn(resource, text)) continue;
      return `no answer shows ${resource.name} of that ${name}, and the service may make one`;
    }
    return undefined;
  }

  /** A place of an order in which records of others stand, or before them: they may move. */
  #forbidsPlace({ case: { operation, request }, sent }: WrittenCase): string | undefined {
    const resource = roleOf(this.#contract, operation)?.resource;
    const value = bodyValue(request.body);
    if (resource === undefined || !isJsonObject(value)) return undefined;
    if (this.#rules.allowed.has(operation)) return undefined;
    const taken = [...this.#memory.ranks.of(resource)].find(([name, highest]) =>
      isTaken(value[name], highest),
    );
    const isOwn = this.#memory.isBelowOwn({ resource, parents: givenPathValues(operation, sent) });
    if (taken === undefined || isOwn) return undefined;
    const [name, highest] = taken;
    return (
      `records that were there before have a ${name} up to ${String(highest)}, ` +
      'and may move for this one'
    );
  }

  /** The record that the body of a change names. */
  #namedInBody(operation: Operation, { body }: Sent): RecordName | undefined {
    const named = bodyName(this.#contract, operation);
    if (named === undefined || !isJsonObject(body)) return undefined;
    const identifier = body[named.member];
    return isIdentifier(identifier)
      ? { resource: named.resource, identifier, parents: new Map() }
      : undefined;
  }

  /** Whether the contract or a person gave the name of a record: then any client may have it. */
  isGiven(operation: Operation, identifier: JsonValue): boolean {
    return this.#memory.names.isDocumented(operation, identifier);
  }

  /**
   * With another credential, an identifier may mean another record. A change is sent only if no
   * record can have that identifier by chance, or if the identity's own read shows no such record,
   * or the same one as the run's.
   */
  #forbidsIdentity(written: WrittenCase, earlier: readonly Step[]): string | undefined {
    const { operation, request } = written.case;
    const { identity } = request;
    const name = pathNames(this.#contract, operation).findLast(
      ({ parent }) => parent === undefined,
    );
    const identifier = name && written.sent.arguments.get(name.parameter);
    if (identity === undefined || name === undefined || identifier === undefined) return undefined;
    if (isUnguessable(identifier) || this.#isForeign(written)) return undefined;
    const reads = earlier.filter((step) => this.#reads(step, { ...name, identifier }));
    const theirs = reads.findLast((step) => step.case.request.identity === identity);
    const { status = 0 } = theirs?.exchange.response ?? {};
    if ([401, 403, 404, 410].includes(status)) return undefined;
    const ours = reads.findLast((step) => step.case.request.identity === undefined);
    const [one, other] = [ours, theirs].map(
      (step) => step && shownRecord(name.resource, step.answer),
    );
    if (isSuccess(status) && one !== undefined && other !== undefined)
      if (isSameRecord(name.resource, one, other)) return undefined;
    return `no answer shows which record ${identity} calls ${String(identifier)}`;
  }

  /** Whether a step read the record of an identifier. */
  #reads(
    { case: { operation }, sent }: Step,
    { resource, identifier }: Pick<RecordName, 'resource' | 'identifier'>,
  ): boolean {
    const role = roleOf(this.#contract, operation);
    if (role?.action !== 'read' || role.resource.collection !== resource.collection) return false;
    const asked = argumentNamed(sent, role.resource.identifier.parameter);
    return String(asked) === String(identifier);
  }

  /** Whether a request refers to a record that its own identity created. */
  #isForeign({ case: { operation, request }, sent }: WrittenCase): boolean {
    if (request.identity === undefined) return false;
    const values = [...sent.arguments.values()].map(String);
    const role = roleOf(this.#contract, operation);
    return this.#memory.foreign.some(
      ({ identity, resource, identifier }) =>
        identity === request.identity &&
        resource === role?.resource &&
        values.includes(String(identifier)),
    );
  }

  /**
   * A record that selects other records, such as a silence by its `matchers`, affects records of
   * others if it selects more than planned: only the criteria of the plain request are allowed.
   */
  #forbidsCriteria({ operation, request, intent, control }: Case): string | undefined {
    const given = criteriaIn(bodyValue(request.body) ?? null);
    const planned = this.#criteria.get(operation);
    if (planned === undefined) {
      if (given.length === 0 || this.#rules.allowed.has(operation)) return undefined;
      if (intent.kind !== 'valid' || control !== undefined) return otherCriteria;
      this.#criteria.set(operation, given);
      return undefined;
    }
    return equalJson(planned, given) ? undefined : otherCriteria;
  }

  /** An undeclared method goes only to an identifier that no record can have. */
  #forbidsProbe({ case: { operation }, sent }: WrittenCase): string | undefined {
    const name = pathNames(this.#contract, operation).findLast(
      ({ parent }) => parent === undefined,
    );
    const identifier = name && sent.arguments.get(name.parameter);
    if (identifier !== undefined && isUnguessable(identifier)) return undefined;
    return 'an undeclared method may change a record that the run did not create';
  }

  /**
   * The name that a create gives its record; undefined if the service chooses it, or the run owns
   * it.
   */
  chosenName({ case: testCase, sent }: WrittenCase): ChosenName | undefined {
    const { operation } = testCase;
    const { body } = testCase.request;
    if (body === undefined || operation.method !== 'POST' || !this.mayChange(testCase))
      return undefined;
    const role = roleOf(this.#contract, operation);
    const resource = role?.action === 'create' ? role.resource : undefined;
    const identifier = nameIn(body, resource?.identifier.field);
    if (identifier === undefined || this.#rules.allowed.has(operation)) return undefined;
    const record = resource && { resource, identifier, parents: givenPathValues(operation, sent) };
    if (record !== undefined && this.#memory.owns(record)) return undefined;
    const canMakeUp = body.kind === 'bytes' || body.identifier !== undefined;
    const isGiven = canMakeUp && this.#memory.names.isDocumented(operation, identifier);
    const refusal = `${String(identifier)} is given, so it may be the name of somebody’s record`;
    const name = { record, identifier, isUnguessable: isUnguessable(identifier) };
    return isGiven ? { ...name, refusal } : name;
  }

  /**
   * What may name the record of a create besides its identifier, and so overwrite somebody's: words
   * in its body that the contract or a person gave, and members that are known as `keys`.
   */
  possibleKeys({ case: testCase, sent }: WrittenCase, keys: readonly Pointer[] = []): ChosenName[] {
    const { operation, request } = testCase;
    const role = roleOf(this.#contract, operation);
    const value = bodyValue(request.body);
    if (role?.action !== 'create' || !isJsonObject(value) || this.#rules.allowed.has(operation))
      return [];
    const { resource } = role;
    const parents = givenPathValues(operation, sent);
    return Object.entries(value).flatMap(([name, identifier]): ChosenName[] => {
      const at = joinPointer('', name);
      const isGiven = isWord(identifier) && this.#memory.names.isDocumented(operation, identifier);
      const isKey = keys.includes(at) && (isIdentifier(identifier) || identifier === '');
      if (isKey && identifier === '') return [noName(at)];
      if (name === resource.identifier.field || !(isGiven || isKey)) return [];
      if (!isKey && namesOther(testCase, resource, name)) return [];
      if (!mayName(resource, identifier)) return [];
      const record = { resource, identifier, parents };
      return this.#memory.owns(record)
        ? []
        : [{ record, identifier, isUnguessable: isUnguessable(identifier), at, isKey }];
    });
  }

  /** Whether a record stands below one that the run created. */
  isBelowOwn({ resource, parents }: Pick<RecordName, 'resource' | 'parents'>): boolean {
    return this.#memory.isBelowOwn({ resource, parents });
  }

  /** Whether the run created a record. */
  owns(record: RecordName): boolean {
    return this.#memory.owns(record);
  }

  /** Whether the user allows an operation, whatever it changes. */
  isAllowed(operation: Operation): boolean {
    return this.#rules.allowed.has(operation);
  }

  /** The record on which a request acts, if the run created it. */
  ownRecordOf(operation: Operation, sent: Sent): RecordName | undefined {
    const named = this.#namedInBody(operation, sent);
    if (named !== undefined) return this.#memory.owns(named) ? named : undefined;
    for (const name of pathNames(this.#contract, operation).toReversed()) {
      const { parameter, parent, resource, elsewhere } = name;
      const identifier = parent === undefined ? sent.arguments.get(parameter) : undefined;
      if (identifier === undefined) continue;
      const record = { resource, identifier, parents: givenPathValues(operation, sent) };
      return this.#owns(record, elsewhere) ? record : undefined;
    }
    return undefined;
  }
}

/** Whether a member of a body refers to another record, or is the same in all records. */
function namesOther(testCase: Case, { foreignKeys }: Resource, name: string): boolean {
  if (foreignKeys.some(({ field }) => field === name)) return true;
  const schema = mediaOf(testCase)?.schema;
  const place = schema?.flatten().properties.get(name);
  const node = place && schema?.flatten(place).node;
  // A flag in words names no record.
  const isFlag = node?.enum?.every((value) => flags.test(String(value))) === true;
  return node?.const !== undefined || isFlag;
}

const flags = /^(?:0|1|true|false|yes|no|y|n|on|off)$/i;

/** Whether the paths of a resource can carry a value as the name of a record. */
function mayName({ operations, identifier }: Resource, value: JsonValue): boolean {
  const parameters = [operations.read, operations.replace, operations.update, operations.delete]
    .flatMap((operation) => operation?.parameters ?? [])
    .filter(({ name, in: location }) => location === 'path' && name === identifier.parameter);
  // A lenient service reads a number as a text.
  return parameters.some(({ schema }) =>
    [value, String(value)].some((name) => schema.accepts(name, 'request')),
  );
}

/** An empty name, by which no record could be deleted. */
function noName(at: Pointer): ChosenName {
  const refusal = 'a record with an empty name could not be deleted';
  return { record: undefined, identifier: '', isUnguessable: false, at, isKey: true, refusal };
}

/** Whether an identifier from such a source cannot be that of another client's record. */
function namesNoRecord({ kind }: Source, identifier: JsonValue, { method }: Operation): boolean {
  if (kind === 'value') return isUnguessable(identifier) || method === 'POST';
  return kind === 'absent' || kind === 'text' || kind === 'raw';
}

/** The name that a body gives a record, also if it is sent as bytes under another media type. */
function nameIn(body: BodyTemplate, field: string | undefined): JsonValue | undefined {
  const value = bodyValue(body);
  const known = body.kind === 'bytes' ? undefined : body.identifier;
  // Without a resource, a member such as `id` need not name anything.
  const isNamed = body.kind === 'bytes' || field !== undefined;
  const path =
    known ?? (value === undefined || !isNamed ? undefined : findIdentifier(value, field));
  return value !== undefined && path !== undefined ? identifierIn(value, path) : undefined;
}

const otherCriteria =
  'its record picks other records, and with these criteria it may apply to ones that are ' +
  'not of this run';

function notOwn(identifier: JsonValue): string {
  const record = `the record ${String(identifier)}`;
  return `the run did not create ${record}, and changes only what it created`;
}
