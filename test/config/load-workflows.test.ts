import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadWorkflows, type WorkflowFolders } from '../../src/config/read-data.ts';
import { VouchError, withHint } from '../../src/errors.ts';
import { writeFiles } from '../contract/write-files.ts';

const secret = 'DB_PASSWORD=outside-1234';

/** An Arazzo document that names another one. */
function naming(url: string): string {
  return `arazzo: 1.0.1
info: { title: a, version: '1' }
sourceDescriptions:
  - { name: api, url: ./api.yaml, type: openapi }
  - { name: other, url: '${url}', type: arazzo }
workflows:
  - { workflowId: w, steps: [{ stepId: s, workflowId: $sourceDescriptions.other.x }] }
`;
}

const plain = naming('./api.yaml')
  .replace(/ {2}- \{ name: other.*\n/, '')
  .replace('$source', 'x');

/** Everything that a person would see of the error. */
async function shownOf(path: string, folders?: WorkflowFolders): Promise<string> {
  const error: unknown = await loadWorkflows([path], folders).catch((cause: unknown) => cause);
  if (!(error instanceof VouchError)) throw new Error('no error of vouch was thrown');
  const { message } = withHint(error) as VouchError;
  expect(message).not.toContain('1234');
  return message;
}

describe('the documents that an Arazzo document names', () => {
  test('are read below its folder, and below the root that the user names', async () => {
    const folder = await writeFiles({
      'a/flows/w.yaml': naming('../more/other.yaml'),
      'a/more/other.yaml': plain,
    });
    const path = join(folder, 'a/flows/w.yaml');
    expect(await shownOf(path)).toContain('points outside the folder of the document');
    const [document] = await loadWorkflows([path], { root: join(folder, 'a') });
    expect(document?.imports.get('other')?.workflows).toHaveLength(1);
  });

  test('are read below its repository', async () => {
    const folder = await writeFiles({
      'flows/w.yaml': naming('../other.yaml'),
      'other.yaml': plain,
    });
    await mkdir(join(folder, '.git'));
    const documents = await loadWorkflows([join(folder, 'flows/w.yaml')]);
    expect(documents[0]?.imports.size).toBe(1);
  });

  test.each([
    ['../outside.yaml', 'points outside the folder of the document'],
    ['../../../../../../../../../etc/passwd', 'points outside the folder of the document'],
    ['/etc/passwd', 'points outside the folder of the document'],
    ['/proc/self/environ', 'points outside the folder of the document'],
    ['../../../../../../proc/self/environ', 'points outside the folder of the document'],
    ['/dev/zero', 'points outside the folder of the document'],
    ['link.yaml', 'points outside the folder of the document'],
    ['folder-link/outside.yaml', 'points outside the folder of the document'],
    ['environ.yaml', 'points outside the folder of the document'],
    ['pipe.yaml', 'The source other is not a file: pipe.yaml.'],
    ['inner', 'The source other is not a file: inner.'],
    ['missing.yaml', 'The source other is a file that does not exist: missing.yaml.'],
    ['.env', '.env is not an Arazzo document.'],
    ['.broken', '.broken is neither YAML nor JSON.'],
    ['values.yaml', 'values.yaml is not an Arazzo document.'],
  ])('are not read and not shown at %s', async (url, message) => {
    const outside = await writeFiles({ 'outside.yaml': `${secret}\n` });
    const folder = await writeFiles({
      'w/w.yaml': naming(url),
      'outside.yaml': `${secret}\n`,
      'w/inner/x.yaml': plain,
      'w/.env': `${secret}\nX=1\n`,
      'w/.broken': `${secret}: [\n\t"unclosed`,
      'w/values.yaml': 'password: outside-1234\n',
    });
    await symlink(join(outside, 'outside.yaml'), join(folder, 'w/link.yaml'));
    await symlink(outside, join(folder, 'w/folder-link'));
    await symlink('/proc/self/environ', join(folder, 'w/environ.yaml'));
    execFileSync('mkfifo', [join(folder, 'w/pipe.yaml')]);
    expect(await shownOf(join(folder, 'w/w.yaml'))).toContain(message);
  });

  test('may name each other', async () => {
    const folder = await writeFiles({ 'a.yaml': naming('b.yaml'), 'b.yaml': naming('a.yaml') });
    const documents = await loadWorkflows([join(folder, 'a.yaml'), join(folder, 'b.yaml')]);
    expect(documents.map(({ imports }) => imports.size)).toEqual([1, 1]);
  });
});

describe('the workflows that a configuration names', () => {
  test.each(['../outside.yaml', '/proc/self/environ', 'link.yaml'])(
    'are not read outside its folder: %s',
    async (name) => {
      const folder = await writeFiles({ 'outside.yaml': secret, 'c/w.yaml': plain });
      await symlink(join(folder, 'outside.yaml'), join(folder, 'c/link.yaml'));
      const path = name.startsWith('/') ? name : join(folder, 'c', name);
      expect(await shownOf(path, { named: join(folder, 'c') })).toContain(
        'is outside the folder of the configuration, which names it',
      );
    },
  );

  test('are read below its folder', async () => {
    const folder = await writeFiles({ 'c/w.yaml': plain });
    expect(
      await loadWorkflows([join(folder, 'c/w.yaml')], { named: join(folder, 'c') }),
    ).toHaveLength(1);
  });
});
