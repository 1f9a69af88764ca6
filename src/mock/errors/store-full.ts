import type { Resource } from '../../contract/model.ts';
import { makeFault, type Fault } from './fault.ts';

/** Says that the mock holds as many added records as it may. */
export function storeFull({ name }: Resource): Fault {
  return makeFault(
    'conflict',
    'store_full',
    `The mock holds as many added records as it may, so this record of ${name} was not added. Delete records, reset the mock, or start it with a greater --max-records.`,
  );
}
