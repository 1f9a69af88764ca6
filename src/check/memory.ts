import type { Contract, Identifier, Resource } from '../contract/model.ts';
import { headerValue, type HttpResponse } from '../http/message.ts';
import { valueAt } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { isSuccess } from './evidence/refusal.ts';
import { jsonOf, type Answer } from './evidence/read-answer.ts';
import type { Source } from './case.ts';
import { roleOf, type Step } from './subject.ts';

/** A record that the run created. */
export interface CreatedRecord {
  readonly resource: Resource;
  readonly identifier: JsonValue;
}

const mostRecords = 200;

/** What a run has learnt of the records of its target: what later requests may ask for, and what clean-up has to delete. */
export class Memory {
  #created: CreatedRecord[] = [];
  readonly #contract: Contract;
  readonly #records = new Map<string, JsonObject[]>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** The records that the run created and did not delete, in the order in which it did. */
  get created(): readonly CreatedRecord[] {
    return this.#created;
  }

  /** Takes in a step: records that a list or a read showed, and those that a create made. */
  learn(step: Step): void {
    const { response } = step.exchange;
    const role = roleOf(this.#contract, step.case.operation);
    if (role === undefined || response === undefined || !isSuccess(response.status)) return;
    const { resource, action } = role;
    if (action === 'create') this.#learnCreated(resource, step.answer, response);
    if (action === 'delete') this.#forget(resource, step);
    else this.#keep(resource, (action === 'list' ? listedRecords(resource, step.answer) : recordOf(step.answer)) ?? []);
  }

  #learnCreated(resource: Resource, answer: Answer, response: HttpResponse): void {
    const identifier = createdIdentifier(resource, answer, response);
    if (identifier !== undefined) this.#created.push({ resource, identifier });
  }

  #forget(resource: Resource, { sent }: Step): void {
    const gone = [...sent.arguments].find(([{ name }]) => name === resource.identifier.parameter)?.[1];
    this.#created = this.#created.filter((record) => record.resource !== resource || String(record.identifier) !== String(gone));
    const left = this.#records.get(resource.name)?.filter((record) => String(record[resource.identifier.field]) !== String(gone));
    this.#records.set(resource.name, left ?? []);
  }

  #keep({ name }: Resource, records: readonly JsonObject[]): void {
    const known = this.#records.get(name) ?? [];
    this.#records.set(name, [...known, ...records].slice(0, mostRecords));
  }

  /** The value of a source, or undefined where nothing is known that it could be. */
  resolve(source: Source, earlier: readonly Step[]): JsonValue | undefined {
    switch (source.kind) {
      case 'value':
        return source.value;
      case 'text':
      case 'raw':
        return source.text;
      case 'known':
        return this.#knownIdentifier(source.resource) ?? source.otherwise;
      case 'own':
        return this.#ownIdentifier(source.resource);
      case 'created':
        return this.#fromEarlier(source.resource, earlier, 'create')[0];
      case 'listed':
        return this.#fromEarlier(source.resource, earlier, 'list')[0];
      case 'field':
        return this.#knownField(source.resource, source.field, earlier);
    }
  }

  /** A record of the run's own is preferred: nobody else deletes it. */
  #knownIdentifier(name: string): JsonValue | undefined {
    const field = this.#resource(name)?.identifier.field ?? '';
    return this.#ownIdentifier(name) ?? this.#records.get(name)?.map((record) => record[field]).find(isIdentifier);
  }

  #ownIdentifier(name: string): JsonValue | undefined {
    return this.#created.find(({ resource }) => resource.name === name)?.identifier;
  }

  #knownField(name: string, field: string, earlier: readonly Step[]): JsonValue | undefined {
    const resource = this.#resource(name);
    if (resource === undefined) return undefined;
    const near = earlier.flatMap((step) => (roleOf(this.#contract, step.case.operation)?.resource === resource ? (listedRecords(resource, step.answer) ?? recordOf(step.answer)) : []));
    return [...near, ...(this.#records.get(name) ?? [])].map((record) => record[field]).find((value) => value !== undefined && value !== null);
  }

  #fromEarlier(name: string, earlier: readonly Step[], action: 'create' | 'list'): JsonValue[] {
    const resource = this.#resource(name);
    if (resource === undefined) return [];
    const steps = earlier.filter((step) => step.case.operation === resource.operations[action] && step.exchange.response !== undefined && isSuccess(step.exchange.response.status));
    return steps.flatMap((step) => {
      if (action === 'create') return createdIdentifier(resource, step.answer, step.exchange.response) ?? [];
      return (listedRecords(resource, step.answer) ?? []).map((record) => record[resource.identifier.field]).filter(isIdentifier);
    });
  }

  #resource(name: string): Resource | undefined {
    return this.#contract.resources.find((resource) => resource.name === name);
  }
}

function isIdentifier(value: JsonValue | undefined): value is JsonValue {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'bigint';
}

function recordOf(answer: Answer): JsonObject[] {
  const value = jsonOf(answer);
  return isJsonObject(value) ? [value] : [];
}

/** The records of a list's answer, or undefined where its body does not hold them as the contract says. */
export function listedRecords(resource: Resource, answer: Answer): JsonObject[] | undefined {
  if (resource.list === undefined) return undefined;
  const records = valueAt(jsonOf(answer), resource.list.records);
  // Array.isArray does not narrow a readonly array out of a union.
  return Array.isArray(records) ? (records as readonly JsonValue[]).filter(isJsonObject) : undefined;
}

/** The identifier that a create answered with: in the record, else at the end of `Location` (RFC 9110, section 10.2.2). */
export function createdIdentifier(resource: Resource, answer: Answer, response: HttpResponse | undefined): JsonValue | undefined {
  const value = jsonOf(answer);
  const identifier = isJsonObject(value) ? value[resource.identifier.field] : undefined;
  if (isIdentifier(identifier)) return identifier;
  const location = response === undefined ? undefined : headerValue(response.headers, 'location');
  return location === undefined ? undefined : fromLocation(location, resource.identifier);
}

function fromLocation(location: string, { type }: Identifier): JsonValue | undefined {
  const last = /([^/?#]+)\/?(?:[?#].*)?$/.exec(location)?.[1];
  if (last === undefined) return undefined;
  if (type === 'integer') return /^-?\d{1,19}$/.test(last) ? BigInt(last) : undefined;
  try {
    return decodeURIComponent(last);
  } catch {
    return undefined;
  }
}
