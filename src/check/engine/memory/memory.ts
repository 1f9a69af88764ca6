import type { Contract, Operation, Resource } from '../../../contract/model.ts';
import {
  keyedPaths,
  pathValues,
  withKeyParts,
  alsoNamed,
  otherNames,
  OwnRecords,
  standsBelow,
  differsElsewhere,
  type SeenRecord,
} from './own-records.ts';
import { rewriteAddress } from '../../../contract/infer/read-address.ts';
import { isTrial } from '../../../contract/protocols/trial.ts';
import { type HttpResponse, isSuccess } from '../../../http/message.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { nextOf } from '../../reading/next-page.ts';
import { createdIdentifier, isIdentifier } from '../../reading/created-record.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import {
  type CreatedRecord,
  type ForeignRecord,
  nameUnder,
  type RecordChanges,
  type RecordName,
} from '../../model/record.ts';
import type { Source } from '../../model/request-template.ts';
import { creatorOf, isUnguessable, type Role, roleOf, type Step } from '../../model/step.ts';
import { SeenValues } from './seen-values.ts';
import { uniqueText } from '../../plan/unique-text.ts';
import { bodyValue, ChosenNames, holds } from './chosen-names.ts';
import { CreateAnswers, givenPathValues, Ownership, RestorableRecords } from './ownership.ts';
import { RefusedReferences } from './refused-references.ts';
import { Ranks } from './ranks.ts';
import {
  absentName,
  createdName,
  followLink,
  fieldValue,
  heldValue,
  type KnownRecords,
  listedName,
  madeValue,
  missingLike,
  named,
  type NamedSource,
  resolvedBefore,
  shareOf,
} from './resolve-source.ts';
import { Tags } from './tags.ts';
import { writeExpression } from './write-expression.ts';

/** The response to a request, and the moment at which the request was sent. */
interface Answered {
  readonly response: HttpResponse;
  readonly sentAt: number;
}

const maxRecords = 200;
const unchanged: RecordChanges = { lost: [] };

/**
 * The records of the target that a run knows: those that later requests can use, and those that
 * cleanup has to delete.
 */
export class Memory {
  readonly #own: OwnRecords;
  readonly #resources: ReadonlyMap<string, Resource>;
  readonly contract: Contract;
  /** Operations that create records without being creates, by the resource. */
  readonly #makers: ReadonlyMap<Operation, Resource>;
  readonly #records = new Map<string, SeenRecord[]>();
  readonly #foreign: ForeignRecord[] = [];
  readonly #creates = new CreateAnswers();
  readonly #refused: RefusedReferences;

  /** Which records the run created, and which it saw. */
  readonly ownership = new Ownership();
  /** The states to which changed records are put back. */
  readonly restorable = new RestorableRecords();
  /** Values in responses, including records without a resource in the contract. */
  readonly seen = new SeenValues();
  readonly tags = new Tags();
  /** The places that records of others hold. */
  readonly ranks = new Ranks();

  /** Who chose the names of records. */
  readonly names: ChosenNames;

