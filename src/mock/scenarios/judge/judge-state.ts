import type { Contract, Resource } from '../../../contract/model.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { JsonValue } from '../../../json/value.ts';
import { suggestWord } from '../../../nearest-word.ts';
import { exampleShelf, findShelf } from '../../records/find-shelf.ts';
import { storedRecord } from '../scenario-state.ts';
import type { ScenarioFault } from '../scenario-fault.ts';
import type { Scenario, ScenarioRecords } from '../scenario.ts';

/** What is wrong with the records that a scenario starts from. */
export function judgeState(
  state: NonNullable<Scenario['state']>,
  contract: Contract,
): ScenarioFault[] {
  return Object.entries(state).flatMap(([name, records]) => {
    const found = findShelf(name, contract.resources);
    const pointer = joinPointer('', 'state', name);
    if (found?.shelf !== undefined) return judgeRecords(records, found.resource, pointer);
    if (found !== undefined)
      return [
        {
          pointer,
          message: `Records of ${name} are kept for each of those above them.`,
          hint: `Write the path in the place of the name: ${exampleShelf(found.resource)}.`,
        },
      ];
    return [
      {
        pointer,
        message: `The contract has no resource ${name}.`,
        hint: suggestWord(
          name,
          contract.resources.map((candidate) => candidate.name),
        ),
      },
    ];
  });
}

function judgeRecords(
  { kind, records }: ScenarioRecords,
  resource: Resource,
  pointer: Pointer,
): ScenarioFault[] {
  const list = kind === 'add' ? joinPointer(pointer, 'add') : pointer;
  const seen = new Set<string>();
  return records.flatMap((record, index) =>
    judgeRecord(record, { resource, pointer: joinPointer(list, index), seen }),
  );
}

interface Place {
  readonly resource: Resource;
  readonly pointer: Pointer;
  readonly seen: Set<string>;
}

function judgeRecord(record: JsonValue, { resource, pointer, seen }: Place): ScenarioFault[] {
  const { field } = resource.identifier;
  const [issue] = resource.record.validate(record, 'response');
  if (issue !== undefined)
    return [
      {
        pointer: pointer + issue.at,
        message: `This record of ${resource.name}${issue.at === '' ? '' : `, at ${issue.at},`} ${issue.message}.`,
        hint: 'Mend the record, or the contract.',
      },
    ];
  const id = storedRecord(record, resource)?.id;
  if (id === undefined)
    return [
      {
        pointer,
        message: `This record of ${resource.name} has no ${field}, by which records are found.`,
        hint: `Give it a ${field}.`,
      },
    ];
  if (seen.has(id))
    return [
      {
        pointer: joinPointer(pointer, field),
        message: `Two records of ${resource.name} have the ${field} ${id}.`,
        hint: 'Give each record an identifier of its own.',
      },
    ];
  seen.add(id);
  return [];
}
