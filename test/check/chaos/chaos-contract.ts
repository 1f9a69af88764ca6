import { parseContract } from '../../../src/contract/load.ts';
import type { Contract } from '../../../src/contract/model.ts';

/** Three operations, of which one alone is to misbehave: `listThings`. */
export const chaosText = `openapi: 3.1.0
info: { title: Chaos, version: 1.0.0 }
servers: [{ url: https://chaos.example/v1 }]
security: [{ key: [] }]
paths:
  /health:
    get: { operationId: getHealth, responses: { '200': { $ref: '#/components/responses/Answer' },
        '401': { description: No } } }
  /things:
    get: { operationId: listThings, responses: { '200': { $ref: '#/components/responses/Answer' },
        '401': { description: No } } }
  /version:
    get: { operationId: getVersion, responses: { '200': { $ref: '#/components/responses/Answer' },
        '401': { description: No } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Api-Key } }
  responses:
    Answer:
      description: An answer
      content: { application/json: { schema: { type: object, required: [count], properties: {
          count: { type: integer, format: int64 } } } } }
`;

/** `mediaType`: what the answers are documented to be. */
export function chaosContract(mediaType = 'application/json'): Contract {
  return parseContract(chaosText.replace('application/json', mediaType), 'chaos.yaml');
}
