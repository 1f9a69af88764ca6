import type { Contract, Operation } from '../../contract/model.ts';
import { baseUrlOf } from '../base-url.ts';
import { makeCase, makeSequence, type Sequence } from '../model/case.ts';
import type { Step } from '../model/step.ts';
import { draftRequest, isSafe, requestOf } from '../plan/draft.ts';
import { plainIntent } from '../plan/plan-context.ts';
import { executeSequence } from '../run/execute-sequence.ts';
import type { OpenRun } from '../run/open-run.ts';

const mostLooks = 8;

/**
 * A few plain reads before a replay: of the lists of which any record will do, and, for what shows
 * only beside other answers, of other operations. Answers the steps.
 */
export async function lookAround(
  sequence: Sequence,
  alone: boolean,
  { sender, settings }: OpenRun,
): Promise<readonly Step[]> {
  const { contract, seed } = settings;
  const wanted = alone
    ? listsFor(sequence, contract)
    : [...new Set([...listsFor(sequence, contract), ...othersThan(sequence, contract)])];
  const steps: Step[] = [];
  for (const operation of wanted
    .filter((candidate) => baseUrlOf(settings, candidate).ok)
    .slice(0, mostLooks)) {
    const drafted = draftRequest(contract, operation, { seed });
    if (!drafted.ok) continue;
    const { draft } = drafted;
    const look = makeCase({
      title: 'a look around',
      phase: 'confirm',
      operation,
      request: requestOf(draft, 'known'),
      intent: plainIntent(draft),
    });
    steps.push(...(await executeSequence(makeSequence(look), sender, { phase: 'confirm' })).steps);
  }
  return steps;
}

function listsFor({ cases }: Sequence, { resources }: Contract): Operation[] {
  const names = new Set(
    cases.flatMap(({ request }) =>
      request.arguments.flatMap(({ source }) =>
        source.kind === 'known' || source.kind === 'field' || source.kind === 'held'
          ? [source.resource]
          : [],
      ),
    ),
  );
  return resources.flatMap(({ name, operations }) =>
    names.has(name) && operations.list !== undefined ? [operations.list] : [],
  );
}

/**
 * Safe operations besides those of the sequence, lists first: they need no record, and show the
 * most.
 */
function othersThan({ cases }: Sequence, { operations, resources }: Contract): Operation[] {
  const own = new Set(cases.slice(-1).map(({ operation }) => operation));
  const lists = resources.flatMap((resource) => resource.operations.list ?? []);
  return [...lists, ...operations.filter(isSafe)].filter(
    (operation) => lists.includes(operation) || !own.has(operation),
  );
}
