import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Where CI services check out the repository: GitHub, GitLab, Bitbucket and Azure. */
const rootVariables = [
  'GITHUB_WORKSPACE',
  'CI_PROJECT_DIR',
  'BITBUCKET_CLONE_DIR',
  'BUILD_SOURCESDIRECTORY',
];

/**
 * Returns the function that turns a path, relative to `folder`, into the path from the root of the
 * repository, with slashes: CI services show a report beside the source by such paths. The root is
 * the nearest folder above that has `.git`, else the one that a CI service names. Without a root,
 * and for URLs and files outside the root, the path is unchanged.
 */
export function repositoryPath(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): (file: string) => string {
  let root: string | undefined;
  let isKnown = false;
  return (file) => {
    if (/^(?:[a-z][a-z0-9+.-]+:\/\/|<)/i.test(file)) return file;
    if (!isKnown) root = findRoot(folder, env);
    isKnown = true;
    if (root === undefined) return file;
    const inside = relative(root, resolve(folder, file));
    return isOutside(inside) ? file : inside.replaceAll('\\', '/');
  };
}

function findRoot(
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  // In a worktree or a submodule, .git is a file.
  for (let each = folder; ; each = dirname(each)) {
    if (existsSync(join(each, '.git'))) return each;
    if (dirname(each) === each) break;
  }
  const named = rootVariables.flatMap((name) => realPath(env[name]) ?? []);
  return named.find((root) => !isOutside(relative(root, folder)));
}

/** The current folder has no links in its path, so neither may the root. */
function realPath(path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isOutside(path: string): boolean {
  return isAbsolute(path) || path.split(/[\\/]/)[0] === '..';
}
