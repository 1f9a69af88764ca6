import type { Mutator } from '../mutation.ts';
import { authenticationMutators } from './authentication.ts';
import { bodyMutators } from './body.ts';
import { conditionMutators } from './condition.ts';
import { harmMutators } from './harm.ts';
import { listMutators } from './list.ts';
import { messageMutators } from './message.ts';
import { pageMutators } from './page.ts';
import { ruleMutators } from './rules.ts';
import { stateMutators } from './state.ts';
import { transportMutators } from './transport.ts';
import { updateMutators } from './update.ts';
import { validationMutators } from './validation.ts';

/** Every kind of mutation that can be planted. */
export const mutators: readonly Mutator[] = [
  ...bodyMutators,
  ...ruleMutators,
  ...messageMutators,
  ...validationMutators,
  ...authenticationMutators,
  ...stateMutators,
  ...listMutators,
  ...pageMutators,
  ...transportMutators,
  ...harmMutators,
  ...conditionMutators,
  ...updateMutators,
];
