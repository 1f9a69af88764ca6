import type { RefusedTexts, RunKnowledge } from '../model/knowledge.ts';
import type { KnowledgeGatherer } from './gather-knowledge.ts';

/**
 * Ends a check that asked too early: it is held against the step again. One for all, for to make
 * one takes long.
 */
const tooEarly = new Error('not all of the run is known yet');

/**
 * Knowledge of a run that goes on: it notes whether somebody asked for what may still change, and
 * answers nobody who does.
 */
export class EarlyKnowledge implements RunKnowledge {
  readonly #gatherer: KnowledgeGatherer;
  readonly #refused: RefusedTexts;
  #asked: 'nothing' | 'creators' | 'anything' = 'nothing';

  constructor(gatherer: KnowledgeGatherer) {
    this.#gatherer = gatherer;
    this.#refused = refusedSoFar(gatherer, () => this.#refuse());
  }

  /** What it was asked for since the last time this was asked. */
  asked(): 'nothing' | 'creators' | 'anything' {
    const was = this.#asked;
    this.#asked = 'nothing';
    return was;
  }

  #refuse(): never {
    this.#asked = 'anything';
    throw tooEarly;
  }

  /** What was let in once was let in: that does not change. */
  get authorised(): RunKnowledge['authorised'] {
    return { has: (credential) => this.#gatherer.authorised.has(credential) || this.#refuse() };
  }

  get creators(): RunKnowledge['creators'] {
    if (this.#asked === 'nothing') this.#asked = 'creators';
    return this.#gatherer.creators;
  }

  get refusedTexts(): RefusedTexts {
    return this.#refused;
  }

  get largestPages(): never {
    return this.#refuse();
  }

  get answers(): never {
    return this.#refuse();
  }

  get shownFields(): never {
    return this.#refuse();
  }

  get unordered(): never {
    return this.#refuse();
  }

  get flickers(): never {
    return this.#refuse();
  }

  get latencies(): never {
    return this.#refuse();
  }

  get drift(): never {
    return this.#refuse();
  }
}

/**
 * The texts that were refused so far, told in the order of the plan. Nearly every list is asked
 * whether it shows one: it has to wait where it does, and where it shows a text of a request that
 * was sent at the same time and is told later.
 */
function refusedSoFar({ refusedTexts }: KnowledgeGatherer, early: () => never): RefusedTexts {
  return {
    get size() {
      return refusedTexts.size;
    },
    find: (resource, field, text) =>
      refusedTexts.isDoubtful(resource, field, text) ? early() : undefined,
  };
}
