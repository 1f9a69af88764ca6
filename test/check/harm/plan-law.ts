import type { Case } from '../../../src/check/model/case.ts';
import type { Mode } from '../../../src/check/model/phase.ts';
import type { Source } from '../../../src/check/model/request-template.ts';
import { isUnguessable, namesNothing } from '../../../src/check/model/step.ts';
import { pathNames } from '../../../src/check/reading/path-names.ts';
import { planOf } from '../../../src/check/engine/plan/plan-run.ts';
import { resolveSettings } from '../../../src/check/engine/settings.ts';
import type { Contract, Parameter } from '../../../src/contract/model.ts';

const safeMethods = ['GET', 'HEAD', 'OPTIONS', 'PROPFIND'];

/**
 * Where the plan of a contract breaks the law: it sweeps, or changes an identifier that is not the
 * run's.
 */
export function breachesOfPlan(contract: Contract, mode: Mode): string[] {
  const schemes = [...contract.securitySchemes.keys()];
  const tokens = Object.fromEntries(schemes.map((name) => [name, `token-of-${name}`]));
  const settings = resolveSettings({
    url: 'http://127.0.0.1:9',
    contract,
    mode,
    seed: 'law',
    tokens,
  });
  return planOf(settings).stages.flatMap(({ sequences }) =>
    sequences.flatMap(({ cases }) =>
      cases.flatMap((tried, index) => breachesOf(tried, cases.slice(0, index), settings.contract)),
    ),
  );
}

function breachesOf(tried: Case, earlier: readonly Case[], contract: Contract): string[] {
  const { operation, request, title } = tried;
  const effect = contract.effects.get(operation)?.effect;
  const method = request.method ?? operation.method;
  const name = `${method} ${operation.path} (${title})`;
  if (effect === 'sweeps') return [`${name} sweeps`];
  if (safeMethods.includes(method)) {
    return effect === 'reads' || request.method !== undefined ? [] : [`${name} does not only read`];
  }
  return pathNames(contract, operation).flatMap(({ parameter, parent, below }) => {
    if (parent !== undefined || (operation.method === 'POST' && below !== undefined)) return [];
    const source = request.arguments.find((argument) => argument.parameter === parameter)?.source;
    const isMade = source?.kind === 'made' && madeBy(source.step, earlier, contract);
    return source === undefined || isMade || isHarmless(source, parameter)
      ? []
      : [`${name} changes ${JSON.stringify(source)}`];
  });
}

/** Whether an earlier step of the sequence, by its title, creates a record. */
function madeBy(title: string, earlier: readonly Case[], contract: Contract): boolean {
  const step = earlier.find((one) => one.title === title);
  const placement = step && contract.inference.placementOf(step.operation);
  return (
    placement?.kind === 'named-create' ||
    (placement?.kind === 'resource' &&
      (placement.action === 'create' || placement.resource.namedCreate === step?.operation))
  );
}

function isHarmless(source: Source, parameter: Parameter): boolean {
  switch (source.kind) {
    case 'own':
    case 'created':
    case 'absent':
    case 'unique':
      return true;
    case 'raw':
      return /^%(zz|ff)$/.test(source.text);
    case 'text':
      return namesNothing(source.text, parameter);
    case 'value':
      return isUnguessable(source.value);
    default:
      return false;
  }
}
