import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { usage } from '../errors.ts';

/** Common folders of OpenAPI documents, relative to the current one or to that of a service. */
const folders = (
  '. openapi api apis spec specs contract contracts docs doc swagger public static ' +
  'resources src src/main/resources'
).split(' ');
/** Folders of a monorepo whose subfolders are services or packages. */
const monorepoFolders = ['services', 'packages', 'apps'];
const maxFiles = 500;
const maxServices = 100;
/** The OpenAPI version is near the start of a document. */
const headBytes = 16 * 1024;
const inYaml = /^(?:openapi|swagger)\s*:/m;
const inJson = /^\s*\{[\s\S]*?"(?:openapi|swagger)"\s*:\s*"\d/;
/** Common names of the main document. */
const usual = /^(?:openapi|swagger|api)[.\w-]*\.(?:ya?ml|json)$/i;

/**
 * The OpenAPI documents of a folder, as relative paths with slashes, common names first: those in
 * it and in folders such as `openapi/`, `docs/` and `src/`, and those of each service below
 * `services/`, `packages/` and `apps/`. Files without `openapi` or `swagger` at their top are left
 * out.
 */
export async function findDocuments(folder: string): Promise<readonly string[]> {
  const roots = ['.', ...(await listServices(folder))];
  const places = roots.flatMap((root) => folders.map((each) => joinFolders(root, each)));
  const files = (await Promise.all(places.map((each) => listFiles(folder, each))))
    .flat()
    .slice(0, maxFiles);
  const documents = await Promise.all(
    files.map(async (file) => ((await isDocument(join(folder, file))) ? [file] : [])),
  );
  return documents.flat().toSorted((left, right) => Number(isUsual(right)) - Number(isUsual(left)));
}

/**
 * The one OpenAPI document of a folder, as a relative path. Throws a VouchError (`usage`) if there
 * is none, or if there are several; it lists them.
 */
export async function findOnlyDocument(folder: string): Promise<string> {
  const [first, ...others] = await findDocuments(folder);
  if (first === undefined)
    throw usage(
      'No OpenAPI document found here or in folders such as openapi/, api/, docs/ and src/.',
      { hint: 'Pass the path of one. To try vouch with the bundled example: vouch mock --demo.' },
    );
  if (others.length === 0) return first;
  const names = [first, ...others];
  const more = names.length - maxListed;
  throw usage(
    `There are ${String(names.length)} OpenAPI documents here:\n` +
      names
        .slice(0, maxListed)
        .map((name) => `  ${name}`)
        .join('\n') +
      (more > 0 ? `\n  and ${String(more)} more` : ''),
    { hint: `Pass one of them. To make it the default: vouch init ${names[0] ?? ''}` },
  );
}

const maxListed = 20;

async function listServices(root: string): Promise<string[]> {
  const found = await Promise.all(
    monorepoFolders.map(async (folder) => {
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
      return entries
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
        .map(({ name }) => `${folder}/${name}`)
        .toSorted();
    }),
  );
  return found.flat().slice(0, maxServices);
}

function joinFolders(root: string, folder: string): string {
  if (root === '.') return folder;
  return folder === '.' ? root : `${root}/${folder}`;
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
