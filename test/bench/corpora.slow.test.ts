import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { corpora } from '../../bench/servers/corpora.ts';
import { tryShow } from '../../bench/servers/serving/corpus.ts';

const folder = fileURLToPath(new URL('../../bench/servers/', import.meta.url));

/** Each variant gets another twentieth of the shows; CORPORA=all gives all to each. */
const share = process.env['CORPORA'] === 'all' ? 1 : 20;

/** Calls at most `lanes` at a time. */
async function mapInLanes<T, R>(items: readonly T[], call: (item: T) => Promise<R>) {
  const results: R[] = [];
  const rest = [...items.entries()];
  const lane = async (): Promise<void> => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift())
      results[next[0]] = await call(next[1]);
  };
  await Promise.all(Array.from({ length: 24 }, lane));
  return results;
}

describe.each(corpora)('the service $name', (corpus) => {
  const contract = corpus.openContract();

  /** The defects that show where there is none, and what is against the document. */
  async function falselyShown(variant: string | undefined): Promise<string[]> {
    const place = corpus.variants.indexOf(variant ?? '');
    const tried = corpus.defects.filter(
      (_defect, index) => variant === undefined || index % share === (place * 7) % share,
    );
    const found = await mapInLanes(tried, async (defect) => {
      const { isShown, faults } = await tryShow(corpus, defect, { contract, how: { variant } });
      return [...(isShown ? [`${defect} shows`] : []), ...faults];
    });
    return [...new Set(found.flat())];
  }

  test('each defect is visible to a client that uses the document', async () => {
    const hidden = await mapInLanes(corpus.defects, async (defect) => {
      const { isShown } = await tryShow(corpus, defect, { contract, how: { defect } });
      return isShown ? [] : [defect];
    });
    expect(hidden.flat()).toEqual([]);
  });

  test('no defect is visible in the conforming service', async () => {
    expect(await falselyShown(undefined)).toEqual([]);
  });

  test.each(corpus.variants)(
    'no defect is visible in the conforming variant %s',
    async (variant) => {
      expect(await falselyShown(variant)).toEqual([]);
    },
  );

  test('each defect and each variant is in the source of the service', () => {
    const text = readdirSync(`${folder}/${corpus.name}`)
      .filter((file) => !/^(defects|variants|show-.*|shows|corpus|use)\.ts$|\.yaml$/.test(file))
      .concat(...['../serving/serve.ts', '../serving/manners.ts'])
      .map((file) => readFileSync(`${folder}/${corpus.name}/${file}`, 'utf8'))
      .join('\n');
    const names = [...corpus.defects, ...corpus.variants];
    expect(names.filter((name) => !text.includes(`'${name}'`))).toEqual([]);
  });

  test('the service shares no code with vouch', () => {
    const texts = [corpus.name, 'serving'].flatMap((name) =>
      readdirSync(`${folder}/${name}`)
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(`${folder}/${name}/${file}`, 'utf8')),
    );
    expect(texts.filter((text) => /from '[^']*\/src\//.test(text))).toEqual([]);
  });

  test('an unknown defect is refused', () => {
    expect(() => corpus.start({ defect: 'no-such' })).toThrow('There is no defect no-such.');
  });
});
