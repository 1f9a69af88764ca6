import { namedByObject } from '../../../contract/infer/object-references.ts';
import type {
  Contract,
  FlatSchema,
  LocatedNode,
  Resource,
  Schema,
} from '../../../contract/model.ts';
import { mentions } from '../../../contract/words/mentions.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { mediaOf } from '../../model/case.ts';
import type { RecordName } from '../../model/record.ts';
import { roleOf, type Step } from '../../model/step.ts';

/** A record that a body names, and the member that names it. */
interface Named {
  readonly resource: Resource;
  readonly identifier: string;
  readonly by: string;
}

/**
 * Records that exist and that a service refuses to refer to, as a refusal says that tells the
 * member: `The queue is not active.` They are the last that later requests name.
 */
export class RefusedReferences {
  readonly #contract: Contract;
  readonly #refused = new Set<string>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Adds a step: what a success refers to is refused no longer. */
  note(step: Step): void {
    const { response } = step.exchange;
    const { intent, request } = step.case;
    if (response === undefined || intent.kind !== 'valid' || request.body === undefined) return;
    const isMade = isSuccess(response.status);
    if (isMade ? this.#refused.size === 0 : !ofTheRequest.has(response.status)) return;
    const named = this.#namedBy(step);
    if (named.length === 0) return;
    const text = isMade ? '' : new TextDecoder().decode(response.body.subarray(0, longest));
    for (const { resource, identifier, by } of named) {
      const key = keyOf(resource, identifier);
      if (isMade) this.#refused.delete(key);
      else if (mentions(text, by)) this.#refused.add(key);
    }
  }

  /** Names of records, those that no refusal told first. */
  order(resource: Resource, names: RecordName[]): RecordName[] {
    if (this.#refused.size === 0) return names;
    const isRefused = ({ identifier }: RecordName): boolean =>
      this.#refused.has(keyOf(resource, String(identifier)));
    return names.toSorted((one, other) => Number(isRefused(one)) - Number(isRefused(other)));
  }

  #namedBy({ case: testCase, sent }: Step): Named[] {
    const role = roleOf(this.#contract, testCase.operation);
    const keys = role?.resource.foreignKeys ?? [];
    const body = sent.body ?? null;
    const top = isJsonObject(body)
      ? keys.flatMap(({ field, resource }) =>
          scalarsIn(body[field]).map((identifier) => ({ resource, identifier, by: field })),
        )
      : [];
    const schema = mediaOf(testCase)?.schema;
    return schema === undefined ? top : [...top, ...this.#objectsIn(body, schema, schema, '')];
  }

  #objectsIn(value: JsonValue, schema: Schema, place: LocatedNode, name: string): Named[] {
    if (typeof value !== 'object' || value === null) return [];
    const flat = schema.flatten(place);
    if (isJsonArray(value)) {
      const { items } = flat;
      if (items === undefined) return [];
      return value.flatMap((item) => this.#objectsIn(item, schema, items, name));
    }
    const inner = Object.entries(value).flatMap(([member, part]): Named[] => {
      const at = flat.properties.get(member);
      return at === undefined ? [] : this.#objectsIn(part, schema, at, member);
    });
    return [...this.#nameOf(value, flat, name), ...inner];
  }

  #nameOf(value: Readonly<Record<string, JsonValue>>, flat: FlatSchema, by: string): Named[] {
    const resource = by === '' ? undefined : namedByObject(by, flat, this.#contract.resources);
    if (resource === undefined) return [];
    return scalarsIn(value[resource.identifier.field]).map((identifier) => ({
      resource,
      identifier,
      by,
    }));
  }
}

/** Refusals of what a request says. */
const ofTheRequest = new Set([400, 404, 409, 422]);

const longest = 4_000;

function keyOf({ collection }: Resource, identifier: string): string {
  return `${collection} ${identifier}`;
}

function scalarsIn(value: JsonValue | undefined): string[] {
  const values = isJsonArray(value ?? null) ? (value as readonly JsonValue[]) : [value ?? null];
  return values.flatMap((one) =>
    typeof one === 'string' || typeof one === 'number' ? [String(one)] : [],
  );
}
