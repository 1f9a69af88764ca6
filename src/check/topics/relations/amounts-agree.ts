import { valueBy, formulasIn, sumsIn, type Formula } from '../../../contract/words/read-amounts.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, defined, isJsonArray } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { roleOf, hasSuccess } from '../../model/step.ts';
import type { Made } from '../../plan/story.ts';
import { creatorDraft, isMakeable, readerOf, relationTo, Story } from '../../plan/story.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { namesMore } from '../../reading/next-page.ts';
import type { Related, RelationFaults } from '../../reading/related.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import type { Resource, Contract } from '../../../contract/model.ts';
import { takingsOf, type Taking } from '../../../contract/words/read-takings.ts';
import { joinPointer, valueAt } from '../../../json/pointer.ts';
import type { Draft } from '../../plan/draft.ts';
import { readJson } from '../../../http/media-type.ts';
import { editShown, showingPlaces, type ShowingPlace } from '../../mutants/open-bodies.ts';
import { editAnswers, editJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place, type Scene } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { jsonAt } from '../../mutants/state-edits.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { isWhole } from './part-counts.ts';

/** Amounts are the sums and products that their descriptions say. */
export const amountsAgree = check({
  id: 'amounts-agree',
  basis: 'contract',
  harm: 'results',
  rule:
    'A number that its description computes, as the sum of a field of its parts, or from other ' +
    'fields, is that; and what a record takes from a number of another one, the operation ' +
    'that undoes it gives back.',
  reason: 'A total that leaves out a line is paid as it stands.',
  example: [
    '> GET /orders/1/lines',
    '< [{"price": 5, "quantity": 2, "amount": 5}]   (price times quantity)',
  ],
  plan: [
    { at: 'stories', made: planAmounts },
    { at: 'stories alone', made: planGivenBack },
  ],
  mutants: [() => amountMutants],
  relations: { summed: otherSum, 'given-back': notGivenBack },
  inspect: otherResult,
});

function otherSum({ subject, intent, of: [list], resource }: Related): RelationFaults {
  const { contract, answer } = subject;
  const child = list && roleOf(contract, list.case.operation)?.resource;
  const [field = '', of = ''] = (intent.field ?? '').split('=');
  if (resource === undefined || child === undefined || list === undefined) return undefined;
  const values = namesMore(list)
    ? undefined
    : listedRecords(child, list.answer)?.map((record) => record[of]);
  const got = shownRecord(resource, answer)?.[field];
  if (values === undefined || values.length < 2 || !isWhole(got) || !values.every(isWhole))
    return undefined;
  const sum = values.reduce((total, value) => total + value, 0);
  if (sum === got) return [];
  return {
    message: `The ${field} of a record is ${String(got)}; the sum of ${of} is ${String(sum)}.`,
    expected: `${field} is ${String(sum)}`,
    actual: String(got),
  };
}

/** A number of another record that a record and its undoing have changed by what it asked for. */
function notGivenBack({ subject, intent, of, resource }: Related): RelationFaults {
  const { answer } = subject;
  const [part, before] = of;
  const undone = of.at(-1);
  const { field = '' } = intent;
  if (resource === undefined || before === undefined || undone === undefined) return undefined;
  const [then, now] = [before.answer, answer].map((one) => shownRecord(resource, one)?.[field]);
  const asked = isJsonObject(part?.sent.body) ? Object.values(part.sent.body).find(isWhole) : 0;
  if (!isWhole(then) || !isWhole(now) || asked === undefined) return undefined;
  if (then === now) return [];
  // Another difference is that of other clients.
  if (Math.abs(then - now) !== asked) return undefined;
  return {
    message:
      `The ${field} is ${String(now)} after ${undone.case.operation.id}; ` +
      `it was ${String(then)} before.`,
    expected: `${field} is ${String(then)}`,
    actual: `${field} is ${String(now)}`,
    operation: undone.case.operation,
    cause: `given-back ${String(of.length)}`,
  };
}

