import type { Operation } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/status.ts';
import { stringifyJson } from '../../../json/value.ts';
import { withoutMark } from '../../learn/request-changes.ts';
import { type Case, hash, mediaOf } from '../../model/case.ts';
import type { AcceptedParts } from '../../model/knowledge.ts';
import type { Step } from '../../model/step.ts';
import { partsOf } from './request-parts.ts';

/** Further requests are not remembered: a part then counts as never accepted. */
const maxKeys = 50_000;

/**
 * Collects which described parts accepted requests had, and beside which other parts: words may
 * allow a parameter beside one value of another parameter alone (`empty when listing`).
 */
export class AcceptedPartsGatherer implements AcceptedParts {
  readonly #keys = new Set<string>();
  readonly #described = new Map<Operation, ReadonlySet<string>>();

  /** Adds a step. */
  note({ case: testCase, exchange }: Step): void {
    const { intent, operation } = testCase;
    if (intent.kind !== 'valid' || !isSuccess(exchange.response?.status ?? 0)) return;
    const described = this.#describedIn(testCase);
    if (described.size === 0 || this.#keys.size > maxKeys) return;
    for (const name of partsOf(testCase).keys())
      if (described.has(name)) this.#keys.add(keyOf(testCase, name));
    if (!this.#described.has(operation)) this.#described.set(operation, described);
  }

  has(testCase: Case, part: string): boolean {
    return this.#keys.has(keyOf(testCase, part));
  }

  #describedIn(testCase: Case): ReadonlySet<string> {
    return this.#described.get(testCase.operation) ?? describedParts(testCase);
  }
}

/** The parts of a request of which the contract says something in words. */
export function describedParts(testCase: Case): ReadonlySet<string> {
  const names = testCase.operation.parameters.flatMap(({ name, description, schema }) =>
    (description ?? schema.flatten().node.description) === undefined ? [] : [name],
  );
  const body = mediaOf(testCase)?.schema;
  const members = [...(body?.flatten().properties ?? [])].flatMap(([name, { node, pointer }]) =>
    body?.flatten(node, pointer).node.description === undefined ? [] : [name],
  );
  return new Set([...names, ...members]);
}

/** A part and the others beside it, apart from the marks of a run. */
function keyOf(testCase: Case, part: string): string {
  const others = [...partsOf(testCase)]
    .filter(([name]) => name !== part)
    .map(([name, value]) => `${name} ${stringifyJson(value)}`);
  return hash(withoutMark([testCase.operation.id, part, ...others.sort()].join('\n')));
}
