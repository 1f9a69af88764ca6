import type { Operation } from '../../contract/model.ts';
import { stringifyJson } from '../../json/value.ts';
import { withoutMark } from './request-changes.ts';
import { type Case, hash, mediaOf } from '../model/case.ts';
import type { AcceptedParts } from '../model/knowledge.ts';
import { type Step, hasSuccess } from '../model/step.ts';
import { fieldTexts, parameterTexts } from '../../contract/words/facts.ts';
import { partsOf, textsOf } from './request-parts.ts';

/** Further requests are not remembered: a part then counts as never accepted. */
const maxKeys = 50_000;

/**
 * Collects which described parts accepted requests had, and beside which other parts: words may
 * allow a parameter beside one value of another parameter alone (`empty when listing`). Also
 * whether several texts were accepted at a place: a reference takes only those of its records.
 */
export class AcceptedPartsGatherer implements AcceptedParts {
  readonly #keys = new Set<string>();
  readonly #described = new Map<Operation, ReadonlySet<string>>();
  readonly #texts = new Map<string, string>();
  readonly #open = new Set<string>();

  note({ case: testCase, exchange }: Step): void {
    const { intent } = testCase;
    if (intent.kind !== 'valid' || !hasSuccess({ exchange })) return;
    this.#noteTexts(testCase);
    const described = this.#describedIn(testCase);
    if (described.size === 0 || this.#keys.size > maxKeys) return;
    for (const [name, key] of keysOf(testCase)) if (described.has(name)) this.#keys.add(key);
  }

  has(testCase: Case, part: string): boolean {
    return this.#keys.has(keysOf(testCase).get(part) ?? '');
  }

  takesTexts({ id }: Operation, path: string): boolean {
    return this.#open.has(`${id} ${path}`);
  }

  #noteTexts(testCase: Case): void {
    for (const [path, text] of textsOf(testCase)) {
      const place = `${testCase.operation.id} ${path}`;
      if (this.#open.has(place)) continue;
      const known = this.#texts.get(place);
      if (known !== undefined && known !== text) this.#open.add(place);
      else if (this.#texts.size < maxKeys) this.#texts.set(place, text);
    }
  }

  #describedIn(testCase: Case): ReadonlySet<string> {
    const { operation } = testCase;
    const described = this.#described.get(operation) ?? describedParts(testCase);
    this.#described.set(operation, described);
    return described;
  }
}

/** The parts of a request of which the contract says something in words. */
export function describedParts(testCase: Case): ReadonlySet<string> {
  const names = testCase.operation.parameters.flatMap((parameter) => {
    const texts = [...parameterTexts(parameter), ...fieldTexts(parameter.schema.flatten())];
    return texts.length === 0 ? [] : [parameter.name];
  });
  const body = mediaOf(testCase)?.schema;
  const members = [...(body?.flatten().properties ?? [])].flatMap(([name, place]) =>
    body === undefined || fieldTexts(body.flatten(place)).length === 0 ? [] : [name],
  );
  return new Set([...names, ...members]);
}

/**
 * A key for each part: the same for requests whose other parts are the same, apart from the marks
 * of a run. Hashes are added, so that a large body is read once.
 */
function keysOf(testCase: Case): Map<string, string> {
  const hashes = [...partsOf(testCase)].map(([name, value]) => ({
    name,
    own: Number.parseInt(hash(withoutMark(`${name} ${stringifyJson(value)}`)), 16),
  }));
  const all = hashes.reduce((sum, { own }) => sum + own, 0);
  const { id } = testCase.operation;
  return new Map(hashes.map(({ name, own }) => [name, `${id} ${name} ${String(all - own)}`]));
}
