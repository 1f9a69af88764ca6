import type {
  RecordList,
  ResourceBrief,
  ResourceList,
  ScenarioBrief,
  ScenarioList,
} from '../../src/server/console/console-api.ts';
import { addressOf, type ConsoleApp, inSession } from './app.tsx';
import { call } from './control-api.ts';
import type { Command } from './palette.tsx';
import { nameOf, recordsPath } from './parents.tsx';
import { editRecord } from './record-dialogs.tsx';
import { switchScenario } from './scenarios.tsx';

/** What the palette finds in the mock: scenarios to switch, collections, and their records. */
export async function findCommands(app: ConsoleApp): Promise<readonly Command[]> {
  const [{ scenarios }, { resources }] = await Promise.all([
    call<ScenarioList>('GET', inSession(app, '/scenarios')),
    call<ResourceList>('GET', inSession(app, '/resources')),
  ]);
  const records = resources
    .slice(0, maxCollections)
    .map((each) => findRecords(app, each, resources));
  return [
    ...scenarios.map((scenario) => switchOf(app, scenario)),
    ...resources.map(collectionOf),
    ...(await Promise.all(records)).flat(),
  ];
}

/** Of how many collections records are offered, and how many of each: the last ones. */
const maxCollections = 12;
const maxRecords = 100;

function switchOf(app: ConsoleApp, { name, description, active }: ScenarioBrief): Command {
  return {
    icon: 'scenarios',
    kind: 'Scenario',
    title: `Switch ${name} ${active ? 'off' : 'on'}`,
    more: description,
    act: async () => {
      await switchScenario(app, name, !active);
      await app.reload();
    },
  };
}

function collectionOf({ name, path }: ResourceBrief): Command {
  const act = (): void => {
    location.hash = addressOf(['records', name]);
  };
  return { icon: 'records', kind: 'Records', title: name, more: path, act };
}

async function findRecords(
  app: ConsoleApp,
  resource: ResourceBrief,
  resources: readonly ResourceBrief[],
): Promise<readonly Command[]> {
  const { name, collection, count, kind } = resource;
  if (kind === 'singleton' || name !== collection || count === null || count === 0) return [];
  const place = { app, resource, resources, parents: [] };
  const offset = String(Math.max(0, count - maxRecords));
  const path = `${recordsPath(place)}&limit=${String(maxRecords)}&offset=${offset}`;
  const { records } = await call<RecordList>('GET', path);
  return records.map((record): Command => {
    const act = (): Promise<void> => editRecord(place, record);
    const title = [name, ...record.parents, record.id].join(' ');
    return { icon: 'records', kind: 'Record', title, more: nameOf(record), act };
  });
}
