import type {
  ClassCoverage,
  Coverage,
  CoverageCount,
  InputCoverage,
  OperationCoverage,
  StatusCoverage,
} from '../../check/model/run-summary.ts';

/** What several shards reached together. `why` stays where none of them reached a thing. */
export function joinCoverage(parts: readonly Coverage[]): Coverage | undefined {
  if (parts.length === 0) return undefined;
  const byOperation = Map.groupBy(
    parts.flatMap(({ operations }) => operations),
    ({ operation }) => operation,
  );
  const operations = [...byOperation.values()].flatMap(joinOperation);
  return {
    statuses: count(operations.flatMap(({ statuses }) => statuses)),
    inputs: count(operations.flatMap(({ inputs }) => inputs.flatMap(({ classes }) => classes))),
    operations,
  };
}

/** Shards that sent nothing to an operation say nothing of it, where another one did. */
function joinOperation(alike: readonly OperationCoverage[]): OperationCoverage[] {
  const asked = alike.filter(({ why }) => why === undefined);
  const [first] = asked;
  if (first === undefined) return alike.slice(0, 1);
  const statuses = [
    ...Map.groupBy(
      asked.flatMap((each) => each.statuses),
      ({ status, media }) => `${status} ${media ?? ''}`,
    ).values(),
  ].flatMap(reachedOf<StatusCoverage>);
  const inputs = [
    ...Map.groupBy(
      asked.flatMap((each) => each.inputs),
      (input) => `${input.in} ${input.name}`,
    ).values(),
  ].flatMap(joinInput);
  return [{ operation: first.operation, statuses, inputs }];
}

function joinInput(alike: readonly InputCoverage[]): InputCoverage[] {
  const classes = [
    ...Map.groupBy(
      alike.flatMap((each) => each.classes),
      (each) => each.class,
    ).values(),
  ].flatMap(reachedOf<ClassCoverage>);
  return alike.slice(0, 1).map((input) => ({ ...input, classes }));
}

function reachedOf<Item extends { readonly reached: boolean }>(alike: readonly Item[]): Item[] {
  return [alike.find(({ reached }) => reached) ?? alike[0]].filter((item) => item !== undefined);
}

function count(items: readonly { readonly reached: boolean }[]): CoverageCount {
  return { reached: items.filter(({ reached }) => reached).length, total: items.length };
}
