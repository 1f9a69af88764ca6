import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ReloadEvent } from '../../src/library/start-mock.ts';

/** A folder with a contract, fixtures and scenarios that a test edits. */
export interface Workplace {
  readonly folder: string;
  path(name: string): string;
  /** Writes a file in place. */
  write(name: string, text: string): Promise<void>;
  /** Writes a file beside it and puts that in its place, as editors do. */
  swap(name: string, text: string): Promise<void>;
  remove(): Promise<void>;
}

export async function makeWorkplace(files: Readonly<Record<string, string>>): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-library-'));
  const path = (name: string): string => join(folder, name);
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  return {
    folder,
    path,
    write,
    async swap(name, text) {
      await write(`${name}.tmp~`, text);
      await rename(path(`${name}.tmp~`), path(name));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What a watched mock tells, to be waited for one by one. */
export interface Reloads {
  readonly onReload: (event: ReloadEvent) => void;
  next(): Promise<ReloadEvent>;
  /** Those that nobody waited for. */
  readonly waiting: readonly ReloadEvent[];
}

export function collectReloads(): Reloads {
  const waiting: ReloadEvent[] = [];
  const asked: ((event: ReloadEvent) => void)[] = [];
  return {
    waiting,
    onReload: (event) => {
      const next = asked.shift();
      if (next === undefined) waiting.push(event);
      else next(event);
    },
    next: () => {
      const event = waiting.shift();
      return event === undefined
        ? new Promise((resolve) => asked.push(resolve))
        : Promise.resolve(event);
    },
  };
}

/** A contract of notes; `fields` are properties of a note besides its identifier and its text. */
export function notesContract(fields: string = '', more: string = ''): string {
  return `openapi: 3.1.0
info: { title: Notes, version: '1' }
servers: [{ url: /v1 }]
paths:
  /notes:
    get: { operationId: listNotes, responses: { '200': { description: all, content: {
        application/json: { schema: { type: array, items: { $ref: 'note.yaml' } } } } } } }
    post: { operationId: addNote, requestBody: { required: true, content: { application/json: {
        schema: { $ref: 'note.yaml' } } } }, responses: { '201': { description: made, content: {
        application/json: { schema: { $ref: 'note.yaml' } } } } } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: integer } }]
    get: { operationId: readNote, responses: { '200': { description: one, content: {
        application/json: { schema: { $ref: 'note.yaml' } } } }, '404': { description: none } } }
    delete: { operationId: removeNote, responses: { '204': { description: gone }, '404': {
        description: none } } }
${more}`.replaceAll("{ $ref: 'note.yaml' }", fields === '' ? "{ $ref: 'note.yaml' }" : fields);
}

/** The schema of a note, as a file of its own. */
export function noteSchema(rule: string): string {
  return (
    'type: object\nrequired: [id, text]\nproperties:\n  id: { type: integer, ' +
    `readOnly: true }\n  text: { type: string${rule} }\n`
  );
}
