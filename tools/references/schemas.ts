import { readFile } from 'node:fs/promises';
import type { JsonObject } from '../../src/json/value.ts';
import { rowsTable, schemaRows } from './schema-rows.ts';

/** Every member of `vouch.config.yaml`, from its schema. */
export async function configurationReference(): Promise<string> {
  return [
    '# vouch.config.yaml',
    '',
    'Generated from `schemas/config.schema.json` by `npm run docs`. `vouch init` writes a first',
    'file. Editors complete and explain every member, with the line',
    '`# yaml-language-server: $schema=node_modules/vouch/schemas/config.schema.json`.',
    '`vouch.config.json` may have the same members. Flags override environment variables, which',
    'override the config file. `*` is any name, `[]` each item of a list; file paths are relative',
    'to the config file.',
    '',
    ...rowsTable(schemaRows(await readSchema('config'))),
    '',
  ].join('\n');
}

/** Every member of a scenario, from its schema. */
export async function scenarioReference(): Promise<string> {
  return [
    '# Scenarios',
    '',
    'Generated from `schemas/scenario.schema.json` by `npm run docs`. A scenario is a YAML or JSON',
    'file in the folder `scenarios`; the file name is its name. Before the mock starts, every',
    'response is validated against the contract, unless it has `offContract: true`.',
    '',
    ...rowsTable(schemaRows(await readSchema('scenario'))),
    '',
  ].join('\n');
}

async function readSchema(name: string): Promise<JsonObject> {
  const file = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  return JSON.parse(await readFile(file, 'utf8')) as JsonObject;
}
