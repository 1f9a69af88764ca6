import { suggestId, suggestWord, VouchError } from '../../errors.ts';
import { readEffects } from '../effect/read-effects.ts';
import type {
  ConfiguredRules,
  Contract,
  Inference,
  Operation,
  Resource,
  ResourceOverrides,
  ResourceSettings,
} from '../model.ts';
import { lazy } from '../lazy.ts';
import { inferResources } from './infer-resources.ts';
import { groupByCollection, nameGroups } from './operation-paths.ts';
import { recordFields } from './record-fields.ts';

/**
 * The contract with the configured resources. Throws a VouchError ('config-invalid') for a
 * resource, operation, field or parameter that the contract does not have.
 */
export function overrideResources(contract: Contract, overrides: ResourceOverrides): Contract {
  if (Object.keys(overrides).length === 0) return contract;
  const inference = inferResources(contract.operations, overrides);
  for (const [name, settings] of Object.entries(overrides))
    check({ name, settings }, contract, inference);
  return withInference(contract, { operations: contract.operations, inference });
}

/** The contract with other operations, and what is inferred from them. */
export function withOperations(contract: Contract, operations: readonly Operation[]): Contract {
  return withInference(contract, { operations, inference: contract.inference.over(operations) });
}

function withInference(
  contract: Contract,
  { operations, inference }: Pick<Contract, 'operations' | 'inference'>,
): Contract {
  const {
    resources: _resources,
    unplaced: _unplaced,
    inference: _inference,
    effects: _effects,
    operations: _operations,
    ...others
  } = Object.getOwnPropertyDescriptors(contract);
  const { locate } = contract;
  const effects = lazy(() => readEffects({ operations, inference, locate }));
  // The parts of a contract are read on first access: copying descriptors keeps them lazy.
  return Object.defineProperties(
    {},
    {
      ...others,
      operations: { value: operations, enumerable: true },
      inference: { value: inference, enumerable: true },
      resources: { get: () => inference.resources, enumerable: true },
      unplaced: { get: () => inference.unplaced, enumerable: true },
      effects: { get: effects, enumerable: true },
    },
  ) as Contract;
}

/** The contract with configured rules; its parts are still read on first access. */
export function withRules(contract: Contract, configured: ConfiguredRules): Contract {
  const rules = lazy(() => contract.rules.with(configured));
  const gaps = lazy(() =>
    contract.gaps.filter(
      ({ kind, pointer }) => kind !== 'rule-unstated' || !rules().states(pointer),
    ),
  );
  // The members are copied as descriptors, so the cast names what they make.
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(contract),
      rules: { get: rules, enumerable: true },
      gaps: { get: gaps, enumerable: true },
    },
  ) as Contract;
}

interface Named {
  readonly name: string;
  readonly settings: ResourceOverrides[string];
}

function check({ name, settings }: Named, contract: Contract, inference: Inference): void {
  const groups = [...groupByCollection(contract.operations).values()];
  const names = nameGroups(groups);
  const group = groups.find(({ key, collectionPath, itemPath }) =>
    [names.get(key), collectionPath, itemPath].includes(name),
  );
  if (group === undefined) {
    const known = name.startsWith('/')
      ? groups.map(({ collectionPath }) => collectionPath)
      : inferResources(contract.operations).resources.map((resource) => resource.name);
    throw refuse(
      name,
      'the contract has no resource of that name, and no collection of that path',
      suggestWord(name, known),
    );
  }
  if (settings === false) return;
  for (const id of Object.values(settings.operations ?? {}))
    if (typeof id === 'string') checkOperation(name, id, contract.operations);
  const resource = inference.named(names.get(group.key) ?? '');
  if (resource === undefined)
    throw refuse(
      name,
      'no record can be inferred even with these settings',
      'A resource needs an operation that lists or reads its records, ' +
        'and a field that identifies them.',
    );
  checkFields(name, settings, resource);
  checkTargets(name, settings, inference);
}

function checkOperation(name: string, id: string, operations: readonly Operation[]): void {
  if (!operations.some((operation) => operation.id === id))
    throw refuse(name, `the contract has no operation ${id}`, suggestId(id, operations));
}

function checkFields(name: string, settings: ResourceSettings, resource: Resource): void {
  const fields = recordFields(resource.record).map((field) => field.name);
  const { identifier, parent, filters = {}, foreignKeys = {} } = settings;
  const said = [
    identifier,
    parent,
    ...Object.values(filters === false ? {} : filters),
    ...Object.keys(foreignKeys === false ? {} : foreignKeys),
  ];
  const unknown = said.find((field) => typeof field === 'string' && !fields.includes(field));
  if (typeof unknown === 'string')
    throw refuse(name, `its records have no field ${unknown}`, suggestWord(unknown, fields));
  if (identifier !== undefined && resource.identifier.field !== identifier)
    throw refuse(
      name,
      `${identifier} cannot identify a record`,
      'An identifier is a text or an integer.',
    );
  checkList(name, settings, resource);
}

function checkList(
  name: string,
  { records, filters = {} }: ResourceSettings,
  resource: Resource,
): void {
  if (records !== undefined && resource.list?.records !== records)
    throw refuse(
      name,
      `its list has no array of objects at ${records || 'the top'}`,
      'Write a JSON Pointer to an array of objects, such as /data/items.',
    );
  const query = (resource.operations.list?.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => parameter.name);
  const stray = Object.keys(filters === false ? {} : filters).find(
    (parameter) => !query.includes(parameter),
  );
  if (stray !== undefined)
    throw refuse(name, `its list has no query parameter ${stray}`, suggestWord(stray, query));
}

function checkTargets(
  name: string,
  { foreignKeys = {} }: ResourceSettings,
  inference: Inference,
): void {
  for (const target of Object.values(foreignKeys === false ? {} : foreignKeys)) {
    if (typeof target !== 'string' || inference.named(target) !== undefined) continue;
    throw refuse(
      name,
      `the contract has no resource ${target}`,
      suggestWord(
        target,
        inference.resources.map((resource) => resource.name),
      ),
    );
  }
}

function refuse(name: string, message: string, hint: string): VouchError {
  return new VouchError('config-invalid', `mock.resources.${name} is invalid: ${message}.`, {
    hint,
  });
}
