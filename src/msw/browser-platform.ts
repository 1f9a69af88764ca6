import type { LatePackage } from '../platform.ts';

/** What the build for browsers puts in the place of `src/platform.ts`. */

/** Whether bytes are valid UTF-8. */
export function isUtf8(bytes: Uint8Array<ArrayBuffer>): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The data itself: a browser has no synchronous digests, and a page few and small bodies. */
export function digest(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Array.from(data, toCharacter).join('');
}

function toCharacter(byte: number): string {
  return String.fromCharCode(byte);
}

/** A package, or a part of vouch, that few documents need. */
type Late = LatePackage | 'swagger' | 'expressions' | 'read-xml' | 'write-xml';

/** What documents of this page need; filled before a contract is read. */
const packages = new Map<Late, unknown>();

/** A range may stand for any media type. */
const hasXml = (text: string): boolean => /[/+]xml\b|(?:\*|application|text)\/\*/.test(text);
const hasExpressions = (text: string): boolean =>
  text.includes('x-vouch-rules') || /(?<!\\){{/.test(text);

/** When a document needs it, by its text. A text that is not JSON is YAML. */
const needs: Readonly<Record<Late, (text: string) => boolean>> = {
  'js-yaml': (text) => !/^\s*\{/.test(text),
  '@rgrove/parse-xml': hasXml,
  'read-xml': hasXml,
  'write-xml': hasXml,
  '@marcbachmann/cel-js': hasExpressions,
  expressions: hasExpressions,
  swagger: (text) => /swagger["']?\s*:/.test(text),
};

const imports: Readonly<Record<Late, () => Promise<unknown>>> = {
  'js-yaml': () => import('js-yaml'),
  '@rgrove/parse-xml': () => import('@rgrove/parse-xml'),
  '@marcbachmann/cel-js': () => import('@marcbachmann/cel-js'),
  expressions: () => import('../contract/rules/expression.ts'),
  'read-xml': () => import('../contract/content/read-xml.ts'),
  'write-xml': () => import('../contract/content/write-xml.ts'),
  swagger: () => import('../contract/swagger/convert-swagger.ts'),
};

/**
 * Loads the packages that the text of a document or a scenario needs, because they are used
 * synchronously. Undefined if they are all there.
 */
export function loadLatePackages(text: string): Promise<void> | undefined {
  const names = (Object.keys(needs) as Late[]).filter(
    (name) => !packages.has(name) && needs[name](text),
  );
  return names.length === 0 ? undefined : load(names);
}

async function load(names: readonly Late[]): Promise<void> {
  await Promise.all(names.map(async (name) => packages.set(name, await imports[name]())));
}

export function loadPackage(name: Late): unknown {
  const loaded = packages.get(name);
  if (loaded === undefined) throw new Error(`The package ${name} is not loaded.`);
  return loaded;
}
