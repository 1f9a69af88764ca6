import type { Ajv as AjvClass } from 'ajv';
import type expressModule from 'express';
import type { RequestHandler } from 'express';
import { firstPets, listenAt, requirePackage } from './from-folder.ts';
import { hasKey, keepPets, refusal } from './pet-records.ts';

/**
 * A mock written by hand, as lean as Express can be: Ajv with the contract's schemas copied out of
 * it, a map of records, and the key looked at; no ETag, no `X-Powered-By`, and bodies are parsed
 * only where there is one.
 */
const express = requirePackage('express') as typeof expressModule;
const { Ajv } = requirePackage('ajv') as { Ajv: typeof AjvClass };
const ajv = new Ajv({ coerceTypes: true });
const status = { type: 'string', enum: ['available', 'pending', 'sold'] };
const validQuery = ajv.compile({
  type: 'object',
  properties: { limit: { type: 'integer', minimum: 1, maximum: 100 }, status },
});
const validPath = ajv.compile({
  type: 'object',
  required: ['petId'],
  properties: { petId: { type: 'integer' } },
});
const validBody = new Ajv().compile({
  type: 'object',
  required: ['name', 'categoryId'],
  properties: { name: { type: 'string' }, categoryId: { type: 'integer' }, status },
});

const records = keepPets(firstPets());
const app = express().disable('etag').disable('x-powered-by').set('query parser', 'simple');
const authenticate: RequestHandler = (request, response, next) => {
  if (hasKey(request.headers.authorization)) next();
  else response.status(401).json(refusal(401, 'unauthorized', 'An API key is required.'));
};
app.use(authenticate);
app.get('/v1/pets', (request, response) => {
  const query: { limit?: number; status?: string } = { ...request.query };
  if (validQuery(query)) response.json(records.list(query));
  else response.status(400).json(refusal(400, 'invalid_value', ajv.errorsText(validQuery.errors)));
});
app.get('/v1/pets/:petId', (request, response) => {
  const path: { petId: string | number } = { ...request.params };
  const pet = validPath(path) ? records.read(Number(path.petId)) : undefined;
  if (pet === undefined)
    response.status(404).json(refusal(404, 'not_found', 'No animal has this identifier.'));
  else response.json(pet);
});
app.post('/v1/pets', express.json(), (request, response) => {
  if (validBody(request.body)) response.status(201).json(records.create(request.body));
  else response.status(400).json(refusal(400, 'invalid_value', ajv.errorsText(validBody.errors)));
});
app.listen(listenAt, '127.0.0.1');
