import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/library/package-files.ts';

/**
 * No engine is needed for these, and no image is built: what `Dockerfile` says is held against the
 * package.
 */
const read = (file: string): string => readFileSync(join(packageFolder, file), 'utf8');
const lines = read('Dockerfile')
  .replaceAll(/ ?\\\n */g, ' ')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));
const having = (word: string): string[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
const pack = JSON.parse(read('package.json')) as {
  readonly name: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};

describe('Dockerfile', () => {
  test('copies only the packed package, the only file that .dockerignore allows', () => {
    expect(having('COPY').filter((words) => !words.startsWith('--from='))).toEqual([
      `${pack.name}-*.tgz ./`,
    ]);
    expect(
      read('.dockerignore')
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#')),
    ).toEqual(['*', `!${pack.name}-*.tgz`]);
  });

  test('runs as an unprivileged user that owns its state folder', () => {
    const user = lines.findIndex((line) => line.startsWith('USER '));
    expect(lines[user]).toBe('USER node');
    expect(lines.slice(user).some((line) => /^(RUN|COPY|ADD) /.test(line))).toBe(false);
    expect(lines.slice(0, user).join('\n')).toMatch(/chown node:node \/work \/state/);
    expect(having('ENV').join(' ')).toContain('VOUCH_STATE_DIR=/state');
  });

  test('starts the command of the package, with a supported Node', () => {
    expect(having('ENTRYPOINT')).toEqual([JSON.stringify(Object.keys(pack.bin))]);
    expect(having('RUN').join('\n')).toContain(
      `/opt/vouch/node_modules/.bin/${Object.keys(pack.bin)[0] ?? ''}`,
    );
    const [least = 0] = (/\d+/.exec(pack.engines.node) ?? []).map(Number);
    for (const image of having('FROM'))
      expect(Number(/^node:(\d+)-alpine/.exec(image)?.[1])).toBeGreaterThanOrEqual(least);
    expect(having('STOPSIGNAL')).toEqual(['SIGTERM']);
  });

  test('states that it was not built here', () => {
    expect(read('Dockerfile')).toContain('they build no image');
  });
});
