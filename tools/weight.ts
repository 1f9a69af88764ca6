// `npm run weight`: where the lines of vouch are, and what each check alone needs.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** How many lines the source and the pages may have. It only falls: see `test/tools`. */
export const bound = 203_442;

/** The lines of a folder: TypeScript and styles. */
export function linesOf(folder: string): number {
  return filesOf(folder).reduce((sum, file) => sum + countLines(file), 0);
}

/** The rooms of a folder with their lines, the largest first. */
function roomsOf(folder: string): (readonly [room: string, lines: number])[] {
  const rooms = readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => [`${folder}/${name}`, linesOf(`${folder}/${name}`)] as const);
  return rooms.toSorted(([, left], [, right]) => right - left);
}

/**
 * For each check, the files and lines of the source that nothing would load without it, the
 * heaviest first. What two checks share is counted for none.
 */
export function checksAlone(): { readonly check: string; files: number; lines: number }[] {
  const graph = importsOf(filesOf('src'));
  const index = join(root, 'src/check/topics/index.ts');
  const checks = (graph.get(index) ?? []).filter(
    (file) => dirname(file) !== dirname(index) && file.includes('/topics/'),
  );
  const entries = [...graph.keys()].filter((file) =>
    /\/(cli\/bin|testing\/\w+|msw\/\w+)\.ts$/.test(file),
  );
  const all = reachable(graph, entries, undefined);
  const weights = checks.map((file) => {
    const without = reachable(graph, entries, file);
    const alone = [...all].filter((each) => !without.has(each));
    const lines = alone.reduce((sum, each) => sum + countLines(each), 0);
    return { check: relative(join(root, 'src/check/topics'), file), files: alone.length, lines };
  });
  return weights.toSorted((left, right) => right.lines - left.lines);
}

function reachable(
  graph: ReadonlyMap<string, readonly string[]>,
  entries: readonly string[],
  left: string | undefined,
): ReadonlySet<string> {
  const seen = new Set<string>();
  const next = [...entries];
  for (let file = next.pop(); file !== undefined; file = next.pop()) {
    if (seen.has(file) || file === left) continue;
    seen.add(file);
    next.push(...(graph.get(file) ?? []));
  }
  return seen;
}

/** The files that each file imports, also late and for types. */
function importsOf(files: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const named = [
        ...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'|import\('(\.[^']+)'\)/g),
      ];
      const targets = named.map(([, still, late]) => join(dirname(file), still ?? late ?? ''));
      return [file, targets.filter((target) => known.has(target))];
    }),
  );
}

function filesOf(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|css)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('/node_modules/'));
}

function countLines(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const say = (lines: number, what: string): void =>
    console.log(`${lines.toLocaleString('en').padStart(9)}  ${what}`);
  for (const folder of ['src', 'web', 'test', 'bench', 'tools']) say(linesOf(folder), folder);
  console.log(`\nRooms of src, and of src/check:`);
  for (const [room, lines] of [...roomsOf('src'), ...roomsOf('src/check')]) say(lines, room);
  console.log('\nChecks, with what nothing else needs:');
  for (const { check, files, lines } of checksAlone())
    say(lines, `${check} (${String(files)} ${files === 1 ? 'file' : 'files'})`);
}
