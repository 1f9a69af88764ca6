import type expressModule from 'express';
import { firstPets, listenAt, requirePackage } from './from-folder.ts';

/** Express and `res.json`, no more: what is at hand is sent, whatever was asked. */
const express = requirePackage('express') as typeof expressModule;
const pets = firstPets();
const page = pets.slice(0, 20);
const app = express();
app.use(express.json());
app.get('/v1/pets', (_request, response) => {
  response.json(page);
});
app.get('/v1/pets/:petId', (_request, response) => {
  response.json(pets[0]);
});
app.post('/v1/pets', (_request, response) => {
  response.status(201).json(pets[0]);
});
app.listen(listenAt, '127.0.0.1');
