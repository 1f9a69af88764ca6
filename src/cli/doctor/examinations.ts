import type { Examination } from './examination.ts';
import { examineConfig, examineContract, examineState } from './examine-files.ts';
import { examineNode, examinePort, examinePrism, examineStore } from './examine-machine.ts';
import { examineTargets, examineToken } from './examine-targets.ts';

/** Everything that `vouch doctor` looks at, in the order of its report. */
export const examinations: readonly Examination[] = [
  { name: 'node', examine: examineNode },
  { name: 'config', examine: examineConfig },
  { name: 'contract', examine: examineContract },
  { name: 'port', examine: examinePort },
  { name: 'token', examine: examineToken },
  { name: 'target', examine: examineTargets },
  { name: 'state', examine: examineState },
  { name: 'prism', examine: examinePrism },
  { name: 'redis', examine: examineStore },
];
