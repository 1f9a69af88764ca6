import type { Operator } from '../deviation.ts';
import { authenticationOperators } from './authentication.ts';
import { bodyOperators } from './body.ts';
import { conditionOperators } from './condition.ts';
import { harmOperators } from './harm.ts';
import { listOperators } from './list.ts';
import { messageOperators } from './message.ts';
import { pageOperators } from './page.ts';
import { stateOperators } from './state.ts';
import { transportOperators } from './transport.ts';
import { updateOperators } from './update.ts';
import { validationOperators } from './validation.ts';

/** Every kind of deviation that can be planted. */
export const operators: readonly Operator[] = [
  ...bodyOperators,
  ...messageOperators,
  ...validationOperators,
  ...authenticationOperators,
  ...stateOperators,
  ...listOperators,
  ...pageOperators,
  ...transportOperators,
  ...harmOperators,
  ...conditionOperators,
  ...updateOperators,
];
