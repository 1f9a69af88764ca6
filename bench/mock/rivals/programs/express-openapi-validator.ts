import type expressModule from 'express';
import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import { contractFile, firstPets, listenAt, requirePackage } from './from-folder.ts';
import { hasKey, keepPets, refusal, type Pet } from './pet-records.ts';

/** As much of express-openapi-validator as is used here. */
interface Validator {
  middleware(options: object): RequestHandler[];
}

/**
 * express-openapi-validator as its documentation uses it: it validates and authenticates requests,
 * and the handlers keep records.
 */
const express = requirePackage('express') as typeof expressModule;
const validator = requirePackage('express-openapi-validator') as Validator;
const records = keepPets(firstPets());
const app = express();
app.use(express.json());
app.use(
  validator.middleware({
    apiSpec: contractFile,
    validateApiSpec: false,
    validateRequests: true,
    validateResponses: false,
    validateSecurity: {
      handlers: { bearer: (request: Request) => hasKey(request.headers.authorization) },
    },
  }),
);
app.get('/v1/pets', (request, response) => {
  response.json(records.list(request.query));
});
app.get('/v1/pets/:petId', (request, response) => {
  const pet = records.read(Number(request.params.petId));
  if (pet === undefined)
    response.status(404).json(refusal(404, 'not_found', 'No animal has this identifier.'));
  else response.json(pet);
});
app.post('/v1/pets', (request, response) => {
  response.status(201).json(records.create(request.body as Omit<Pet, 'id'>));
});
// The other contracts of the start have no animals: whatever they let through is answered.
app.use((_request, response) => {
  response.json([]);
});
const refuse: ErrorRequestHandler = (
  error: { status?: number; message?: string },
  _request,
  response,
  _next,
) => {
  const status = error.status ?? 500;
  response.status(status).json(refusal(status, 'refused', error.message ?? ''));
};
app.use(refuse);
app.listen(listenAt, '127.0.0.1');
