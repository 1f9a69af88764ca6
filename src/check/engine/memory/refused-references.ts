import { addressedBy } from '../../../contract/infer/address-members.ts';
import { namedByObject } from '../../../contract/infer/object-references.ts';
import { readAddress } from '../../../contract/infer/read-address.ts';
import type {
  Contract,
  FlatSchema,
  LocatedNode,
  Resource,
  Schema,
} from '../../../contract/model.ts';
import { mentions } from '../../../contract/words/mentions.ts';
import { isSuccess } from '../../../http/message.ts';
import {
  isJsonArray,
  isJsonObject,
  objectOf,
  type JsonObject,
  type JsonValue,
} from '../../../json/value.ts';
import { mediaOf } from '../../model/case.ts';
import type { RecordName } from '../../model/record.ts';
import { createdIdentifier } from '../../reading/created-record.ts';
import { keysIn } from '../../reading/identifiers.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import { roleOf, type Step } from '../../model/step.ts';

/** A record that a body names, and the members by which it does: that which names it last. */
interface Named {
  readonly resource: Resource;
  readonly identifier: string;
  readonly by: readonly string[];
}

/**
 * Records that exist and that a service refuses to refer to, as a refusal says that tells the
 * member: `The queue is not active.` They are the last that later requests name. Where one is
 * refused that was accepted before, such as a seat that is booked, each is named once, and a change
 * names the one that its record holds.
 */
export class RefusedReferences {
  readonly #contract: Contract;
  readonly #refused = new Set<string>();
  readonly #accepted = new Set<string>();
  /** The collections whose records are named once. */
  readonly #once = new Set<string>();
  /** The record of a collection that another record holds, by both. */
  readonly #held = new Map<string, string>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Notes a request that is sent: those at the same time name other records. */
  expect(written: Pick<Step, 'case' | 'sent'>): void {
    if (this.#once.size === 0 || written.case.intent.kind !== 'valid') return;
    for (const { resource, identifier } of this.#namedBy(written))
      this.#accepted.add(keyOf(resource, identifier));
  }

  /** Adds a step: what a success refers to is refused no longer. */
  note(step: Step): void {
    const { response } = step.exchange;
    const { intent, request } = step.case;
    if (response === undefined || intent.kind !== 'valid' || request.body === undefined) return;
    const isMade = isSuccess(response.status);
    if (!isMade && !ofTheRequest.has(response.status)) return;
    const named = this.#namedBy(step);
    if (named.length === 0) return;
    const text = isMade ? '' : new TextDecoder().decode(response.body.subarray(0, longest));
    const byKind = Map.groupBy(named, ({ resource }) => resource.collection);
    for (const { resource, identifier, by } of named) {
      const key = keyOf(resource, identifier);
      const alike = byKind.get(resource.collection) ?? [];
      const isTold = (one: Named): boolean => one.by.some((name) => mentions(text, name));
      if (isMade) {
        this.#refused.delete(key);
        this.#accepted.add(key);
        if (alike.length === 1)
          this.#held.set(`${this.#holderOf(step)} ${resource.collection}`, identifier);
        // Two that a refusal tells do not go together, such as the stops of a journey.
      } else if (by.some((name) => mentions(text, name)) && alike.filter(isTold).length === 1) {
        this.#refused.add(key);
        if (this.#accepted.has(key) && alike.length === 1) this.#once.add(resource.collection);
      }
    }
  }

  /** The names of records that a service rather accepts: no refusal told them. */
  best(resource: Resource, names: RecordName[], holder: string): RecordName[] {
    if (this.#refused.size === 0) return names;
    const isOnce = this.#once.has(resource.collection);
    const held = isOnce ? this.#held.get(`${holder} ${resource.collection}`) : undefined;
    if (held !== undefined) return names.filter(({ identifier }) => String(identifier) === held);
    const rank = ({ identifier }: RecordName): number => {
      const key = keyOf(resource, String(identifier));
      return this.#refused.has(key) ? 2 : Number(isOnce && this.#accepted.has(key));
    };
    const best = Math.min(...names.map(rank));
    return names.filter((name) => rank(name) === best);
  }

  /** The record that a success made or changed. */
  #holderOf(step: Step): string {
    const { resource, action } = roleOf(this.#contract, step.case.operation) ?? {};
    if (resource === undefined) return '';
    const { parameter } = resource.identifier;
    const made = action === 'create' ? createdIdentifier(resource, step) : undefined;
    return keyOf(resource, String(made ?? argumentNamed(step.sent, parameter)));
  }

  #namedBy({ case: testCase, sent }: Pick<Step, 'case' | 'sent'>): Named[] {
    const role = roleOf(this.#contract, testCase.operation);
    const body = sent.body ?? null;
    const members = objectOf(body);
    const keys = role === undefined ? [] : keysIn(role.resource, Object.keys(members));
    const top = keys.flatMap(({ field, resource }) =>
      scalarsIn(members[field]).map((identifier) => ({ resource, identifier, by: [field] })),
    );
    const schema = mediaOf(testCase)?.schema;
    return schema === undefined ? top : [...top, ...this.#namedIn(body, schema, schema, [])];
  }

  #namedIn(value: JsonValue, schema: Schema, place: LocatedNode, by: readonly string[]): Named[] {
    const flat = schema.flatten(place);
    if (isJsonArray(value)) {
      const { items } = flat;
      return items === undefined
        ? []
        : value.flatMap((item) => this.#namedIn(item, schema, items, by));
    }
    if (typeof value === 'string') return this.#addressed(value, flat, by);
    if (!isJsonObject(value)) return [];
    const inner = Object.entries(value).flatMap(([member, part]): Named[] => {
      const at = flat.properties.get(member);
      return at === undefined ? [] : this.#namedIn(part, schema, at, [...by, member]);
    });
    return [...this.#nameOf(value, flat, by), ...inner];
  }

  #nameOf(value: JsonObject, flat: FlatSchema, by: readonly string[]): Named[] {
    const name = by.at(-1);
    const resource =
      name === undefined ? name : namedByObject(name, flat, this.#contract.resources);
    if (resource === undefined) return [];
    return scalarsIn(value[resource.identifier.field]).map((identifier) => ({
      resource,
      identifier,
      by: by.slice(-1),
    }));
  }

  /** The record of an address, which an object may hold: `"slot": { "reference": "Slot/7" }`. */
  #addressed(value: string, { node }: FlatSchema, by: readonly string[]): Named[] {
    const resource = addressedBy(node, this.#contract.resources)?.resource;
    const values = readAddress(resource?.itemPath ?? '', value);
    const identifier = values && [...values].toSorted(([one], [other]) => other - one)[0]?.[1];
    return resource === undefined || identifier === undefined ? [] : [{ resource, identifier, by }];
  }
}

/** Refusals of what a request says. */
const ofTheRequest = new Set([400, 404, 409, 422]);

const longest = 4_000;

/** A record, by its collection and its identifier. */
export function keyOf({ collection }: Pick<Resource, 'collection'>, identifier: string): string {
  return `${collection} ${identifier}`;
}

function scalarsIn(value: JsonValue | undefined): string[] {
  const values = isJsonArray(value ?? null) ? (value as readonly JsonValue[]) : [value ?? null];
  return values.flatMap((one) =>
    typeof one === 'string' || typeof one === 'number' ? [String(one)] : [],
  );
}
