import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { depotDocument } from '../check/fixture/depots.ts';
import { magazineDocument } from '../check/fixture/magazine.ts';
import { newsroom } from '../check/fixture/newsroom.ts';
import { linkList, tokenList } from '../check/fixture/paged.ts';
import { shelfDocument } from '../check/fixture/shelf.ts';
import { proof, proveKinds } from './prove-kinds.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-protocols-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const shown = {
  200: {
    description: 'the van',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Van' } } },
  },
  400: { description: 'refused' },
  404: { description: 'none' },
};

/** Vans, whose kind is required, by the AIPs. */
const vanDocument = {
  openapi: '3.0.3',
  info: { title: 'Vans', version: 'v1', description: 'By AIP-126.' },
  paths: {
    '/vans': {
      post: {
        operationId: 'CreateVan',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Van' } } },
        },
        responses: shown,
      },
    },
    '/vans/{van}': {
      get: {
        operationId: 'GetVan',
        parameters: [{ name: 'van', in: 'path', required: true, schema: { type: 'string' } }],
        responses: shown,
      },
    },
  },
  components: {
    schemas: {
      Van: {
        type: 'object',
        required: ['kind'],
        properties: {
          id: { type: 'string', readOnly: true },
          kind: { type: 'string', enum: ['KIND_UNSPECIFIED', 'BIG', 'SMALL'] },
        },
      },
    },
  },
};

const proofs: readonly (readonly [string, object, readonly string[]])[] = [
  ['depots', depotDocument, ['ignores-mask', 'makes-trials', 'forgets-key']],
  [
    'newsroom',
    newsroom().contract.document,
    ['takes-media-parameters', 'ignores-unknown-filter', 'takes-another-type', 'takes-another-id'],
  ],
  ['vans', vanDocument, ['takes-unspecified']],
  ['tokens', tokenList().document, ['takes-any-token', 'size-zero-is-none']],
  ['links', linkList().document, ['bound-zero-is-all', 'ignores-count-option']],
  ['shelf', shelfDocument, ['ignores-flag', 'ignores-kinds', 'ignores-inclusive']],
  ['magazine', magazineDocument, ['ignores-projection', 'projects-first']],
];

test.each(proofs)(
  'a check kills the mutations of the protocols of the %s, and accuses no conforming variant',
  proof,
  async (name, document, kinds) => {
    const contract = join(folder, `${name}.json`);
    writeFileSync(contract, JSON.stringify(document));
    const { summary } = await proveKinds(contract, kinds);
    expect(summary.killed).toBeGreaterThanOrEqual(kinds.length);
  },
);
