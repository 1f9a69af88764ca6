import { wholeParameters } from '../../../contract/infer/conventions/path-styles.ts';
import type { Contract, Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/message.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../../json/pointer.ts';
import { defined, isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { nameOperation } from '../../model/finding.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { pathNames } from '../../reading/path-names.ts';
import type { ObservedGap } from '../../model/event.ts';
import { actionAt } from '../../reading/overlay-action.ts';

/** Where a value first stood in the answers of a run, or in what they accepted. */
interface Sighting {
  readonly operation: Operation;
  readonly status: number;
  /** With `*` for each index of a list. */
  readonly at: Pointer;
  /** Whether it is a segment of an address that stood there. */
  readonly isPart: boolean;
  /** Whether the request said it, and the answer accepted that. */
  readonly isSent: boolean;
}

/** Bounds the memory for a target that shows very much, in values. */
const maxSightings = 20_000;
const [shortest, longest] = [3, 200];

/**
 * Learns which answers the values of path parameters come from: the plainest proof that two fields
 * mean the same is that one text stands in both, and that a request with it succeeds.
 */
export class ProvenLinks {
  readonly #contract: Contract;
  readonly #sightings = new Map<string, Sighting>();
  /** Path parameters that took, with success, what an answer of another operation had shown. */
  readonly #links = new Map<string, ObservedGap>();
  readonly #seen = new Set<string>();

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  /** Adds a step; steps come in the order of their sequences. */
  note(step: Step): void {
    const { case: testCase, sent } = step;
    const { operation, intent, request } = testCase;
    const status = step.exchange.response?.status ?? 0;
    if (intent.kind !== 'valid' || request.identity !== undefined || !isSuccess(status)) return;
    for (const { name } of wholeParameters(this.#contract.inference.pathOf(operation)))
      this.#prove(step, name);
    const value = jsonOf(step.answer);
    const place = { operation, status, at: '', isPart: false };
    if (value !== undefined) this.#see(value, { ...place, isSent: false });
    if (sent.body !== undefined) this.#see(sent.body, { ...place, isSent: true });
  }

  /** The links that the contract does not state, in the order in which they were proven. */
  observed(): readonly ObservedGap[] {
    return [...this.#links.values()];
  }

  #prove({ case: { operation }, sent }: Step, name: string): void {
    const path = this.#contract.inference.pathOf(operation);
    // Every path that begins so takes the same.
    const key = path.slice(0, path.indexOf(`{${name}}`) + name.length + 2);
    if (this.#seen.has(key)) return;
    const [, value] =
      [...sent.arguments].find(([one]) => one.in === 'path' && one.name === name) ?? [];
    const from = typeof value === 'string' ? this.#sightings.get(value) : undefined;
    if (from === undefined) return;
    this.#seen.add(key);
    if (!this.#isStated(operation, name, from))
      this.#links.set(key, linkOf(operation, name, { from, path: key, contract: this.#contract }));
  }

  /** Whether the contract shows the link: the field that identifies the records of that path. */
  #isStated(
    operation: Operation,
    name: string,
    { operation: shown, at, isPart }: Sighting,
  ): boolean {
    const named = pathNames(this.#contract, operation).find(
      ({ parameter }) => parameter.name === name,
    );
    const role = roleOf(this.#contract, shown);
    if (named === undefined) return false;
    if (
      shown.responses.some(({ links }) => links.some((link) => link.operationId === operation.id))
    )
      return true;
    const isItsField = splitPointer(at).at(-1) === named.resource.identifier.field;
    return !isPart && isItsField && (named.parent !== undefined || role !== undefined);
  }

  #see(value: JsonValue, place: Sighting): void {
    if (this.#sightings.size >= maxSightings) return;
    if (typeof value === 'string') this.#seeText(value, place);
    else if (isJsonArray(value))
      for (const item of value) this.#see(item, { ...place, at: joinPointer(place.at, '*') });
    else if (isJsonObject(value))
      for (const [name, member] of Object.entries(value))
        this.#see(member, { ...place, at: joinPointer(place.at, name) });
  }

  #seeText(text: string, place: Sighting): void {
    if (text.length < shortest || text.length > longest || /\s/.test(text)) return;
    // Words such as `open` stand in many places by chance.
    if (/\d/.test(text) && !this.#sightings.has(text)) this.#sightings.set(text, place);
    if (place.isPart || !text.includes('/')) return;
    for (const part of text.split('/')) this.#seeText(part, { ...place, isPart: true });
  }
}

function linkOf(
  operation: Operation,
  name: string,
  {
    from,
    path,
    contract,
  }: { readonly from: Sighting; readonly path: string; readonly contract: Contract },
): ObservedGap {
  const { at, isPart, isSent } = from;
  const source = nameOperation(from.operation);
  const way = splitPointer(at);
  const field = way.filter((token) => token !== '*').join('.') || 'the body';
  const link = {
    operationId: operation.id,
    parameters: { [name]: `$${isSent ? 'request' : 'response'}.body#${at}` },
  };
  const place = joinPointer(from.operation.pointer, 'responses', String(from.status));
  const response = valueAt(contract.document, place);
  // OpenAPI has no link for a part of a value (3.1, section 4.8.20), and 2.0 has none at all. What
  // stands beside a reference does not count.
  const isSayable =
    !isPart &&
    !way.includes('*') &&
    !operation.id.includes(' ') &&
    contract.dialect !== '2.0' &&
    isJsonObject(response) &&
    response['$ref'] === undefined;
  const update = { links: { [operation.id]: link } };
  const overlayAction = isSayable ? actionAt(contract, { at: place, update }) : undefined;
  return {
    gap: {
      id: `link ${operation.id} ${name}`,
      message: `The contract does not say where the {${name}} of ${path} comes from.`,
    },
    observed:
      `{${name}} takes ${isPart ? 'a part of ' : ''}${field} of ${source.method} ${source.path}` +
      `${isSent ? ', as it was sent' : ''}.`,
    ...defined({ overlayAction }),
  };
}
