import type { HeaderSpec, Operation, Parameter } from '../../contract/model.ts';
import type { CandidateValue } from '../../values/candidate-value.ts';
import type { LabelledValue } from '../../values/labelled-value.ts';
import { ValueCache } from '../../values/value-cache.ts';
import type { DraftBody } from './draft-body.ts';

/** Edge values of a schema, by their form in one body; undefined if they do not fit it. */
export type EdgeFits = Map<CandidateValue, LabelledValue | undefined>;

/** The implied header parameter of an operation, by its response header. */
export type ImpliedHeaders = Map<HeaderSpec, Parameter>;

/** The values that the phases of one plan share. `release()` ends the cache with the plan. */
export class PlanCache {
  /** The edges of one body, which several phases use. */
  readonly edgeFits = new Map<DraftBody, EdgeFits>();
  readonly impliedHeaders: ImpliedHeaders = new Map();
  /** The lists that have a query parameter, by its name and schema. */
  listsByParameter: ReadonlyMap<string, readonly Operation[]> | undefined;
  /** The values that planning has generated. */
  readonly values = new ValueCache();

  /** Empties the cache. A control that is written later still refers to its plan context. */
  release(): void {
    this.edgeFits.clear();
    this.impliedHeaders.clear();
    this.listsByParameter = undefined;
    this.values.clear();
  }
}
