import type { Respond, Service } from '../check/mutants/mutant.ts';

/** Another behaviour that conforms to the contract: a finding under it is a false positive. */
export interface Variant {
  readonly id: string;
  readonly rule: string;
  /** How many records it starts with, instead of the usual number. */
  readonly seedRecords?: number;
  /** Whether a second identity takes part in the run, as for a mutation. */
  readonly second?: true;
  readonly plant: (service: Service) => Respond;
}
