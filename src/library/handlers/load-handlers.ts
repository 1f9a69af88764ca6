import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { VouchError, type Place } from '../../errors.ts';
import type { Handler, Handlers } from '../../mock/handlers/handler.ts';
import { importAnew } from './import-anew.ts';

/**
 * The handlers of a folder of modules. A module answers the operation that its file is named after
 * (`createPet.ts`), if its default export is a function; it answers several if that is an object
 * of functions, by operation. Modules without a default export are helpers of the others.
 *
 * Each call reads the modules anew, with what they import from files. Throws a VouchError
 * ('handler-invalid') for a folder that is not there, a module that cannot be loaded, and two
 * handlers of one name.
 */
export async function loadHandlers(folder: string): Promise<Handlers> {
  const files = await handlerFiles(folder);
  const handlers = new Map<string, Handler>();
  for (const file of files)
    for (const [name, handler] of await handlersIn(file)) {
      if (handlers.has(name))
        throw new VouchError('handler-invalid', `${name} has two handlers.`, {
          place: { file, line: 1, column: 1 },
          hint: 'Remove one of them.',
        });
      handlers.set(name, handler);
    }
  return Object.fromEntries(handlers);
}

/** The modules of a folder: TypeScript and JavaScript, no tests and no declarations. */
export async function handlerFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new VouchError('handler-invalid', `There is no folder ${folder} with handlers.`, {
      hint: 'Make it, or name another: --handlers, or mock.handlers in the configuration.',
      cause,
    });
  });
  return names
    .filter((name) => /\.[cm]?[jt]s$/.test(name) && !/\.(?:d|test|spec)\.[cm]?[jt]s$/.test(name))
    .sort()
    .map((name) => join(resolve(folder), name));
}

async function handlersIn(file: string): Promise<(readonly [string, Handler])[]> {
  const module = await load(file);
  const given = module['default'];
  if (given === undefined) return [];
  // Whether it is a function is examined with the contract, which knows the names.
  if (typeof given === 'function') return [[basename(file, extname(file)), given as Handler]];
  if (typeof given === 'object' && given !== null)
    return Object.entries(given as Readonly<Record<string, Handler>>);
  throw new VouchError('handler-invalid', `The default export of ${file} is no handler.`, {
    place: { file, line: 1, column: 1 },
    hint: 'Export a function, or an object of functions by operation.',
  });
}

async function load(file: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return await importAnew(pathToFileURL(file));
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    const start = { file, line: 1, column: 1 };
    throw new VouchError('handler-invalid', `${file} cannot be loaded: ${message}`, {
      place: placeIn(cause) ?? (await brokenPlace(file)) ?? start,
      hint: 'Handlers are modules of JavaScript, or of TypeScript whose types Node can strip.',
      cause,
    });
  }
}

/**
 * The first place of a file in a stack, as an address or, in a test runner, as a path. That of an
 * error of TypeScript stands before it.
 */
function placeIn(error: unknown): Place | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const found =
    /^(\/[^\n]+):(\d+)\n/.exec(stack) ??
    /(?<=[\s(])(?:file:\/\/)?(\/[^\s()?:]+)(?:\?[^\s():]*)?:(\d+)(?::(\d+))?/.exec(stack);
  if (found === null) return undefined;
  const [, file = '', line, column = '1'] = found;
  return { file: decodeURIComponent(file), line: Number(line), column: Number(column) };
}

/** Where the syntax of a module is wrong: Node says so only where it writes to a terminal. */
async function brokenPlace(file: string): Promise<Place | undefined> {
  const said = await new Promise<string>((done) => {
    execFile(process.execPath, ['--check', file], (_error, _out, text) => done(text));
  });
  const [, line] = /:(\d+)\n/.exec(said) ?? [];
  return line === undefined ? undefined : { file, line: Number(line), column: 1 };
}
