import { readFile } from 'node:fs/promises';
import type { JsonObject } from '../../src/json/value.ts';
import { rowsTable, schemaRows } from './schema-rows.ts';

/** Every member of `vouch.config.yaml`, from its schema. */
export async function configurationReference(): Promise<string> {
  return [
    '# vouch.config.yaml',
    '',
    'Written from `schemas/config.schema.json` by `npm run docs`. `vouch ' +
      'init` writes a file to begin with; an editor that reads the line',
    '`# yaml-language-server: $schema=node_modules/vouch/schemas/' +
      'config.schema.json` completes and explains every member. The same',
    'members may stand in `vouch.config.json`. A flag counts for more than a ' +
      'variable of the environment, and that for more than the file.',
    '`*` is a name of your own, `[]` each entry of a list; paths of files count from the file.',
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
    'Written from `schemas/scenario.schema.json` by `npm run docs`. A ' +
      'scenario is a YAML or JSON file in the folder `scenarios`; its name is',
    "the file's. Every answer is held against the contract before the mock " +
      'starts, unless it says `offContract: true`.',
    '',
    ...rowsTable(schemaRows(await readSchema('scenario'))),
    '',
  ].join('\n');
}

async function readSchema(name: string): Promise<JsonObject> {
  const document: JsonObject = JSON.parse(
    await readFile(new URL(`../../schemas/${name}.schema.json`, import.meta.url), 'utf8'),
  );
  return document;
}