/** The first record of an answer in which a member is not what others of it give. */
function otherResult(subject: CheckInput): Violation[] | undefined {
  const { contract, operation, answer, exchange } = subject;
  const resource = roleOf(contract, operation)?.resource;
  if (resource === undefined || !hasSuccess({ exchange })) return undefined;
  const formulas = formulasIn(resource);
  if (formulas.length === 0) return undefined;
  const one = shownRecord(resource, answer);
  const shown = listedRecords(resource, answer) ?? (one === undefined ? [] : [one]);
  return formulas.flatMap((formula) => {
    const { field, terms } = formula;
    const { name } = field;
    const [wrong] = shown.filter((record) => isOther(record[name], valueBy(formula, record)));
    if (wrong === undefined) return [];
    const expected = String(valueBy(formula, wrong));
    const parts = terms.flatMap(({ factors, list }) =>
      factors.map((factor) =>
        list === undefined
          ? `its ${factor} is ${String(wrong[factor])}`
          : `the sum of ${factor} in ${list} is ${expected}`,
      ),
    );
    return {
      at: field.place.pointer,
      message: `The ${name} of a record is ${String(wrong[name])}; ${parts.join(' and ')}.`,
      expected: `${name} is ${expected}`,
      actual: String(wrong[name]),
    };
  });
}

/** Whether a value differs from what is computed by more than decimals are rounded. */
function isOther(got: JsonValue | undefined, expected: JsonValue | undefined): boolean {
  if (got === undefined || got === null || expected === undefined) return false;
  const apart = Math.abs(Number(got) - Number(expected));
  return apart > (isWhole(Number(got)) && isWhole(Number(expected)) ? 0 : 0.0101);
}

/** A record with two parts, which are listed before the sum is read. */
function planAmounts(context: PlanContext, resource: Resource): Sequence[] {
  return sumsIn(resource, context.contract.resources).flatMap(({ field, child, of, isText }) => {
    // Amounts that are written as texts may be rounded.
    if (isText) return [];
    const [read, list] = [readerOf(context, resource), draftOf(context, child.operations.list)];
    if (read === undefined || list === undefined || !isMakeable(context, child)) return [];
    const story = new Story(context, `the sum ${field.name} of ${resource.name}`);
    const made = story.make(resource);
    for (const count of ['one', 'another'])
      story.make(child, {
        of: [made],
        title: `${count} of what is summed is created`,
      });
    const title = 'what is summed is listed';
    story.step(list, { title, of: [made] });
    story.read(made, 'a read of the sum', {
      intent: relationTo(read, {
        rule: 'summed',
        of: [title],
        field: `${field.name}=${of}`,
        at: field.place.pointer,
      }),
    });
    return story.sequences();
  });
}

/** What shows that what a record takes from a number of another one is given back. */
function planGivenBack(context: PlanContext, resource: Resource): Sequence[] {
  const [taken] = takingsOf(resource, context.contract).flatMap((taking) => {
    const steps = stepsOf(context, resource, taking);
    return steps === undefined ? [] : [steps];
  });
  return taken === undefined ? [] : takenAndBack(context, taken);
}

/** An amount that other clients seldom ask for. */
const fewAsked = 3;

/** What is taken, and the requests that show it. */
interface Taken extends Omit<Taking, 'take' | 'undo' | 'amount'> {
  readonly resource: Resource;
  readonly reader: Draft;
  readonly amount: JsonObject;
  readonly take: Draft;
  readonly undo: Draft;
}

function stepsOf(context: PlanContext, resource: Resource, taking: Taking): Taken | undefined {
  const { part, target } = taking;
  const reader = readerOf(context, target);
  const body = creatorDraft(context, part)?.body;
  const [take, undo] = [taking.take, taking.undo].map(({ operation }) =>
    context.draftByOperation.get(operation),
  );
  if (reader === undefined || take === undefined || undo === undefined) return undefined;
  const asked = { [taking.amount]: fewAsked };
  const value = isJsonObject(body?.value) ? { ...body.value, ...asked } : asked;
  return isMakeable(context, part) && body?.schema?.accepts(value, 'request') === true
    ? { ...taking, resource, reader, take, undo, amount: asked }
    : undefined;
}

