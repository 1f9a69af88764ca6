import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Common folders of OpenAPI documents, relative to the current one. */
const folders = [
  '.',
  'openapi',
  'api',
  'apis',
  'spec',
  'specs',
  'contract',
  'contracts',
  'docs',
  'doc',
  'swagger',
  'public',
  'static',
  'resources',
  'src',
  'src/main/resources',
];
const maxFiles = 500;
/** The OpenAPI version is near the start of a document. */
const headBytes = 16 * 1024;
const inYaml = /^(?:openapi|swagger)\s*:/m;
const inJson = /^\s*\{[\s\S]*?"(?:openapi|swagger)"\s*:\s*"\d/;
/** Common names of the main document. */
const usual = /^(?:openapi|swagger|api)[.\w-]*\.(?:ya?ml|json)$/i;

/**
 * The OpenAPI documents of a folder, as relative paths, with common names first. Documents that
 * others reference are left out.
 */
export async function findDocuments(folder: string): Promise<readonly string[]> {
  const files = (await Promise.all(folders.map((each) => listFiles(folder, each))))
    .flat()
    .slice(0, maxFiles);
  const documents = await Promise.all(
    files.map(async (file) => ((await isDocument(join(folder, file))) ? [file] : [])),
  );
  return documents.flat().toSorted((left, right) => Number(isUsual(right)) - Number(isUsual(left)));
}

function isUsual(file: string): boolean {
  return usual.test(file.split('/').at(-1) ?? '');
}

async function listFiles(root: string, folder: string): Promise<string[]> {
  try {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    const names = entries
      .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/i.test(entry.name))
      .map(({ name }) => name);
    return names.toSorted().map((name) => (folder === '.' ? name : `${folder}/${name}`));
  } catch {
    return [];
  }
}

async function isDocument(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const head = buffer.toString('utf8', 0, bytesRead).replace(/^\ufeff/, '');
    return path.toLowerCase().endsWith('.json')
      ? inJson.test(head)
      : inYaml.test(head) || inJson.test(head);
  } finally {
    await file.close();
  }
}
