import { dredd } from './dredd.ts';
import { portman } from './portman.ts';
import { respect } from './respect.ts';
import type { Runner } from './runner.ts';
import { schemathesis, schemathesisCoverage } from './schemathesis.ts';
import { specmatic } from './specmatic.ts';
import { vouch } from './vouch.ts';

/** Every runner that is compared, vouch first. */
export const runners: readonly Runner[] = [
  vouch,
  schemathesisCoverage,
  schemathesis,
  specmatic,
  portman,
  respect,
  dredd,
];
