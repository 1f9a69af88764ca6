import { depots } from './depots.ts';
import { talk } from './talk.ts';
import type { Flow } from './step.ts';

/** A flow for each of the services. */
export const flows: readonly Flow[] = [depots, talk];
