import type { OperationName } from '../operation-name.ts';

/** In what two deployments differ: whether they answer at all, and how. */
export type DifferenceKind =
  'answer' | 'status' | 'media-type' | 'header' | 'shape' | 'value' | 'gap';

/**
 * One way in which two deployments answer the same cases differently. Neither is wrong by it; what
 * is wrong is a finding.
 */
export interface Difference {
  /** Stays the same from run to run as long as the difference does. */
  readonly id: string;
  readonly operation: OperationName;
  readonly kind: DifferenceKind;
  /** `warning` where a client is likely to notice; `note` where only the data may differ. */
  readonly severity: 'warning' | 'note';
  /**
   * Where in the answer: a header's name, a place in the body (`/items/*\/price`), a gap's id;
   * empty for the answer as a whole.
   */
  readonly at: string;
  /** The cases it was seen with, one of them by title. */
  readonly trying: string;
  readonly count: number;
  /** What the deployment that is checked does, and what the other one does. */
  readonly left: string;
  readonly right: string;
}
