import type { Suspicion } from '../engine/judge/judge.ts';
import type { Step } from '../model/step.ts';

/** The most examples of one cause that are kept; further ones are counted. */
const maxExamples = 100;
/** The most causes that are told apart. */
const maxCauses = 10_000;
/** The most bytes of steps that examples may keep; the first one of a cause may take as much again. */
const maxBytes = 64 * 1024 * 1024;
/** What a step takes besides its texts and bodies. */
const overhead = 4 * 1024;

/** Decides which suspicions are kept as examples of their cause, because traffic has no end. */
export class KeptExamples {
  readonly #seen = new Map<string, { seen: number; kept: number }>();
  #bytes = 0;

  /** The suspicions that are kept; all of them are counted. */
  limit(suspicions: readonly Suspicion[]): readonly Suspicion[] {
    return suspicions.filter((suspicion) => {
      const key = causeOf(suspicion);
      const counts = this.#seen.get(key) ?? { seen: 0, kept: 0 };
      if (counts.seen === 0 && this.#seen.size >= maxCauses) return false;
      this.#seen.set(key, counts);
      counts.seen += 1;
      const isFirst = counts.kept === 0;
      const bytes = this.#bytes + suspicion.steps.reduce((sum, step) => sum + sizeOf(step), 0);
      if (counts.kept >= maxExamples || bytes > maxBytes * (isFirst ? 2 : 1)) return false;
      this.#bytes = bytes;
      counts.kept += 1;
      return true;
    });
  }

  /** How many suspicions with the causes of these were counted and not kept. */
  moreThan(suspicions: readonly Suspicion[]): number {
    return [...new Set(suspicions.map(causeOf))].reduce((sum, key) => {
      const { seen, kept } = this.#seen.get(key) ?? { seen: 0, kept: 0 };
      return sum + seen - kept;
    }, 0);
  }
}

/** The check, the place and the cause of a suspicion, for each operation. */
function causeOf({ check, violation, steps }: Suspicion): string {
  const operation = steps.at(-1)?.case.operation.id ?? '';
  return [check.id, operation, violation.at, violation.cause ?? ''].join(' ');
}

/** The bytes that a step takes in memory, about. */
export function sizeOf({ exchange: { request, response } }: Pick<Step, 'exchange'>): number {
  const headers = [...request.headers, ...(response?.headers ?? [])];
  return (
    overhead +
    request.target.length +
    request.body.length +
    (response?.body.length ?? 0) +
    headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  );
}
