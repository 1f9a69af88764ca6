import type { ControlRoute } from '../../control/control-parts.ts';
import { json } from '../../control/control-response.ts';
import { docsDocument } from '../docs/docs-document.ts';

/** The contract itself, for the documentation page. */
export const contractRoutes: readonly ControlRoute[] = [
  {
    id: 'getContract',
    method: 'GET',
    path: '/contract.json',
    summary: 'The contract as it was loaded, with the mock as its first server',
    open: true,
    answers: { 200: { description: 'An OpenAPI document', schema: { type: 'object' } } },
    answer: async ({ parts: { mock } }) => json(docsDocument(mock.options.contract, { base: mock.options.mounting?.base })),
  },
];
