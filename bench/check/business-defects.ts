import { fileURLToPath } from 'node:url';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import { type Config, emptyConfig } from '../../src/config/config.ts';
import { loadContract } from '../../src/contract/load.ts';
import { overrideOnce } from '../../src/library/load-once.ts';
import type { Benchmark, Figure } from '../measure/figures.ts';
import { spreadOf } from '../measure/statistics.ts';
import { isTrial } from '../measure/trial.ts';
import { installRival } from '../rivals/install.ts';
import { corpora } from '../servers/corpora.ts';
import { key as catalogKey } from '../servers/catalog/store.ts';
import { key as depotKey } from '../servers/depots/store.ts';
import { adminKey, tokens } from '../servers/invoices/account.ts';
import { key as newsroomKey } from '../servers/newsroom/store.ts';
import { key as ordersKey } from '../servers/orders/store.ts';
import { keys } from '../servers/rooms/office.ts';
import type { Corpus } from '../servers/serving/corpus.ts';
import type { Start } from '../servers/serving/plant.ts';
import { tokens as talkTokens } from '../servers/talk/store.ts';
import { identities } from './identities.ts';
import { runOn } from './rivals/run-runner.ts';
import { schemathesisCoverage } from './rivals/schemathesis.ts';

/**
 * What the owner of each contract would state in CEL, from its descriptions. Used with
 * `VOUCH_BENCH_RULES=yes`.
 */
const statedRules: Readonly<Record<string, Config['rules']>> = {
  invoices: {
    '#/components/schemas/InvoiceLine': [
      { rule: 'decimal(self.amount) == decimal(self.unitPrice) * self.quantity' },
    ],
    '#/components/schemas/Invoice': [
      { rule: 'decimal(self.subtotal) == decimal_sum(self.lines.map(l, l.amount))' },
      {
        rule:
          'decimal(self.tax) * 100 - decimal(self.subtotal) * self.taxPercent ' +
          '<= decimal("0.5")',
      },
      {
        rule:
          'decimal(self.tax) * 100 - decimal(self.subtotal) * self.taxPercent ' +
          '> decimal("-0.5")',
      },
      { rule: 'decimal(self.total) == decimal(self.subtotal) + decimal(self.tax)' },
      { rule: 'decimal(self.balance) == decimal(self.total) - decimal(self.paid)' },
      { rule: 'date(self.dueOn) == date(self.issuedOn) + days(30)' },
      { rule: 'self.paid == "0.00" || self.balance != "0.00" || self.status == "paid"' },
    ],
  },
  rooms: {
    '#/components/schemas/Booking': [{ rule: 'timestamp(self.end) > timestamp(self.start)' }],
  },
};

