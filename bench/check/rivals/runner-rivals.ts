import { groupBars, type Benchmark, type Figure } from '../../measure/figures.ts';
import { spreadOf } from '../../measure/statistics.ts';
import { isTrial, roundsOf } from '../../measure/trial.ts';
import { defects } from '../../servers/defects.ts';
import { serverNames } from '../../servers/servers.ts';
import { compareRunner, type Compared, type Trial } from './compare-runners.ts';
import { runners } from './index.ts';
import type { Runner } from './runner.ts';

/** One of each kind: a trial tries every runner on these, and vouch on all. */
const sample = [
  'create-answers-200',
  'field-missing',
  'filter-ignored',
  'replace-lost',
  'any-token-accepted',
  'enum-not-checked',
  'body-cut-off',
  'broken-json-is-500',
];

const detectedGroup = 'Planted defects that are detected';

/**
 * Detection, false positives, requests and seconds of `vouch check` and of other runners, on
 * servers that are implemented independently of vouch.
 */
export const runnerRivals: Benchmark = {
  name: 'runner-rivals',
  description:
    'planted defects that `vouch check` and other runners catch in two ' +
    'servers written by hand, their false positives, requests and seconds',
  async measure(say) {
    const figures: Figure[] = [];
    for (const runner of chosenOf(runners, 'VOUCH_BENCH_RUNNERS', ({ name }) => name)) {
      const trial = trialFor(runner);
      const compared = await compareRunner(runner, trial, say);
      figures.push(
        'reason' in compared
          ? {
              measure: runner.title,
              measured: `not measured: ${compared.reason}`,
              data: { reason: compared.reason },
            }
          : figureOf(runner, trial, compared),
      );
    }
    return figures;
  },
  picture: (figures) => ({
    title: 'What runners of contract tests catch',
    description:
      'Defects planted one at a time into servers written by hand, apart from ' +
      'vouch; longer is better. Detected is what is reported on the defective ' +
      'server and not on the sound one. Beside each bar: false positives on the ' +
      'sound servers, requests and seconds of one run.',
    groups: groupBars(figures),
  }),
};

/** The whole list, or those of it that an environment variable names, with commas between them. */
function chosenOf<Item>(
  all: readonly Item[],
  variable: string,
  nameOf: (item: Item) => string,
): readonly Item[] {
  const names = process.env[variable]?.split(',').map((name) => name.trim());
  if (names === undefined) return all;
  const unknown = names.find((name) => !all.some((item) => nameOf(item) === name));
  if (unknown !== undefined)
    throw new Error(`${variable} names ${unknown}. There are: ${all.map(nameOf).join(', ')}.`);
  return all.filter((item) => names.includes(nameOf(item)));
}

function trialFor(runner: Runner): Trial {
  const servers = chosenOf(serverNames, 'VOUCH_BENCH_SERVERS', String);
  const all = chosenOf(Object.keys(defects), 'VOUCH_BENCH_DEFECTS', String);
  if (!isTrial() || runner.rival === undefined)
    return { servers, defects: all, soundRuns: roundsOf(3) };
  return {
    servers: servers.slice(0, 1),
    defects: all.filter((defect) => sample.includes(defect)),
    soundRuns: 1,
    limitSeconds: 60,
  };
}

function figureOf(runner: Runner, trial: Trial, { version, sound, cells }: Compared): Figure {
  const detected = cells.filter((cell) => cell.detected).length;
  const falsePositives = new Set(sound.flatMap(({ findings }) => findings)).size;
  const alarmed = sound.filter(({ findings }) => findings.length > 0).length;
  const requests = spreadOf(sound.map((run) => run.requests));
  const seconds = spreadOf(sound.map((run) => run.seconds));
  // A run that was cut off might have detected more: on a busy machine that says nothing about the
  // runner.
  const cutOff = [...sound, ...cells].filter(({ ended }) => ended === 'cut off').length;
  const runs = sound.length + cells.length;
  const cost =
    `${String(falsePositives)} false positives, ${String(requests.median)} ` +
    `requests, ${seconds.median.toFixed(1)} ` +
    `s${cutOff === 0 ? '' : `, ${String(cutOff)} of ${String(runs)} runs cut off`}`;
  const own = runner.rival === undefined;
  const share = `${String(detected)} of ${String(cells.length)}`;
  return {
    measure: `${runner.title} ${version}`.trim(),
    measured: `${share} detected; ${cost}`,
    // Of the others, nothing is promised.
    ...(own ? { promised: 'no false positive', kept: falsePositives === 0 } : {}),
    data: {
      servers: trial.servers,
      detected,
      of: cells.length,
      undetected: cells
        .filter((cell) => !cell.detected)
        .map(({ server, defect }) => `${server}: ${defect}`),
      falsePositives,
      cutOff,
      runsWithFalsePositives: `${String(alarmed)} of ${String(sound.length)}`,
      requests,
      seconds,
      sound,
      cells,
    },
    bar: {
      group: detectedGroup,
      label: `${runner.title} ${version}`.trim(),
      value: cells.length === 0 ? 0 : (100 * detected) / cells.length,
      text: `${share}; ${cost}`,
      own,
    },
  };
}
