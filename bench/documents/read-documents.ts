import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseDocument } from 'yaml';

/** A document of a folder, read by code that is not vouch's. */
export interface ForeignDocument {
  readonly name: string;
  readonly file: string;
  /** One object: what it refers to in other files stands under `x-files`. */
  readonly document: Node;
}

export type Node = Record<string, unknown>;

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The files in a folder and below that begin as an OpenAPI document does. */
export function findDocuments(folder: string): string[] {
  if (statSync(folder).isFile()) return [resolve(folder)];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ya?ml|json)$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(resolve(folder), file))
    .filter((file) => /^\s*["']?(openapi|swagger)["']?\s*:/m.test(readFileSync(file, 'utf8')))
    .sort();
}

/** Reads a document and the files that it refers to. References that lead nowhere become `{}`. */
export function readForeign(folder: string, file: string): ForeignDocument {
  const document = readTree(file);
  const files: Record<string, Node> = {};
  mount(document, { file, main: file, files });
  document['x-files'] = files;
  dropLost(document, document);
  const name = relative(resolve(folder), file) || basename(file);
  return { name: name.replace(/^documents\//, ''), file, document };
}

/** Lenient in what it reads: the `yaml` package goes on behind most faults. */
function readTree(file: string): Node {
  const text = readFileSync(file, 'utf8');
  try {
    const value: unknown = JSON.parse(text);
    return isNode(value) ? value : {};
  } catch {
    const options = { uniqueKeys: false, strict: false, merge: true, logLevel: 'silent' } as const;
    const value: unknown = parseDocument(text, options).toJS({ maxAliasCount: -1 });
    return isNode(value) ? (JSON.parse(JSON.stringify(value)) as Node) : {};
  }
}

interface Mounting {
  readonly file: string;
  readonly main: string;
  readonly files: Record<string, Node>;
}

/** Rewrites references to files as pointers below `x-files`. */
function mount(value: unknown, around: Mounting): void {
  if (Array.isArray(value)) for (const item of value) mount(item, around);
  if (!isNode(value)) return;
  const reference = value['$ref'];
  if (typeof reference === 'string') value['$ref'] = mounted(reference, around);
  for (const [key, member] of Object.entries(value)) if (key !== 'example') mount(member, around);
}

function mounted(reference: string, around: Mounting): string {
  const [path = '', fragment = ''] = reference.split('#', 2);
  const target = path === '' ? around.file : resolve(dirname(around.file), path);
  if (target === around.main) return `#${fragment}`;
  const name = relative(dirname(around.main), target).replaceAll('/', '|');
  if (around.files[name] === undefined && existsSync(target) && statSync(target).isFile()) {
    const tree = (around.files[name] = readTree(target));
    mount(tree, { ...around, file: target });
  }
  return `#/x-files/${encodeURIComponent(name)}${fragment}`;
}

function dropLost(value: unknown, root: Node): void {
  if (Array.isArray(value)) for (const item of value) dropLost(item, root);
  if (!isNode(value)) return;
  const reference = value['$ref'];
  if (typeof reference === 'string' && follow(root, value) === undefined) delete value['$ref'];
  for (const member of Object.values(value)) dropLost(member, root);
}

/** What a chain of references leads to; undefined where it leads nowhere or round. */
export function follow(root: Node, value: unknown): unknown {
  let here = value;
  for (let step = 0; isNode(here) && typeof here['$ref'] === 'string'; step += 1) {
    if (step > 50) return undefined;
    here = at(root, here['$ref']);
  }
  return here;
}

/** The value at a local reference. */
function at(root: Node, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let here: unknown = root;
  for (const token of pathOf(reference)) {
    if (isNode(here) && typeof here['$ref'] === 'string' && !Object.hasOwn(here, token))
      here = follow(root, here);
    here =
      (isNode(here) || Array.isArray(here)) && Object.hasOwn(here, token)
        ? (here as Node)[token]
        : undefined;
  }
  return here;
}

function pathOf(reference: string): string[] {
  const tokens = reference.slice(1).split('/').slice(1);
  return tokens.map((token) => decode(token).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch {
    return token;
  }
}
