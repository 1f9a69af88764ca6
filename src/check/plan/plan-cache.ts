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

/**
 * The header in which an operation accepts a condition, such as `If-None-Match` (RFC 9110, section
 * 13.1): as declared; for a read that documents an ETag also without a declaration. Arguments are
 * compared by their parameters, so `implied` caches one for each ETag.
 */
export function conditionHeader(
  operation: Operation,
  name: string,
  implied: ImpliedHeaders,
): Parameter | undefined {
  const declared = declaredHeader(operation, name);
  if (declared !== undefined || name.toLowerCase() !== 'if-none-match') return declared;
  const tag = operation.responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ headers }) => headers)
    .find((header) => header.name.toLowerCase() === 'etag');
  if (tag === undefined) return undefined;
  const parameter = implied.get(tag) ?? impliedBy(tag);
  implied.set(tag, parameter);
  return parameter;
}

/** The header parameter of an operation by its name, in any case. */
export function declaredHeader({ parameters }: Operation, name: string): Parameter | undefined {
  return parameters.find(
    (parameter) => parameter.in === 'header' && parameter.name.toLowerCase() === name.toLowerCase(),
  );
}

function impliedBy({ schema, pointer }: HeaderSpec): Parameter {
  return {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    deprecated: false,
    style: 'simple',
    explode: false,
    allowReserved: false,
    allowEmptyValue: false,
    schema,
    examples: [],
    pointer,
  };
}
