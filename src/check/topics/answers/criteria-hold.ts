import { joinPointer } from '../../../json/pointer.ts';
import { factsOf } from '../../reading/expression-facts.ts';
import { check } from '../check.ts';

/** The steps of a workflow get the answers that the workflow says. */
export const criteriaHold = check({
  id: 'criteria-hold',
  basis: 'contract',
  harm: 'results',
  rule:
    'The response to a step of a workflow (Arazzo) satisfies the criteria of the step, unless ' +
    'the workflow itself handles the failure.',
  reason: 'The workflow says what a client does with the service, so that client fails.',
  example: [
    '> GET /orders/7   (a step with the criterion $response.body#/paid == true)',
    '< {"id": 7, "paid": false}',
  ],
  confirm: 'repeat',
  traits: ['workflows'],
  inspect({ case: testCase, exchange, sent, answer, operation, earlier }) {
    const { criteria } = testCase;
    if (criteria === undefined) return undefined;
    const facts = factsOf({ case: testCase, exchange, sent, answer });
    const failures = criteria.failures(facts, (title) => {
      const step = earlier.findLast((one) => one.case.title === title);
      return step && factsOf(step);
    });
    return failures.map(({ place, frame, ...failure }) => ({
      at: joinPointer(operation.pointer, 'responses'),
      ...failure,
      stated: { place, frame },
      conclusive: true,
      evidence: ' in the run; the response itself does not satisfy the workflow.',
    }));
  },
});
