import { wordsIn } from '../words-in.ts';
import { type FaultAt, faultsIn, type Locator } from '../contract/locate.ts';
import { suggestWord, VouchError } from '../errors.ts';
import { joinPointer, valueAt } from '../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import type { ArazzoDocument, SourceDescription, Workflow, WorkflowStep } from './model.ts';
import { refuseUnknownNames } from './refuse-unknown-names.ts';
import type { Components } from './read-step.ts';
import { Members, readActions, readOutputs, readParameters, readStep } from './read-step.ts';

const documentMembers = wordsIn(
  'arazzo $self info sourceDescriptions workflows components $schema',
);

/** More workflows and steps than this are a mistake, or an attack. */
const maxSteps = 10_000;

/** The parsed text of a document, and the documents that it uses. */
export interface ArazzoText {
  /** The name that places show. */
  readonly file: string;
  readonly value: JsonValue;
  readonly locator: Locator;
  readonly imports?: ReadonlyMap<string, ArazzoDocument>;
}

/**
 * Reads an Arazzo Description (versions 1.0 and 1.1) from its parsed text. Throws a VouchError
 * (`workflow-invalid`) with the place of the first error.
 */
export function readArazzo({
  file,
  value,
  locator,
  imports = new Map(),
}: ArazzoText): ArazzoDocument {
  const fault = faultsIn(locator, 'workflow-invalid');
  if (!isJsonObject(value) || !Object.hasOwn(value, 'arazzo'))
    // It may be any file that another document names: its lines are not shown.
    throw new VouchError('workflow-invalid', `${file} is not an Arazzo document.`, {
      hint: 'It begins with `arazzo: 1.0.1`.',
    });
  const members = new Members(value, '', {
    noun: 'An Arazzo document',
    known: documentMembers,
    fault,
  });
  if (!/^1\.[01]\.\d+/.test(String(members.get('arazzo'))))
    throw members.refuse(
      'arazzo',
      `The Arazzo version ${String(members.get('arazzo'))} is not supported.`,
      'Write 1.0.1 or 1.1.0.',
    );
  const info = members.get('info') ?? null;
  new Members(info, '/info', { noun: 'info', fault }).need('title');
  const shared = members.get('components') ?? {};
  if (!isJsonObject(shared)) throw members.refuse('components', 'components must be an object.');
  return {
    file,
    sources: readSources(members),
    imports,
    workflows: readWorkflows(members, { value: shared, fault }),
    locator,
    fault,
    self: members.text('$self'),
  };
}

const sourceTypes = ['openapi', 'arazzo', 'asyncapi'] as const;

function readSources(members: Members): SourceDescription[] {
  const { fault } = members;
  const sources = members.list('sourceDescriptions').map(([item, pointer]): SourceDescription => {
    const known = ['name', 'url', 'type', 'description'];
    const source = new Members(item, pointer, { noun: 'A source description', known, fault });
    const given = source.text('type') ?? 'openapi';
    const type = sourceTypes.find((one) => one === given);
    if (type === undefined)
      throw source.refuse('type', `There is no type ${given}.`, suggestWord(given, sourceTypes));
    return { name: source.need('name'), url: source.need('url'), type, pointer };
  });
  if (sources.length === 0)
    throw fault(
      '/sourceDescriptions',
      'The document has no source descriptions.',
      'Name the OpenAPI document: { name: api, url: ./openapi.yaml, type: openapi }',
    );
  refuseRepeated(sources, ({ name }) => name, { noun: 'source', fault });
  return sources;
}

function readWorkflows(members: Members, components: Components): Workflow[] {
  const { fault } = members;
  const workflows = members
    .list('workflows')
    .map(([item, pointer]) => readWorkflow(item, pointer, components));
  if (workflows.length === 0)
    throw fault('/workflows', 'The document has no workflows.', 'Add at least one workflow.');
  if (workflows.reduce((sum, { steps }) => sum + steps.length, 0) > maxSteps)
    throw fault('/workflows', `The document has more than ${String(maxSteps)} steps.`);
  refuseRepeated(workflows, ({ id }) => id, { noun: 'workflow', fault });
  refuseUnknownNames(workflows, fault);
  return workflows;
}

const workflowMembers = (
  'workflowId summary description inputs dependsOn steps successActions failureActions ' +
  'outputs parameters'
).split(' ');

function readWorkflow(value: JsonValue, pointer: string, components: Components): Workflow {
  const { fault } = components;
  const members = new Members(value, pointer, {
    noun: 'A workflow',
    known: workflowMembers,
    fault,
  });
  const id = members.need('workflowId', 'Name the workflow: workflowId: place-order');
  const defaults = {
    components,
    parameters: readParameters(members, components, false),
    onSuccess: readActions(members, 'successActions', components),
    onFailure: readActions(members, 'failureActions', components),
  };
  const steps = members.list('steps').map(([item, at]) => readStep(item, at, defaults));
  if (steps.length === 0)
    throw fault(pointer, `The workflow ${id} has no steps.`, 'Add at least one step.');
  refuseRepeated(steps, (step) => step.id, { noun: 'step', fault });
  members.text('summary');
  refuseUnknownSteps(steps, fault);
  return {
    id,
    dependsOn: members.list('dependsOn').map(([item]) => String(item)),
    steps,
    outputs: readOutputs(members),
    pointer,
    inputs: readInputs(members, components),
  };
}

/** The schema of the inputs, which may be one of the components. */
function readInputs(members: Members, { value, fault }: Components): JsonObject | undefined {
  const inputs = members.get('inputs');
  if (inputs === undefined) return undefined;
  if (!isJsonObject(inputs)) throw members.refuse('inputs', 'inputs must be a JSON Schema.');
  const { $ref } = inputs;
  if (typeof $ref !== 'string') return inputs;
  const target = $ref.startsWith('#') ? valueAt({ components: value }, $ref.slice(1)) : undefined;
  if (isJsonObject(target)) return target;
  const at = joinPointer(members.pointer, 'inputs', '$ref');
  throw fault(at, `The reference ${$ref} leads nowhere.`, 'Write #/components/inputs/NAME.');
}

function refuseRepeated<Item extends { readonly pointer: string }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  { noun, fault }: { readonly noun: string; readonly fault: FaultAt },
): void {
  const seen = new Set<string>();
  for (const item of items) {
    const name = nameOf(item);
    if (seen.has(name))
      throw fault(
        item.pointer,
        `There are two ${noun}s ${name}.`,
        'Give one of them another name.',
      );
    seen.add(name);
  }
}

/** Actions go to steps of their own workflow. */
function refuseUnknownSteps(steps: readonly WorkflowStep[], fault: FaultAt): void {
  const known = steps.map(({ id }) => id);
  for (const { onSuccess, onFailure } of steps)
    for (const { stepId, pointer } of [...onSuccess, ...onFailure])
      if (stepId !== undefined && !known.includes(stepId))
        throw fault(
          joinPointer(pointer, 'stepId'),
          `The workflow has no step ${stepId}.`,
          suggestWord(stepId, known),
        );
}
