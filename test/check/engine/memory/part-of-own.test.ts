import { expect, test } from 'vitest';
import { Memory } from '../../../../src/check/engine/memory/memory.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { type Said, talk } from '../../fixture/talk.ts';

const kept = (name: string): JsonObject => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'string' }, text: { type: 'string' } },
});
const answers = (schema: JsonObject, status = 200): JsonObject => ({
  responses: { [status]: { description: '', ...jsonContent(schema) } },
});
const list = (schema: JsonObject): JsonObject => answers({ type: 'array', items: schema });
const made = (schema: JsonObject): JsonObject => ({
  requestBody: jsonContent(schema),
  ...answers(schema, 201),
});
const [zone, note] = [kept('id'), kept('kind')];
const [zoneId, kind] = ['zoneId', 'kind'].map((name) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
}));

/** Zones with notes, one of each kind; the service knows the kinds. */
const contract = makeContract({
  paths: {
    '/zones': { get: list(zone), post: made(zone) },
    '/zones/{zoneId}': { parameters: [zoneId ?? {}], get: answers(zone) },
    '/zones/{zoneId}/notes': { parameters: [zoneId ?? {}], get: list(note), post: made(note) },
    '/zones/{zoneId}/notes/{kind}': {
      parameters: [zoneId ?? {}, kind ?? {}],
      get: answers(note),
      put: { requestBody: jsonContent(note), ...answers(note) },
    },
  },
});

const ownZone: Said = { ask: 'POST /zones', status: 201, body: {}, answer: { id: 'zone-of-run' } };
const elsewhere: Said = { ask: 'GET /zones/a/notes', answer: [{ kind: 'SOA', text: 'theirs' }] };
const before: Said = { ask: 'GET /zones/zone-of-run/notes/SOA', answer: { kind: 'SOA', text: '' } };
const added = (zoneName: string): Said => ({
  ask: `POST /zones/${zoneName}/notes`,
  status: 201,
  body: { kind: 'SOA', text: 'x' },
  answer: { kind: 'SOA', text: 'x' },
});

/** The kind of a note that the run may change, after it was told this. */
function ownNote(said: readonly Said[]): unknown {
  const { earlier, ...last } = talk(contract, said);
  const memory = new Memory(contract);
  for (const step of [...earlier, last]) memory.learn(step);
  return memory.resolve({ kind: 'own', resource: 'zones.notes' }, []);
}

test('a part of an own record is the run’s, where names repeat from record to record', () => {
  expect(ownNote([ownZone, elsewhere, before, added('zone-of-run')])).toBe('SOA');
});

test('it is not where nothing shows that they repeat, or below a record of others', () => {
  expect(ownNote([ownZone, before, added('zone-of-run')])).toBeUndefined();
  expect(ownNote([ownZone, elsewhere, before, added('a')])).toBeUndefined();
});
