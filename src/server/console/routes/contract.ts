import type { ControlRoute } from '../../control/control-parts.ts';
import { json } from '../../control/control-response.ts';
import { docsDocument } from '../docs/docs-document.ts';
import { safeDocument } from '../docs/safe-document.ts';

/** The contract itself, for the documentation page. */
export const contractRoutes: readonly ControlRoute[] = [
  {
    id: 'getContract',
    method: 'GET',
    path: '/contract.json',
    summary: 'The contract with the mock as its first server, without HTML that runs a script',
    open: true,
    answers: { 200: { description: 'An OpenAPI document', schema: { type: 'object' } } },
    answer: async ({ parts: { mock } }) => {
      const standing = { base: mock.options.mounting?.base };
      return json(safeDocument(docsDocument(mock.options.contract, standing)));
    },
  },
];