/** A record that takes and gives back, and one that is undone before it has taken anything. */
function takenAndBack(context: PlanContext, taking: Taken): Sequence[] {
  const { resource, part, take, undo, field } = taking;
  return [[take], []].flatMap((steps) => {
    const about = steps.length === 0 ? 'a record that has taken nothing' : 'a record that took';
    const story = new Story(context, `the ${field} after ${about}`);
    const made = story.make(resource);
    const line = story.make(part, { of: [made], value: taking.amount, title: 'a part is created' });
    const [before, undone] = [
      `a read of the ${field} before`,
      `a plain POST: ${undo.operation.id}`,
    ];
    readHeld(story, taking, { line, title: before });
    for (const step of steps)
      story.step(step, { title: `a plain POST: ${step.operation.id}`, of: [made] });
    story.step(undo, { title: undone, of: [made] });
    readHeld(story, taking, {
      line,
      title: `a read of the ${field} after it was undone`,
      of: [
        line.title,
        before,
        ...steps.map(({ operation }) => `a plain POST: ${operation.id}`),
        undone,
      ],
    });
    return story.sequences();
  });
}

interface HeldRead {
  readonly line: Made;
  readonly title: string;
  /** The steps with which it is compared. */
  readonly of?: readonly string[];
}

function readHeld(
  story: Story,
  { reader, target, member, undo, field }: Taken,
  { line, title, of }: HeldRead,
): void {
  const parameter = reader.identifier;
  story.step(parameter === undefined ? undefined : reader, {
    title,
    extra:
      parameter === undefined
        ? []
        : [
            {
              parameter,
              source: {
                kind: 'link',
                step: line.title,
                operation: line.operation.id,
                expression: `$request.body#${joinPointer('', member)}`,
                ...defined({ of: target.itemPath }),
              },
            },
          ],
    ...(of === undefined ? {} : { intent: relationTo(undo, { rule: 'given-back', of, field }) }),
  });
}

const mutant = mutantsOf('state');

interface TakingPlace extends Place {
  readonly taking: Taking;
}

/** The actions that give back what another one takes for the parts of a record. */
function undoings({ resources, inference }: Contract): TakingPlace[] {
  return resources
    .filter(({ operations }) => operations.create !== undefined)
    .flatMap((resource) => takingsOf(resource, { resources, inference }))
    .filter(
      ({ part, target }) => part.operations.create !== undefined && target.parents.length === 0,
    )
    .map((taking) => ({ operation: taking.undo.operation, taking }));
}

/** What the undoing of a record moves too much, as a multiple of what its parts ask for. */
type Excess = (wasTaken: boolean) => number;

/** Shows the numbers of other records as they are after undoings that move too much. */
function moving({ taking }: TakingPlace, excess: Excess): Plant {
  const { part, target, take, undo, member, amount, field } = taking;
  const shown = new Map(showingPlaces(target).map((place) => [place.operation, place]));
  return (service, fired) => {
    const parts = new Map<string, JsonObject[]>();
    const taken = new Set<string>();
    const moved = new Map<unknown, number>();
    const note = (record: string): void => {
      for (const line of parts.get(record) ?? []) {
        const before = moved.get(line[member]) ?? 0;
        moved.set(line[member], before + excess(taken.has(record)) * Number(line[amount]));
      }
      taken.delete(record);
    };
    return editAnswers(service, fired, {}, (response, request) => {
      const own = service.operationOf(request);
      // `/orders/7` of `/orders/7/lines`, and of `/orders/7/cancel`.
      const record = request.target.replace(/[/:][^/:]*$/, '');
      const line = own === part.operations.create ? readJson(request) : undefined;
      if (isJsonObject(line)) parts.set(record, [...(parts.get(record) ?? []), line]);
      if (own === take.operation) taken.add(record);
      if (own === undo.operation) note(record);
      const place = own && shown.get(own);
      return (
        place &&
        editJson(response, (body) =>
          editShown(body, place, (other) => {
            const more = moved.get(other[target.identifier.field]) ?? 0;
            const number = other[field];
            return more === 0 || typeof number !== 'number'
              ? undefined
              : { ...other, [field]: number + more };
          }),
        )
      );
    });
  };
}

