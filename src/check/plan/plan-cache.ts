import type { HeaderSpec, Parameter } from '../../contract/model.ts';
import type { CandidateValue } from '../../values/candidate-value.ts';
import type { LabelledValue } from '../../values/labelled-value.ts';
import { ValueCache } from '../../values/value-cache.ts';
import type { DraftBody } from './draft/draft-body.ts';

/** Edge values of a schema by what they are in one body; undefined where they do not fit it. */
export type EdgeFits = Map<CandidateValue, LabelledValue | undefined>;

/**
 * The header parameter that an operation takes by implication, by the response header behind it.
 */
export type ImpliedHeaders = Map<HeaderSpec, Parameter>;

/** What the phases of one plan compute once and share. It ends with the plan: `release()`. */
export class PlanCache {
  /** Several phases ask for the edges of one body. */
  readonly edgeFits = new Map<DraftBody, EdgeFits>();
  readonly impliedHeaders: ImpliedHeaders = new Map();
  /** The values that the turns of planning have made. */
  readonly values = new ValueCache();

  /** Empties the cache. A control that is written later still refers to its plan context. */
  release(): void {
    this.edgeFits.clear();
    this.impliedHeaders.clear();
    this.values.clear();
  }
}
