import { describe, expect, test } from 'vitest';
import type { Check } from '../../../../src/check/topics/check.ts';
import { idsAreUnique } from '../../../../src/check/topics/records/ids-are-unique.ts';
import { refusalIsHarmless } from '../../../../src/check/topics/records/refusal-is-harmless.ts';
import { readAnswer } from '../../../../src/check/reading/read-answer.ts';
import { RunJudge } from '../../../../src/check/engine/judge/run-judge.ts';
import type {
  JudgeContext,
  Judgement,
  Suspicion,
} from '../../../../src/check/engine/judge/judge.ts';
import { addCounts, judgeStep } from '../../../../src/check/engine/judge/judge.ts';
import { gatherKnowledge } from '../../../../src/check/engine/judge/gather-knowledge.ts';
import { type Case, makeSequence, type Sequence } from '../../../../src/check/model/case.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import { planOf } from '../../../../src/check/engine/plan/plan-run.ts';
import { RunLog } from '../../../../src/check/engine/send/run-log.ts';
import { resolveSettings } from '../../../../src/check/engine/settings.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import type { Crash } from '../../../../src/check/model/event.ts';

const contract = libraryContract();
const cases = planOf(
  resolveSettings({ url: 'http://127.0.0.1:1', contract, token: 'key', seed: 'judge' }),
).stages.flatMap(({ sequences }) => sequences.flatMap((sequence) => sequence.cases));
const listing = caseOf('listBooks');

function caseOf(id: string): Case {
  const found = cases.find(
    ({ operation, intent }) => operation.id === id && intent.kind === 'valid',
  );
  if (found === undefined) throw new Error(`Nothing is planned for ${id}.`);
  return found;
}

function stepOf(tried: Case, body: string, status = 200): Step {
  const response = {
    status,
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Total', '3'],
    ] as const,
    body: new TextEncoder().encode(body),
  };
  return {
    case: tried,
    sent: { arguments: new Map() },
    exchange: {
      baseUrl: 'http://127.0.0.1:1',
      request: { method: 'GET', target: '/books', headers: [], body: new Uint8Array(0) },
      response,
      durationMs: 1,
    },
    answer: readAnswer(response),
  };
}

function makeCheck(id: string, inspect: Check['inspect'], more: Partial<Check> = {}): Check {
  return {
    id,
    basis: 'contract',
    severity: 'error',
    harm: 'form',
    rule: '',
    reason: '',
    example: [],
    confirm: 'once',
    inspect,
    ...more,
  };
}

const told = (message: string): ReturnType<Check['inspect']> => [
  { at: '', message, expected: '', actual: '' },
];

/** Says how long the page is, and the longest of the run. */
const asking = makeCheck(
  'asking',
  ({ knowledge, operation, answer }) =>
    told(
      (answer.kind === 'json' && Array.isArray(answer.value) ? String(answer.value.length) : '?') +
        ` of at most ${String(knowledge.largestPages.get(operation.id))}`,
    ),
  { needs: ['largestPages'] },
);
const plain = makeCheck('plain', ({ exchange }) =>
  exchange.response?.body.length === 2 ? told('an empty page') : [],
);
const coveringPlain = makeCheck(
  'covering',
  ({ knowledge }) => (knowledge.largestPages.size > 0 ? told('more than that') : []),
  { covers: ['plain'], needs: ['largestPages'] },
);
const crashing = makeCheck('crashing', () => {
  throw new Error('a fault of its own');
});

function judgeAll(
  checks: readonly Check[],
  attempts: readonly { readonly sequence: Sequence; readonly steps: readonly Step[] }[],
): RunJudge {
  const judge = new RunJudge({ contract, checks, runId: 'vouch-abc' });
  for (const { sequence, steps } of attempts) judge.judgeSequence(sequence, steps);
  return judge;
}

const attempts = ['[{"id":1}]', '[]', '[{"id":1},{"id":2},{"id":3}]', '[{"id":4},{"id":5}]'].map(
  (body) => ({ sequence: makeSequence(listing), steps: [stepOf(listing, body)] }),
);

/** Judges every step of every sequence, and counts. */
function judgeRun(context: JudgeContext, tried: typeof attempts): Judgement {
  const inspected = new Map<string, Map<string, number>>();
  const suspicions: Suspicion[] = [];
  const crashes = new Map<string, Crash>();
  for (const { sequence, steps } of tried) {
    steps.forEach((_step, index) => {
      const judged = judgeStep(context, sequence, steps.slice(0, index + 1));
      suspicions.push(...judged.suspicions);
      for (const [operation, counts] of judged.inspected) addCounts(inspected, operation, counts);
      for (const crash of judged.crashes) crashes.set(`${crash.check} ${crash.message}`, crash);
    });
  }
  return { suspicions, inspected, crashes: [...crashes.values()] };
}

