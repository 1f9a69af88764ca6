import { type FaultAt, makeLocator } from '../../../contract/locate.ts';
import { usage, VouchError } from '../../../errors.ts';
import type { HttpResponse } from '../../../http/message.ts';
import { problemResponse } from '../../../http/problem.ts';
import { parseYaml } from '../../../json/parse-yaml.ts';
import type { JsonValue } from '../../../json/value.ts';
import { parseScenario } from '../../../mock/scenarios/parse/parse-scenario.ts';
import type { ScenarioFault } from '../../../mock/scenarios/scenario-fault.ts';
import type { Scenario } from '../../../mock/scenarios/scenario.ts';
import type { ControlCall, ControlParts, ControlRoute } from '../../control/control-parts.ts';
import { json, readFields, readTrue, unknownName } from '../../control/fields.ts';
import { anyOf, count, exactly, list, orNull, shows, text } from '../../control/control-schemas.ts';
import type {
  SavedScenario,
  ScenarioDraft,
  ScenarioIssue,
  ScenarioSource,
} from '../console-api.ts';

const issue = exactly({ at: text, line: count, detail: text });

/** Scenarios as files: read, tried and saved. */
export const scenarioFileRoutes: readonly ControlRoute[] = [
  {
    id: 'getScenario',
    method: 'GET',
    path: '/scenarios/{name}',
    summary:
      'A scenario as its YAML, and its file; null where it is in no YAML file, or was given by ' +
      'a program',
    answers: {
      200: shows('The scenario', { name: text, yaml: orNull(text), file: orNull(text) }),
      404: 'There is no such scenario',
    },
    answer: async ({ parts, path }) => showSource(parts, path['name'] ?? ''),
  },
  {
    id: 'putScenario',
    method: 'PUT',
    path: '/scenarios/{name}',
    summary:
      'Saves a scenario: in the folder of the scenarios if there is one that can be written, ' +
      'otherwise in memory. With `before`, the YAML that was read, or null for none: only while ' +
      'that is its YAML',
    query: {
      dry: 'With true, nothing is saved: the response has what is wrong with it',
      replace: 'With true, a scenario of that name is replaced',
    },
    body: { ...anyOf({ yaml: text, before: orNull(text) }), required: ['yaml'] },
    answers: {
      200: {
        description: 'Its file; without one, `why`. With `dry`: what is wrong with it',
        schema: {
          anyOf: [
            exactly({ name: text, yaml: text, file: orNull(text), why: orNull(text) }),
            exactly({ issues: list(issue) }),
          ],
        },
      },
      409:
        'There is such a scenario, or its YAML is no longer `before`; it was left as it is, ' +
        'and the problem has its `yaml`',
    },
    answer: async (call) => putScenario(call),
  },
];

function showSource(parts: ControlParts, name: string): HttpResponse {
  const { names } = parts.mock.scenarios;
  if (!names.includes(name)) return unknownName('scenario', name, names);
  return json({ name, ...sourceOf(name, parts) });
}

/** The YAML that is kept in memory for a scenario, or otherwise that of its file. */
function sourceOf(
  name: string,
  { mock, services, scenarioDrafts }: ControlParts,
): Pick<ScenarioSource, 'yaml' | 'file'> {
  const played = mock.options.scenarios.find((scenario) => scenario.name === name);
  const draft = played && scenarioDrafts.get(played);
  if (draft !== undefined) return { yaml: draft, file: null };
  const file = isSafeName(name) ? services.scenarioFiles?.read(name) : undefined;
  return file ?? { yaml: null, file: null };
}

function putScenario({ parts, path, query, request }: ControlCall): HttpResponse {
  const name = path['name'] ?? '';
  const [isDry, replaces] = [readTrue(query, 'dry'), readTrue(query, 'replace')];
  const { yaml, before } = readBody(request.body);
  const { issues, scenario } = readDraft(name, yaml, parts);
  if (isDry) return json({ issues });
  if (scenario === undefined)
    return problemResponse(400, 'The scenario is not valid.', { members: { issues } });
  const now = sourceOf(name, parts).yaml;
  const conflict = (detail: string): HttpResponse =>
    problemResponse(409, detail, { members: { yaml: now } });
  if (!replaces && isTaken(name, parts))
    return conflict(`There is a scenario ${name} already, and it was left as it is.`);
  if (before !== undefined && before !== now)
    return conflict(`The scenario ${name} was changed meanwhile, and it was left as it is.`);
  parts.mock.putScenario(scenario);
  return json(save(scenario, yaml, parts));
}

