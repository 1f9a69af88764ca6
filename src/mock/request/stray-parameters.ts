import type { Operation } from '../../contract/model.ts';
import { documentsRefusal } from '../../contract/model/operation.ts';
import { refusesStrays } from '../../contract/words/read-strays.ts';
import { type Fault, makeFault } from '../model/fault.ts';
import type { OperationPlan } from '../model/operation-plan.ts';

/** The query options of OData, whose names alone begin with a dollar (4.01, Part 2, section 5.1). */
const systemOptions = new Set(
  (
    '$apply $compute $count $deltatoken $expand $filter $format $id $index $levels $orderby ' +
    '$schemaversion $search $select $skip $skiptoken $top'
  ).split(' '),
);

/** Those that other conventions with dollars do not have, such as that with `$limit`. */
const ofODataAlone = ['$count', '$expand', '$filter', '$orderby', '$top'];

/** Whether all declared names with a dollar are those of OData, and not of another convention. */
function speaksOData(names: readonly string[]): boolean {
  const dollars = names.filter((name) => name.startsWith('$'));
  return (
    dollars.every((name) => systemOptions.has(name)) &&
    dollars.some((name) => ofODataAlone.includes(name))
  );
}

/** How the operation takes the names of query parameters that it does not declare. */
interface Names {
  readonly declared: ReadonlySet<string>;
  /** Whether it refuses them, and whether it refuses those that OData reserves. */
  readonly isClosed: boolean;
  readonly isOData: boolean;
}

/** Why a request is refused that has query parameters which the operation does not declare. */
export function judgeStrays(plan: OperationPlan, names: readonly string[]): Fault | undefined {
  if (names.length === 0) return undefined;
  const known = plan.derive(namesOf);
  const stray = names.find((name) => isStray(name, known));
  if (stray === undefined) return undefined;
  const message = `The operation has no query parameter ${stray}.`;
  return makeFault('parameter-value', 'unknown_parameter', message, {
    issues: [{ location: 'query', name: stray, rule: 'unknown', message }],
  });
}

function isStray(name: string, { declared, isClosed, isOData }: Names): boolean {
  // Two underscores begin the preferences of Prism, which are for the mock.
  const isKnown = declared.has(name) || declared.has(name.replace(/\[.*$/, ''));
  if (isKnown || name.startsWith('__')) return false;
  return isClosed || (isOData && name.startsWith('$') && !systemOptions.has(name));
}

/** The names of credentials in the query. */
function credentialsOf({ security }: Operation): string[] {
  return security.flatMap((requirement) =>
    requirement.flatMap(({ scheme }) =>
      scheme.kind === 'apiKey' && scheme.in === 'query' ? [scheme.key] : [],
    ),
  );
}

/** Whether a declared parameter takes names that the contract does not list. */
function takesAnyName({ parameters, path }: Operation): boolean {
  return (
    path.includes('?') ||
    parameters.some(
      ({ in: location, wholeQuery, carried, explode, style, schema }) =>
        wholeQuery === true ||
        carried?.in === 'query' ||
        (location === 'query' &&
          explode &&
          style === 'form' &&
          schema.flatten().types.includes('object')),
    )
  );
}

function namesOf({ operation, contract }: OperationPlan): Names {
  const query = operation.parameters.filter(({ in: location }) => location === 'query');
  const names = query.map(({ name }) => name);
  return {
    declared: new Set([...names, ...credentialsOf(operation)]),
    isClosed: refusesStrays(contract, operation) && !takesAnyName(operation),
    isOData: documentsRefusal(operation) && speaksOData(names),
  };
}