describe('RunJudge', () => {
  test('applies a check that needs knowledge of the whole run to every step at the end', () => {
    const { suspicions } = judgeAll([asking], attempts).finish();
    expect(suspicions.map(({ violation }) => violation.message)).toEqual([
      '1 of at most 3',
      '0 of at most 3',
      '3 of at most 3',
      '2 of at most 3',
    ]);
  });

  test.each<[string, readonly Check[]]>([
    ['checks that ask', [asking]],
    ['checks that do not', [plain]],
    ['both, in the order of the checks', [plain, asking, crashing]],
    ['one that covers another', [plain, coveringPlain]],
  ])('gives the same result as judging all steps at the end: %s', (_name, checks) => {
    const whole = judgeRun(
      {
        contract,
        checks,
        knowledge: gatherKnowledge(
          contract,
          attempts.flatMap(({ steps }) => steps),
          'vouch-abc',
        ),
      },
      attempts,
    );
    const heard = judgeAll(checks, attempts).finish();
    const say = ({ suspicions, inspected, crashes }: typeof heard): unknown => ({
      said: suspicions.map(({ check, violation, steps }) => [
        check.id,
        violation.message,
        steps.length,
        steps.at(-1)?.answer,
      ]),
      inspected: [...inspected].map(([id, counts]) => [id, Object.fromEntries(counts)]),
      crashes: crashes.map(({ check, message }) => [check, message]),
    });
    expect(say(heard)).toEqual(say(whole));
  });

  test('keeps the status of an unsuspicious response, not its body', () => {
    const judge = new RunJudge({ contract, checks: [plain], runId: 'vouch-abc' });
    const [kept] = judge.judgeSequence(makeSequence(listing), [stepOf(listing, '[{"id":1}]')]);
    expect(kept?.exchange.response).toEqual({ status: 200, headers: [], body: new Uint8Array(0) });
    expect(kept?.case).toEqual({
      ...listing,
      title: '',
      intent: { kind: 'valid', rigour: 'plain', at: '' },
    });
  });

  test('keeps suspected steps completely', () => {
    const [suspicion] = judgeAll([plain], attempts).finish().suspicions;
    expect(suspicion?.steps[0]).toBe(attempts[1]?.steps[0]);
  });
});

describe('a list with a value that a concurrent sequence sent', () => {
  const text = 'Emma vouch-abc-12ab34';
  const creating = caseOf('createBook');
  const list = {
    sequence: makeSequence(listing),
    steps: [stepOf(listing, `[{"id":1,"title":"${text}"}]`)],
  };
  const create = (status: number): typeof list => ({
    sequence: makeSequence(creating),
    steps: [
      {
        ...stepOf(creating, status === 201 ? `{"id":1,"title":"${text}"}` : '{}', status),
        sent: { arguments: new Map(), body: { title: text } },
      },
    ],
  });

  test.each([
    [
      'has a finding if that request was refused, even if this is known later',
      [list, create(400)],
      1,
    ],
    ['is held against it when that was refused, and told before', [create(400), list], 1],
    ['shows nothing when it was accepted', [list, create(201)], 0],
    [
      'shows nothing when it was refused once and accepted once',
      [list, create(400), create(201)],
      0,
    ],
    ['shows nothing when nobody is told to have sent it', [list], 0],
  ])('%s', (_name, heard, said) => {
    const { suspicions } = judgeAll([refusalIsHarmless], heard).finish();
    expect(
      suspicions.map(({ check, steps }) => [check.id, steps.at(-1)?.case.operation.id]),
    ).toEqual(Array.from({ length: said }, () => ['refusal-is-harmless', 'listBooks']));
  });
});

describe('two creates with the same identifier', () => {
  const creating = caseOf('createBook');
  const deleting = cases.find(
    ({ operation, intent }) => operation.id === 'deleteBook' && intent.kind === 'valid',
  );
  const create = (title: string): { readonly tried: Case; readonly step: Step } => {
    const tried = { ...creating, id: title };
    return {
      tried,
      step: {
        ...stepOf(tried, `{"id":17,"title":"${title}"}`, 201),
        sent: { arguments: new Map(), body: { title } },
      },
    };
  };
  const [first, second] = [create('Ada'), create('Bo')];

  test.each([
    ['broke a rule', false, ['Two creates returned the same id: 17.']],
    ['did not, where the first record was deleted', true, []],
  ])('%s', (_name, deleted, said) => {
    if (deleting === undefined) throw new Error('Nothing is planned for deleteBook.');
    const parameter = deleting.operation.parameters.find(({ in: location }) => location === 'path');
    const gone = {
      ...stepOf(deleting, '', 204),
      sent: { arguments: new Map(parameter === undefined ? [] : [[parameter, 17]]) },
    };
    const { suspicions } = judgeAll(
      [idsAreUnique],
      [
        {
          sequence: makeSequence(first.tried, deleting),
          steps: deleted ? [first.step, gone] : [first.step],
        },
        { sequence: makeSequence(second.tried), steps: [second.step] },
      ],
    ).finish();
    expect(suspicions.map(({ violation }) => violation.message)).toEqual(said);
  });
});

describe('RunLog judges sequences in the order of the plan', () => {
  test('regardless of the order of completion', () => {
    const heard: string[] = [];
    const log = new RunLog((sequence, steps) => (heard.push(sequence.id), steps));
    const sequences = cases.slice(0, 100).map((tried) => makeSequence(tried));
    const entries = sequences.map((sequence) => ({ sequence, entry: log.open(sequence) }));
    for (const { sequence, entry } of entries.toReversed()) entry.close({ sequence, steps: [] });
    log.finish();
    expect(heard).toEqual(sequences.map(({ id }) => id));
  });

  test('each once, and incomplete ones at the end of the run', () => {
    const heard: number[] = [];
    const log = new RunLog((_sequence, steps) => (heard.push(steps.length), []));
    const sequence = makeSequence(listing);
    log.open(sequence).add(stepOf(listing, '[]'));
    log.open(sequence).close({ sequence, steps: [] });
    expect(heard).toEqual([]);
    log.finish();
    log.finish();
    expect(heard).toEqual([1, 0]);
    expect(log.steps).toEqual([]);
  });
});
