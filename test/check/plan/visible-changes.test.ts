import { expect, test } from 'vitest';
import { headerValue, withoutHeader } from '../../../src/http/message.ts';
import { alarmsOf, contractOf } from '../fixture/odd-contract.ts';

const tagged = 'headers: { ETag: { required: true, schema: { type: string } } }';
const job = "application/json: { schema: { $ref: '#/components/schemas/Job' } }";
const contract = contractOf(`
paths:
  /jobs:
    post: { operationId: addJob, requestBody: { required: true, content: { application/json: {
        schema: { type: object, additionalProperties: false, required: [title], properties: {
        title: { type: string }, speed: { type: string, enum: [normal, fast], default: normal
        } } } } } }, responses: { '201': { description: made, ${tagged}, content: { ${job} } },
        '400': { description: bad } } }
  /jobs/{jobId}:
    parameters: [{ name: jobId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getJob, responses: { '200': { description: one, ${tagged}, content: {
        ${job} } }, '404': { description: none } } }
    patch: { operationId: changeJob, parameters: [{ name: If-Match, in: header, schema: { type:
        string } }], requestBody: { required: true, content: { application/merge-patch+json: {
        schema: { type: object, properties: { speed: { type: string, enum: [normal, fast] } } },
        example: { speed: fast } } } }, responses: { '200': { description: changed, content: {
        ${job} } }, '400': { description: bad }, '404': { description: none }, '412': {
        description: changed since } } }
components: { schemas: { Job: { type: object, required: [id, title, speed], properties: { id: {
    type: integer, readOnly: true }, title: { type: string }, speed: { type: string, enum: [
    normal, fast] } } } } }`);

test('a change sends what a new record does not have, and not only another value', async () => {
  const { alarms } = await alarmsOf(contract, (respond) => (request) => {
    const tag = headerValue(request.headers, 'if-match');
    return respond(
      tag === undefined
        ? request
        : { ...request, headers: withoutHeader(request.headers, 'if-match') },
    );
  });
  expect(alarms.join()).toContain('condition-holds');
});