/** What is to be saved, and what was there when it was read; undefined if that is not said. */
interface Saving {
  readonly yaml: string;
  readonly before: string | null | undefined;
}

function readBody(body: Uint8Array): Saving {
  const fields = readFields(body, ['yaml', 'before']);
  const before = fields.value('before') === null ? null : fields.text('before');
  const yaml = fields.text('yaml');
  if (yaml === undefined) throw usage('The body must have yaml.');
  return { yaml, before };
}

function isTaken(name: string, { mock, services }: ControlParts): boolean {
  return mock.scenarios.names.includes(name) || services.scenarioFiles?.read(name) !== undefined;
}

/** In a file, or otherwise in memory. */
function save(
  scenario: Scenario,
  yaml: string,
  { services, scenarioDrafts }: ControlParts,
): SavedScenario {
  const { name } = scenario;
  try {
    if (services.scenarioFiles?.folder() === undefined)
      throw usage('The mock has no folder for scenarios.');
    const file = services.scenarioFiles.write(scenario, yaml);
    return { name, yaml, file, why: null };
  } catch (error) {
    if (!(error instanceof VouchError)) throw error;
    scenarioDrafts.set(scenario, yaml);
    return { name, yaml, file: null, why: error.message };
  }
}

/** What is wrong with a scenario, which is undefined if anything is. */
interface ReadScenario extends ScenarioDraft {
  readonly scenario: Scenario | undefined;
}

function readDraft(name: string, yaml: string, parts: ControlParts): ReadScenario {
  const reading = parseYaml(yaml);
  const nameIssues = judgeName(name, parts.mock.scenarios.names);
  if (!reading.ok) {
    const { message: detail, line } = reading.problem;
    const issues = [...nameIssues, { at: '', line, detail: `This is not YAML: ${detail}.` }];
    return { issues, scenario: undefined };
  }
  const locator = makeLocator(`${name}.yaml`, yaml);
  const { scenario, faults } = judge(name, reading.value, parts);
  const issues = [
    ...nameIssues,
    ...faults.map(({ pointer, message, hint }): ScenarioIssue => ({
      at: pointer,
      line: locator.locate(pointer).line,
      detail: hint === undefined ? message : `${message} ${hint}`,
    })),
  ];
  return { issues, scenario: issues.length === 0 ? scenario : undefined };
}

function judge(
  name: string,
  value: JsonValue,
  { mock }: ControlParts,
): { readonly scenario?: Scenario; readonly faults: readonly ScenarioFault[] } {
  let first: ScenarioFault | undefined;
  const fault: FaultAt = (pointer, message, hint) => {
    first = { pointer, message, hint };
    return new VouchError('scenario-invalid', message, { hint });
  };
  try {
    const scenario = parseScenario(isSafeName(name) ? name : 'unnamed', value, fault);
    return { scenario, faults: mock.faultsOf(scenario) };
  } catch (error) {
    if (!(error instanceof VouchError) || first === undefined) throw error;
    return { faults: [first] };
  }
}

/** The device names of Windows, which no file can have there. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Whether a name is that of a file in every file system, and of none outside its folder. */
function isSafeName(name: string): boolean {
  return /^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/.test(name) && !devices.test(name);
}

/** The issue of a name, at a place that no member of a scenario has. */
function judgeName(name: string, known: readonly string[]): ScenarioIssue[] {
  const detail = faultOfName(name, known);
  return detail === undefined ? [] : [{ at: 'name', line: 1, detail }];
}

function faultOfName(name: string, known: readonly string[]): string | undefined {
  if (!isSafeName(name))
    return 'A name has 1 to 64 letters, digits, dots, hyphens and underscores: sold-out.';
  if (known.includes(name)) return undefined;
  const bare = name.replace(/(\.(ya?ml|json))+$/i, '');
  if (bare !== name) return `A name has no file extension: ${bare}.`;
  const same = known.find((each) => each.toLowerCase() === name.toLowerCase());
  return same && `There is a scenario ${same}: on macOS and Windows, both would be one file.`;
}