interface SumPlace extends ShowingPlace {
  readonly field: string;
  readonly child: Resource;
  readonly of: string;
}

/** The reads of records that sum up a field of the records below them. */
function sums({ resources }: Contract): SumPlace[] {
  return resources.flatMap((resource) => {
    const { read } = resource.operations;
    return read === undefined
      ? []
      : sumsIn(resource, resources)
          .filter(({ child, isText }) => !isText && child.operations.list !== undefined)
          .map(({ field, child, of }) => ({
            operation: read,
            resource,
            field: field.name,
            child,
            of,
          }));
  });
}

/** What the last of the summed records adds; 0 without one. */
async function lastOf({ child, of }: SumPlace, { request, service }: Scene): Promise<number> {
  const target = `${request.target.split('?', 1)[0] ?? ''}/${lastWord(child.collectionPath)}`;
  const body = await jsonAt(service, { ...request, target });
  const records = child.list === undefined ? undefined : valueAt(body, child.list.records);
  const last = isJsonArray(records) ? records.at(-1) : undefined;
  const value = isJsonObject(last) ? last[of] : 0;
  return typeof value === 'number' ? value : 0;
}

interface FormulaPlace extends ShowingPlace {
  readonly formula: Formula;
}

function computed({ resources }: Contract): FormulaPlace[] {
  return resources.flatMap((resource) =>
    formulasIn(resource).flatMap((formula) =>
      showingPlaces(resource).map((place) => ({ ...place, formula })),
    ),
  );
}

/** A record whose computed member lacks the last of its parts; undefined if it is the same. */
function withoutLast(record: JsonObject, { formula }: FormulaPlace): JsonObject | undefined {
  const { field, terms } = formula;
  const last = terms.at(-1);
  const isSum = last?.list !== undefined;
  const factors = last?.factors.slice(0, -1) ?? [];
  const rest = factors.length === 0 ? [] : [{ ...last, factors }];
  const rows = isSum ? record[last.list ?? ''] : undefined;
  const held = isJsonArray(rows) ? { ...record, [last?.list ?? '']: rows.slice(0, -1) } : record;
  const value = valueBy(isSum ? formula : { field, terms: [...terms.slice(0, -1), ...rest] }, held);
  const got = record[field.name];
  return got === undefined || got === null || value === undefined || Number(got) === Number(value)
    ? undefined
    : { ...record, [field.name]: typeof got === 'string' ? String(value) : value };
}

/** Mutations of what is computed from other members, and of what is taken from a number. */
const amountMutants: readonly Mutator[] = [
  mutant('sums-without-last', {
    rule: 'A sum leaves out the last of the records that it sums up.',
    where: sums,
    says: ({ field }) => `shows ${field} without the last record`,
    body: async (body, place, scene) => {
      const less = await lastOf(place, scene);
      return editShown(body, place, (record) => {
        const sum = record[place.field];
        return less === 0 || typeof sum !== 'number'
          ? undefined
          : { ...record, [place.field]: Math.max(0, sum - less) };
      });
    },
  }),
  mutant('forgets-factor', {
    rule: 'A computed member leaves out the last of what it is computed from.',
    where: computed,
    says: ({ formula }) => `computes ${formula.field.name} without the last of its parts`,
    body: (body, place) => editShown(body, place, (record) => withoutLast(record, place)),
  }),
  mutant('gives-nothing-back', {
    rule: 'What a record took from a number of another one stays taken after it was undone.',
    where: undoings,
    says: ({ taking }) => `gives nothing back to the ${taking.field}`,
    plant: (place) => moving(place, (wasTaken) => (wasTaken ? -1 : 0)),
  }),
  mutant('gives-back-untaken', {
    rule: 'A record that has taken nothing gives back what its parts ask for.',
    where: undoings,
    says: ({ taking }) => `gives back to the ${taking.field} what was not taken`,
    plant: (place) => moving(place, (wasTaken) => (wasTaken ? 0 : 1)),
  }),
];
