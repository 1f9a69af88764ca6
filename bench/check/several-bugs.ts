import { fileURLToPath } from 'node:url';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import { separate } from '../../src/check/engine/judge/evidence.ts';
import { loadContract } from '../../src/contract/load.ts';
import type { Benchmark, Figure } from '../measure/figures.ts';
import { isTrial } from '../measure/trial.ts';
import { corpora } from '../servers/corpora.ts';
import type { Corpus } from '../servers/serving/corpus.ts';
import { identities } from './identities.ts';

/** What a report shows as one bug: the ids and texts of all that it joins, the first one first. */
interface Card {
  readonly ids: readonly string[];
  readonly title: string;
}

/** A defect that was found when it was planted alone, and the ids of all that showed it. */
interface Bug {
  readonly defect: string;
  readonly ids: ReadonlySet<string>;
}

/** How the bugs that were planted together are told. */
interface Told {
  /** How many of the bugs have exactly one card, several, or none. */
  readonly one: number;
  readonly several: readonly string[];
  readonly none: readonly string[];
  /** How many cards there are, and which of them tell two bugs. */
  readonly cards: number;
  readonly mixed: readonly string[];
}

const groupSizes = [2, 3, 4, 5, 6];
const groupsOfCorpus = 10;

/**
 * Several defects of one service at once: whether each of them is told as one card, and no card
 * tells two. Which findings a defect has is known from a run in which it is planted alone; one that
 * is not found alone is left out.
 *
 * `VOUCH_BENCH_CORPORA` restricts the services, with commas between the names, and
 * `VOUCH_BENCH_GROUPS` says how many groups of defects are planted in each.
 */
export const severalBugs: Benchmark = {
  name: 'several-bugs',
  description: 'cards of a report for each of 2 to 6 defects that are planted at once',
  async measure(say) {
    const chosen = process.env['VOUCH_BENCH_CORPORA']?.split(',');
    const results: Told[] = [];
    const figures: Figure[] = [];
    for (const corpus of corpora.filter(({ name }) => chosen?.includes(name) ?? true)) {
      const own = await measureCorpus(corpus, say);
      results.push(...own);
      figures.push(...figuresOf(corpus.name, own));
    }
    return [...figures, ...figuresOf('all', results, true)];
  },
};

async function measureCorpus(corpus: Corpus, say: (line: string) => void): Promise<Told[]> {
  const contract = await loadContract(fileURLToPath(corpus.contract));
  const cardsOf = async (defects: readonly string[]): Promise<Card[]> => {
    const server = await corpus.start({ defect: defects.length > 0 ? defects.join() : undefined });
    try {
      const { findings } = await checkTarget({
        url: server.url,
        contract,
        seed: 'bench',
        ...(identities[corpus.name] && { identities: identities[corpus.name] }),
      });
      return findings
        .filter(({ severity }) => severity !== 'note')
        .map((finding) => ({
          ids: separate(finding).map(({ id }) => id),
          title: `${finding.operation.id}: ${finding.check}: ${finding.message}`,
        }));
    } finally {
      await server.stop();
    }
  };
  const sound = new Set((await cardsOf([])).flatMap(({ ids }) => ids));
  const own = (cards: readonly Card[]): Card[] =>
    cards.filter(({ ids }) => ids.some((id) => !sound.has(id)));
  const told: Told[] = [];
  for (const group of groupsIn(corpus.defects)) {
    const bugs: Bug[] = [];
    for (const defect of group) {
      const ids = new Set(own(await cardsOf([defect])).flatMap((card) => card.ids));
      for (const id of sound) ids.delete(id);
      if (ids.size > 0) bugs.push({ defect, ids });
    }
    if (bugs.length < 2) continue;
    const result = tell(bugs, own(await cardsOf(bugs.map(({ defect }) => defect))));
    told.push(result);
    const { one, several, none, mixed, cards } = result;
    say(
      `${corpus.name}: ${bugs.map(({ defect }) => defect).join(', ')}: ${String(cards)} cards, ` +
        `${String(one)} of ${String(bugs.length)} with one`,
    );
    for (const line of several) say(`  several: ${line}`);
    for (const line of none) say(`  none: ${line}`);
    for (const line of mixed) say(`  two bugs: ${line}`);
  }
  return told;
}

/** Groups of 2 to 6 defects, from all over the list, no defect in two of them. */
function groupsIn(defects: readonly string[]): string[][] {
  const most = isTrial() ? 2 : Number(process.env['VOUCH_BENCH_GROUPS'] ?? groupsOfCorpus);
  const size = (index: number): number => groupSizes[index % groupSizes.length] ?? 2;
  const total = Array.from({ length: most }, (_, index) => size(index)).reduce((a, b) => a + b, 0);
  const step = Math.max(1, Math.floor(defects.length / total));
  // Neighbours in the list are alike: the members of a group are far apart.
  const spread = defects.filter((_, index) => index % step === 0);
  const groups = Array.from({ length: most }, (): string[] => []);
  let next = 0;
  for (const defect of spread) {
    const open = groups.findIndex((_, at) => {
      const index = (next + at) % most;
      return (groups[index]?.length ?? 0) < size(index);
    });
    if (open < 0) break;
    const index = (next + open) % most;
    groups[index]?.push(defect);
    next = index + 1;
  }
  return groups.filter(({ length }) => length > 1);
}

function tell(bugs: readonly Bug[], cards: readonly Card[]): Told {
  const byBug = bugs.map((bug) => ({
    bug,
    own: cards.filter(({ ids }) => ids.some((id) => bug.ids.has(id))),
  }));
  const line = ({ bug, own }: (typeof byBug)[number]): string =>
    [bug.defect, ...own.map(({ title }) => title)].join('\n    ');
  const mixed = cards.flatMap((card) => {
    // What two bugs show alike when they are alone tells neither.
    const known = bugs.filter(({ ids }) =>
      card.ids.some(
        (id) => ids.has(id) && bugs.every((other) => other.ids === ids || !other.ids.has(id)),
      ),
    );
    return known.length < 2
      ? []
      : [[card.title, ...known.map(({ defect }) => defect)].join('\n    ')];
  });
  return {
    one: byBug.filter(({ own }) => own.length === 1).length,
    several: byBug.filter(({ own }) => own.length > 1).map(line),
    none: byBug.filter(({ own }) => own.length === 0).map(line),
    cards: cards.length,
    mixed,
  };
}

function figuresOf(name: string, told: readonly Told[], isPromised = false): Figure[] {
  const sum = (count: (one: Told) => number): number =>
    told.reduce((total, one) => total + count(one), 0);
  const one = sum((each) => each.one);
  const several = sum((each) => each.several.length);
  const cards = sum((each) => each.cards);
  const mixed = sum((each) => each.mixed.length);
  return [
    {
      measure: `${name}: bugs that are told, with one card`,
      measured: `${String(one)} of ${String(one + several)}`,
      ...(isPromised && !isTrial()
        ? { promised: 'at least 90 %', kept: one >= 0.9 * (one + several) }
        : {}),
      data: told,
    },
    {
      measure: `${name}: cards that tell one bug`,
      measured: `${String(cards - mixed)} of ${String(cards)}`,
      ...(isPromised && !isTrial()
        ? { promised: 'at least 97 %', kept: cards - mixed >= 0.97 * cards }
        : {}),
      data: { none: told.flatMap(({ none }) => none) },
    },
  ];
}
