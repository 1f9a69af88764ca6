import { check } from '../check.ts';
import { otherThanLinked } from './as-linked.ts';
import { planAffordances } from './plan-affordances.ts';
import { planEntryLinks } from './plan-entry-links.ts';
import { wrongShown } from './shown-links.ts';

/** Links of a record in HAL lead where they say, and agree with what its state allows. */
export const linksHold = check({
  id: 'links-hold',
  basis: 'inferred',
  severity: 'error',
  harm: 'results',
  rule:
    'Links of a record lead to what they name, and it embeds what belongs to it. Where its links ' +
    'show which operations its state allows, one with a link is accepted, one without refused.',
  reason:
    'A client in HAL offers its user what the links offer: a link too many is a button that ' +
    'fails, and an operation that is accepted without one is a rule that nobody keeps.',
  example: [
    '> GET /orders/7',
    '< {"status": "paid", "_links": {"self": {"href": "/orders/7"}}}',
    '> POST /orders/7/cancel   (refused with 409 for other orders without the link `cancel`)',
    '< 200 OK',
  ],
  confirm: 'again',
  plan: [
    { at: 'values', all: planEntryLinks },
    { at: 'stories', all: planAffordances },
  ],
  mutants: [async () => (await import('./hal-link-mutants.ts')).halLinkMutants],
  relations: { 'as-linked': otherThanLinked },
  inspect: wrongShown,
});