/** One run against one way to start the service. */
interface Run {
  /** The findings of severity error, as `operation: check: message`. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly requests: number;
  readonly seconds: number;
}

/**
 * The defects of the services in `bench/servers/` that `vouch check` detects, each planted alone,
 * and its false positives on the sound services and their conforming variants. A defect counts as
 * detected if a run has an error that the run of the sound service has not.
 *
 * `VOUCH_BENCH_CORPORA`, `VOUCH_BENCH_DEFECTS` and `VOUCH_BENCH_VARIANTS` restrict it, with commas
 * between the names (`none` for no defect or no variant). With `VOUCH_BENCH_START`, the name of a
 * variant, all defects are planted in that variant: a corpus without it is left out. With
 * `VOUCH_BENCH_RIVAL`, Schemathesis is run beside it on each eighth defect, with the credentials of
 * the first user.
 */
export const businessDefects: Benchmark = {
  name: 'business-defects',
  description:
    'defects of business services that `vouch check` detects, its false positives and seconds',
  async measure(say) {
    const figures: Figure[] = [];
    const base = process.env['VOUCH_BENCH_START'];
    const chosen = corpora.filter(
      ({ name, variants }) =>
        isChosen('VOUCH_BENCH_CORPORA', name) && (base === undefined || variants.includes(base)),
    );
    for (const corpus of chosen)
      figures.push(
        ...(process.env['VOUCH_BENCH_RIVAL'] === undefined
          ? await measureCorpus(corpus, say)
          : await measureRival(corpus, say)),
      );
    return figures;
  },
};

async function measureCorpus(corpus: Corpus, say: (line: string) => void): Promise<Figure[]> {
  const written = await loadContract(fileURLToPath(corpus.contract));
  const rules = statedRules[corpus.name];
  const contract =
    process.env['VOUCH_BENCH_RULES'] === 'yes' && rules !== undefined
      ? overrideOnce(written, { rulesOf: { ...emptyConfig, rules } })
      : written;
  const base: Start = { variant: process.env['VOUCH_BENCH_START'] };
  const run = async (how: Start): Promise<Run> => {
    const server = await corpus.start({ ...base, ...how });
    try {
      const began = performance.now();
      const { summary, findings } = await checkTarget({
        url: server.url,
        contract,
        seed: 'bench',
        ...(identities[corpus.name] && { identities: identities[corpus.name] }),
      });
      const seconds = (performance.now() - began) / 1_000;
      const of = (expected: string): string[] =>
        findings
          .filter(({ severity }) => severity === expected)
          .map(
            ({ id, operation, check, message }) => `${operation.id}: ${check}: ${message} (${id})`,
          );
      return { errors: of('error'), warnings: of('warning'), requests: summary.requests, seconds };
    } finally {
      await server.stop();
    }
  };

  const sound = await run({});
  sayRun(say, `${corpus.name}, sound`, sound);
  const variants = await inTurns(
    named('VOUCH_BENCH_VARIANTS', corpus.variants),
    async (variant) => {
      const result = await run({ variant });
      const falsePositives = notIn(sound, result);
      if (falsePositives.length > 0)
        sayRun(say, `${corpus.name}, variant ${variant}`, { ...result, errors: falsePositives });
      return { variant, falsePositives };
    },
  );
  const defects = await inTurns(named('VOUCH_BENCH_DEFECTS', corpus.defects), async (defect) => {
    const result = await run({ defect });
    const errors = notIn(sound, result);
    say(
      `${corpus.name}, ${defect}: ` +
        (errors.length > 0
          ? `detected, ${errors[0] ?? ''}`
          : `MISSED (${meaningOf(corpus, defect)})`),
    );
    return { defect, errors, seconds: result.seconds };
  });
  return figuresOf(corpus, { sound, variants, defects });
}

/** The errors of a run that another one has not: texts hold moments, so their ids decide. */
function notIn(other: Run, { errors }: Run): string[] {
  const idOf = (error: string): string => error.slice(error.lastIndexOf('('));
  const known = new Set(other.errors.map(idOf));
  return errors.filter((error) => !known.has(idOf(error)));
}

/** The credentials of the first user as headers. */
const headersOf: Readonly<Record<string, readonly string[]>> = {
  invoices: [`Authorization: Bearer ${tokens.first}`, `X-Admin-Key: ${adminKey}`],
  rooms: [`X-Api-Key: ${keys.ines}`],
  depots: [`Authorization: Bearer ${depotKey}`],
  talk: [`Authorization: Bearer ${talkTokens.U0ANA}`],
  orders: [`X-Api-Key: ${ordersKey}`],
  catalog: [`Authorization: Bearer ${catalogKey}`],
  newsroom: [`Authorization: Bearer ${newsroomKey}`],
};

/** Each of so many defects is in the sample. */
const everyNth = 8;
const rivalSeconds = 60;

/** Schemathesis and vouch on the same sample of defects, and on the sound service. */
async function measureRival(corpus: Corpus, say: (line: string) => void): Promise<Figure[]> {
  const installed = await installRival('schemathesis');
  if (installed.kind === 'missing') throw new Error(installed.reason);
  const contract = fileURLToPath(corpus.contract);
  const headers = headersOf[corpus.name] ?? [];
  const tool = { folder: installed.folder, program: installed.node };
  const runner = { ...schemathesisCoverage, limitSeconds: rivalSeconds };
  const rival = async (how: Start): Promise<readonly string[]> => {
    const service = await corpus.start(how);
    const { findings, requests, seconds, ended } = await runOn(runner, tool, {
      service,
      contract,
      headers,
    });
    say(
      `${corpus.name}, ${how.defect ?? 'sound'}: ${String(requests)} requests, ` +
        `${seconds.toFixed(1)} s, ${ended === 'cut off' ? 'cut off, ' : ''}` +
        `${String(findings.length)} findings`,
    );
    return findings;
  };
  const sound = new Set([...(await rival({})), ...(await rival({}))]);
  const sample = corpus.defects.filter((_defect, index) => index % everyNth === 0);
  const results = await inTurns(sample, async (defect) => {
    const findings = (await rival({ defect })).filter((finding) => !sound.has(finding));
    if (findings.length > 0) say(`  detected, ${findings[0] ?? ''}`);
    return { defect, isDetected: findings.length > 0 };
  });
  const detected = results.filter(({ isDetected }) => isDetected);
  return [
    {
      measure: `${corpus.name}: Schemathesis ${installed.version}, each eighth defect`,
      measured: `${String(detected.length)} of ${String(sample.length)}`,
      data: { sample, detected: detected.map(({ defect }) => defect) },
    },
    {
      measure: `${corpus.name}: Schemathesis ${installed.version}, false positives`,
      measured: `${String(sound.size)} on the sound service`,
      data: { sound: [...sound] },
    },
  ];
}

function sayRun(
  say: (line: string) => void,
  title: string,
  { errors, requests, seconds }: Run,
): void {
  say(
    `${title}: ${String(requests)} requests, ${seconds.toFixed(1)} s, ` +
      `${String(errors.length)} errors`,
  );
  for (const error of errors) say(`  ${error}`);
}

/** The figures of one service, with what was missed by kind. */
function figuresOf(
  { name, kinds }: Corpus,
  {
    sound,
    variants,
    defects,
  }: {
    readonly sound: Run;
    readonly variants: readonly { variant: string; falsePositives: readonly string[] }[];
    readonly defects: readonly { defect: string; errors: readonly string[]; seconds: number }[];
  },
): Figure[] {
  const detected = defects.filter(({ errors }) => errors.length > 0);
  const withFalsePositives = variants.filter(({ falsePositives }) => falsePositives.length > 0);
  const byKind = Object.entries(kinds).map(([kind, family]) => {
    const tried = defects.filter(({ defect }) => Object.hasOwn(family, defect));
    const missed = tried.filter(({ errors }) => errors.length === 0).map(({ defect }) => defect);
    return { kind, detected: tried.length - missed.length, of: tried.length, missed };
  });
  const isAll = !isTrial() && defects.length > 0;
  return [
    {
      measure: `${name}: defects detected`,
      measured: `${String(detected.length)} of ${String(defects.length)}`,
      ...(isAll
        ? { promised: 'at least 90 %', kept: detected.length >= 0.9 * defects.length }
        : {}),
      data: { byKind },
    },
    ...byKind.map(({ kind, detected: count, of, missed }) => ({
      measure: `${name}: ${kind}`,
      measured: `${String(count)} of ${String(of)}`,
      data: { missed },
    })),
    {
      measure: `${name}: false positives`,
      measured:
        `${String(sound.errors.length)} on the unchanged service, ` +
        `on ${String(withFalsePositives.length)} of ${String(variants.length)} variants`,
      promised: 'none',
      kept: sound.errors.length === 0 && withFalsePositives.length === 0,
      data: { sound: sound.errors, withFalsePositives },
    },
    {
      measure: `${name}: seconds of a run`,
      measured: spreadOf([sound, ...defects].map(({ seconds }) => seconds)).median.toFixed(1),
      promised: 'at most 3 s on a quiet machine',
      data: { requests: sound.requests },
    },
  ];
}

function meaningOf({ kinds }: Corpus, defect: string): string {
  return Object.values(kinds).flatMap((family) => family[defect] ?? [])[0] ?? '';
}

function isChosen(variable: string, name: string): boolean {
  const names = process.env[variable]?.split(',').map((one) => one.trim());
  return names?.includes(name) ?? true;
}

/** The names that an environment variable restricts; a tenth of them in a trial. */
function named(variable: string, names: readonly string[]): string[] {
  return names.filter(
    (name, index) => isChosen(variable, name) && !(isTrial() && index % 10 !== 0),
  );
}

async function inTurns<T, R>(items: readonly T[], call: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await call(item));
  return results;
}