  /** `given`: the values that a person gave for requests, which may name records of others. */
  constructor(contract: Contract, given: JsonValue = []) {
    this.contract = contract;
    this.#own = new OwnRecords(contract);
    this.#refused = new RefusedReferences(contract);
    this.names = new ChosenNames(given);
    this.#makers = new Map(
      contract.resources.flatMap((resource) => {
        const maker = creatorOf(contract, resource);
        return maker === undefined || maker === resource.operations.create
          ? []
          : [[maker, resource] as const];
      }),
    );
    // If two resources have the same name, the first one counts.
    this.#resources = new Map(
      contract.resources.toReversed().map((resource) => [resource.name, resource]),
    );
  }

  /** The records that the run created and did not delete, in the order of creation. */
  get created(): readonly CreatedRecord[] {
    return this.#own.all;
  }

  /**
   * The records that other identities created. Identities may have separate data with equal
   * identifiers: the run does not own these records, and only that identity deletes them.
   */
  get foreign(): readonly ForeignRecord[] {
    return this.#foreign;
  }

  /** Notes that a request which may change a record is sent; call the result when it is over. */
  beginChange(written: Pick<Step, 'case' | 'sent'>): () => void {
    this.#refused.expect(written);
    return this.#own.beginChange(written);
  }

  /** The id of the case that last changed the record of the run that a request names. */
  readonly lastChangeOf = (step: Step): string | undefined => this.#own.lastChangeOf(step);

  /** Marks a record as the run's own that an earlier process of the same run created. */
  adopt(name: RecordName): void {
    this.ownership.claim(name, 0, 'known');
  }

  /** Whether the run created a record. */
  owns(name: RecordName): boolean {
    return this.ownership.owns(name);
  }

  /** Whether a record stands below one that the run created. */
  isBelowOwn(record: Pick<RecordName, 'resource' | 'parents'>): boolean {
    return this.ownership.ownAbove(record, this.contract.resources).length > 0;
  }

  /**
   * Whether a record is a part of one that the run created, and no record of others: it stands
   * below that record, and other records have another part of the same name.
   */
  isPartOfOwn(record: RecordName): boolean {
    const seen = this.#records.get(record.resource.name) ?? [];
    return this.isBelowOwn(record) && differsElsewhere(record, seen);
  }

  /** Whether a response showed a record of a resource with a text in one of its members. */
  showsIn(resource: Resource, text: JsonValue): boolean {
    const shown = this.#records.get(resource.name) ?? [];
    return shown.some(({ record }) => Object.values(record).includes(text));
  }

  /** Whether a record stands below one of the run that is deleted. */
  wentWithParent(record: CreatedRecord): boolean {
    if (record.parents.size === 0) return false;
    const above = this.ownership.ownAbove(record, this.contract.resources);
    return above.some(({ resource, identifier }) => !this.#own.has(resource, identifier));
  }

  /** Whether a response showed a record, or created it. */
  hasSeen(name: RecordName): boolean {
    return this.ownership.hasSeen(name) || this.ownership.owns(name);
  }

  /**
   * Adds a step, sent at a moment of `ownership`: records in lists and reads, and created ones.
   * Returns how the run's own records changed.
   */
  learn(step: Step, sentAt: number = this.ownership.now()): RecordChanges {
    const changes = this.#learnStep(step, sentAt);
    this.ownership.note(step, roleOf(this.contract, step.case.operation) !== undefined);
    return changes;
  }

  #learnStep(step: Step, sentAt: number): RecordChanges {
    const { response } = step.exchange;
    if (step.case.request.identity !== undefined) return this.#learnForeign(step);
    // What is only to be validated makes, changes and deletes nothing.
    if (isTrial(step.sent.arguments)) return unchanged;
    this.seen.note(step);
    this.#refused.note(step);
    this.restorable.note(step);
    this.#own.note(step);
    const role = roleOf(this.contract, step.case.operation);
    this.tags.note(step, role);
    const made = response && this.#learnMade(step, { response, sentAt });
    if (made !== undefined) return made;
    const again = this.#own.revive(step);
    if (again !== undefined) return { made: again, lost: [] };
    if (
      role === undefined ||
      response === undefined ||
      !isSuccess(response.status) ||
      step.case.intent.kind === 'method'
    )
      return unchanged;
    return this.#learnDone(role, step, { response, sentAt });
  }

  #learnDone(role: Role, step: Step, { response, sentAt }: Answered): RecordChanges {
    const { resource, action } = role;
    if (action === 'delete') return this.#forget(resource, step);
    const touched = argumentNamed(step.sent, resource.identifier.parameter);
    if (touched !== undefined && (action === 'replace' || action === 'update')) {
      const shown = shownRecord(resource, step.answer);
      const [former, other] = this.#own.renamed(resource, touched, shown) ?? [];
      const isOwn = other && (this.names.isMadeUp(step, other) || this.isBelowOwn(other));
      if (former && isOwn === true && this.ownership.claim(other, sentAt, 'answered')) {
        this.#own.rename(former, other.identifier);
        return { ...this.#keepOwn(other, step), lost: [former] };
      }
      this.restorable.noteTouched({ resource, identifier: touched });
    }
    // The record of a create is claimed before it counts as seen.
    const changes = this.#claimOf(role, step, { response, sentAt });
    this.#keep(
      resource,
      step,
      (action === 'list'
        ? listedRecords(resource, step.answer)
        : [shownRecord(resource, step.answer)].filter((record) => record !== undefined)) ?? [],
    );
    return changes;
  }

  /** Responses to another identity, and its actions, say nothing about the records of the run. */
  #learnForeign(step: Step): RecordChanges {
    const { operation, request } = step.case;
    const { exchange, sent } = step;
    const role = roleOf(this.contract, operation);
    const { response } = exchange;
    const isCreated = role?.action === 'create' && isSuccess(response?.status ?? 0);
    const identifier = isCreated ? createdIdentifier(role.resource, step) : undefined;
    if (isCreated && identifier !== undefined && request.identity !== undefined) {
      const parents = givenPathValues(operation, sent);
      const { resource } = role;
      this.#foreign.push({ resource, identifier, parents, identity: request.identity });
    }
    return unchanged;
  }

  #claimOf({ resource, action }: Role, step: Step, { response, sentAt }: Answered): RecordChanges {
    const { kind } = step.case.intent;
    if (action === 'replace' && kind === 'missing')
      return this.#learnReplaced(resource, step, sentAt);
    return action === 'create'
      ? this.#learnCreated(resource, step, { response, sentAt })
      : unchanged;
  }

  /**
   * A record that another operation than a create created: under a unique name that the run chose,
   * or by a POST without a body. Undefined if the step created none.
   */
  #learnMade(step: Step, { response, sentAt }: Answered): RecordChanges | undefined {
    const { operation, request, intent } = step.case;
    const resource = this.#makers.get(operation);
    if (resource === undefined || intent.kind !== 'valid' || !isSuccess(response.status))
      return undefined;
    if (operation !== resource.namedCreate)
      return this.#learnCreated(resource, step, { response, sentAt });
    const { parameter } = resource.identifier;
    const source = request.arguments.find((one) => one.parameter.name === parameter)?.source;
    return source?.kind === 'value' && isUnguessable(source.value)
      ? this.#learnReplaced(resource, step, sentAt)
      : undefined;
  }

  #learnCreated(resource: Resource, step: Step, { response, sentAt }: Answered): RecordChanges {
    const identifier = createdIdentifier(resource, step);
    // A repeated create with the same idempotency key may return the same record.
    if (
      identifier === undefined ||
      (step.case.intent.kind === 'condition' && this.#own.has(resource, identifier))
    )
      return unchanged;
    const shown = shownRecord(resource, step.answer);
    const keyed = keyedPaths(this.contract, resource);
    const made = { resource, identifier, parents: withKeyParts(pathValues(step), shown, keyed) };
    if (this.#creates.foundInstead(step, shown)) return unchanged;
    // A service that answers with another record than it made does not show the new one.
    const isChosen = holds(bodyValue(step.case.request.body) ?? null, identifier);
    if (response.status === 201 && !isChosen && this.#own.isKept(made))
      return { lost: [], isRepeated: true };
    const isPart = this.isPartOfOwn(made);
    if (!isPart && this.names.isGiven(step, made)) return unchanged;
    const below = this.isBelowOwn(made) ? 'answered below own' : 'answered';
    const proof = isPart ? 'known' : below;
    if (!this.ownership.claim(made, sentAt, proof)) return unchanged;
    this.restorable.noteMade(made, shown);
    const others = otherNames(this.contract, made, shown);
    // Under a name that the run made up, the record is the run's own there too.
    for (const name of others)
      if (this.names.isMadeUp(step, name)) this.ownership.claim(name, sentAt);
    return this.#keepOwn(alsoNamed(made, others), step);
  }

  /** A replacement of a record that did not exist succeeded: the server has created it. */
  #learnReplaced(resource: Resource, step: Step, sentAt: number): RecordChanges {
    const identifier = argumentNamed(step.sent, resource.identifier.parameter);
    if (identifier === undefined) return unchanged;
    const made = { resource, identifier, parents: pathValues(step) };
    if (!this.names.isMadeUp(step, made)) return unchanged;
    return this.ownership.claim(made, sentAt) ? this.#keepOwn(made, step) : unchanged;
  }

  #keepOwn(made: CreatedRecord, { answer }: Step): RecordChanges {
    this.#own.add(made, shownRecord(made.resource, answer));
    return { made, lost: [] };
  }

  #forget(resource: Resource, { sent }: Step): RecordChanges {
    const gone = String(argumentNamed(sent, resource.identifier.parameter));
    const lost = this.#own.remove(resource, gone);
    const known = this.#records.get(resource.name) ?? [];
    for (let at = known.length - 1; at >= 0; at -= 1)
      if (known[at]?.name === gone) known.splice(at, 1);
    return lost.length === 0 ? unchanged : { lost };
  }

  #keep(resource: Resource, step: Step, records: readonly JsonObject[]): void {
    const { field } = resource.identifier;
    const keyed = keyedPaths(this.contract, resource);
    const known = this.#records.get(resource.name) ?? [];
    for (const { name } of [resource, ...keyed]) this.#records.set(name, known);
    if (records.length === 0) return;
    const parents = pathValues(step);
    for (const record of records) {
      const identifier = record[field];
      if (isIdentifier(identifier)) this.ownership.see({ resource, identifier, parents });
    }
    const room = maxRecords - known.length;
    if (room === 0) return;
    known.push(
      ...records.slice(0, room).map((record) => {
        const name = String(record[field]);
        return { record, name, parents: withKeyParts(parents, record, keyed) };
      }),
    );
  }

  /**
   * The value of a source; undefined if no known value fits. Within a sequence the same source
   * keeps its value.
   */
  // oxlint-disable-next-line complexity -- one line for each kind of source
  resolve(source: Source, earlier: readonly Step[]): JsonValue | undefined {
    const resource = 'resource' in source ? this.#resource(source.resource) : undefined;
    const known = resource && { resource, seen: this.#seenOf(resource), earlier };
    switch (source.kind) {
      case 'value':
        return this.#addressed(source, this.#missingLike(source) ?? source.value);
      case 'text':
      case 'raw':
        return source.text;
      case 'known':
        return (
          resolvedBefore(source, earlier) ??
          (resource && this.#knownName(source, resource)) ??
          source.otherwise
        );
      case 'seen':
        return this.seen.pathValue(source) ?? source.otherwise;
      case 'own':
        return resolvedBefore(source, earlier) ?? (resource && this.#ownName(source, resource));
      case 'created':
        return this.#own.nameNow(resource, known && createdName(source, known, this));
      case 'listed':
        return known && listedName(source, known);
      case 'absent':
        return known && absentName(known);
      case 'unique':
        return uniqueText(source);
      case 'list': {
        const values = source.of.map((one) => this.resolve(one, earlier));
        if (!values.every((value) => value !== undefined)) return undefined;
        return source.joint === undefined ? values : values.map(String).join(source.joint);
      }
      case 'members':
        // It is read from the body of its own request.
        return undefined;
      case 'tag':
        return '*';
      case 'field':
        return (
          (known && fieldValue(source, this.#fieldsOf(source, known), this.contract)) ??
          source.otherwise
        );
      case 'held':
        return known && heldValue(source, known);
      case 'expression':
        return known && writeExpression(source, known);
      case 'share':
        return known && shareOf(source, known);
      case 'made':
        return this.#addressed(
          { like: source.resource, ...source },
          this.#own.nameNow(resource, known && madeValue(source, known)),
        );
      case 'link':
        return followLink(source, earlier);
      case 'next':
        return nextOf(resource, source, earlier);
    }
  }

  #missingLike({ like, value }: Extract<Source, { kind: 'value' }>): JsonValue | undefined {
    const resource = like === undefined ? undefined : this.#resource(like);
    // A number needs no other form.
    if (resource === undefined || typeof value !== 'string') return undefined;
    return missingLike(
      (this.#records.get(resource.name) ?? []).map(({ name }) => name),
      value,
    );
  }

  /** An identifier, or the address with it that a source asks for. */
  #addressed(
    { like, address }: { readonly like?: string; readonly address?: string },
    identifier: JsonValue | undefined,
  ): JsonValue | undefined {
    const { itemPath } = (like === undefined ? undefined : this.#resource(like)) ?? {};
    return address === undefined || itemPath === undefined || identifier === undefined
      ? identifier
      : rewriteAddress(itemPath, address, () => identifier);
  }

  /** The records that are known to exist, for another record to name: those of the run first. */
  namesOf(resource: Resource, holder: string): RecordName[] {
    const own = [...this.#own.of(resource)].map((record) => ({
      ...record,
      identifier: nameUnder(resource, record),
    }));
    const seen = (this.#records.get(resource.name) ?? []).flatMap(({ record, parents }) => {
      const identifier = record[resource.identifier.field];
      return isIdentifier(identifier) ? [{ resource, identifier, parents }] : [];
    });
    return this.#refused.best(resource, [...own, ...seen], holder);
  }

  /** Prefers a record that the run owns: other clients do not delete it. */
  #knownName(source: NamedSource, resource: Resource): JsonValue | undefined {
    const field = resource.identifier.field;
    const seen = this.#records
      .get(source.resource)
      ?.find(
        ({ record, parents }) => isIdentifier(record[field]) && standsBelow(resource, parents),
      );
    return (
      this.#ownName(source, resource) ?? (seen && named(source, seen.record[field], seen.parents))
    );
  }

  /**
   * A record that was created through another path to the same set also counts, if its path has the
   * parents that this one needs, and none that is deleted.
   */
  #ownName(source: NamedSource, resource: Resource): JsonValue | undefined {
    const own = this.#own.first(resource, (record) => this.wentWithParent(record));
    return own && named(source, nameUnder(resource, own), own.parents);
  }

  /** For a part of a record of the run, what was seen of that record alone. */
  #fieldsOf({ own }: Extract<Source, { kind: 'field' }>, known: KnownRecords): KnownRecords {
    if (own !== true) return known;
    const { resource } = known;
    const first = this.#own.first(resource, (record) => this.wentWithParent(record));
    const name = first && String(nameUnder(resource, first));
    const seen = this.#records.get(resource.name) ?? [];
    return {
      ...known,
      seen: seen.filter((one) => one.name === name).map(({ record }) => record),
    };
  }

  #seenOf({ name }: Resource): JsonObject[] {
    return (this.#records.get(name) ?? []).map(({ record }) => record);
  }

  #resource(name: string): Resource | undefined {
    return this.#resources.get(name);
  }
}
