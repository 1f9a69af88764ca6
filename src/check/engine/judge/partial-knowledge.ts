import type { KnowledgeName, RefusedTexts, RunKnowledge } from '../../model/knowledge.ts';
import type { KnowledgeGatherer } from './gather-knowledge.ts';

/** The parts of the knowledge that a check names as its needs, and no others. */
export function neededKnowledge(
  knowledge: RunKnowledge,
  needs: readonly KnowledgeName[] | undefined,
): RunKnowledge {
  if (needs === undefined) return noKnowledge;
  const view: Partial<RunKnowledge> = {};
  for (const need of needs) Object.assign(view, { [need]: knowledge[need] });
  // A check reads only what it names: the rest is absent.
  return view as RunKnowledge;
}

// A check without needs reads nothing of it.
const noKnowledge = {} as RunKnowledge;

/**
 * The knowledge during a run. It notes whether a check read a part that may still change; such a
 * part is empty here, and the check judges the step again at the end of the run.
 */
export class PartialKnowledge {
  readonly #gatherer: KnowledgeGatherer;
  readonly #parts: { readonly [Name in KnowledgeName]: () => RunKnowledge[Name] };
  #read: 'nothing' | 'creators' | 'unfinished' = 'nothing';

  constructor(gatherer: KnowledgeGatherer) {
    this.#gatherer = gatherer;
    const authorised: RunKnowledge['authorised'] = {
      // A credential that was accepted once stays accepted.
      has: (credential) => gatherer.authorised.has(credential) || this.#noteUnfinished(false),
    };
    const makers: RunKnowledge['makers'] = {
      has: (operation) => gatherer.makers.has(operation) || this.#noteUnfinished(false),
    };
    const refusedTexts = this.#refusedTexts();
    this.#parts = {
      authorised: () => authorised,
      makers: () => makers,
      refusedTexts: () => refusedTexts,
      creators: () => {
        if (this.#read === 'nothing') this.#read = 'creators';
        return gatherer.creators;
      },
      largestPages: () => this.#noteUnfinished(new Map()),
      answers: () => this.#noteUnfinished(new Map()),
      shownFields: () => this.#noteUnfinished(new Set()),
      createdFields: () => this.#noteUnfinished(new Map()),
      unordered: () => this.#noteUnfinished(new Set()),
      flickers: () => this.#noteUnfinished(new Map()),
      latencies: () => this.#noteUnfinished(new Map()),
      drift: () => this.#noteUnfinished(new Map()),
      identifiers: () => this.#noteUnfinished(new Map()),
      records: () => this.#noteUnfinished(new Set<string>()),
      accepted: () => this.#noteUnfinished({ has: () => false, takesTexts: () => false }),
    };
  }

  /** The view of a check with these needs, created once for each check. */
  view(needs: readonly KnowledgeName[] | undefined): RunKnowledge {
    if (needs === undefined) return noKnowledge;
    const view = {};
    for (const need of needs)
      Object.defineProperty(view, need, { enumerable: true, get: this.#parts[need] });
    // The getters of the needs; a check reads nothing else.
    return view as RunKnowledge;
  }

  /** What was read since the last call. */
  takeRead(): 'nothing' | 'creators' | 'unfinished' {
    const read = this.#read;
    this.#read = 'nothing';
    return read;
  }

  #noteUnfinished<Value>(value: Value): Value {
    this.#read = 'unfinished';
    return value;
  }

  /**
   * The texts that were refused so far, in the order of the plan. Almost every list is searched for
   * them. The check waits if a list shows one, or a marked text whose request is not noted yet.
   */
  #refusedTexts(): RefusedTexts {
    const { refusedTexts } = this.#gatherer;
    return {
      get size() {
        return refusedTexts.size;
      },
      find: (resource, field, text) =>
        refusedTexts.isDoubtful(resource, field, text)
          ? this.#noteUnfinished(undefined)
          : undefined,
    };
  }
}
