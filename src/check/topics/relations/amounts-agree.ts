import { valueBy, formulasIn, sumsIn } from '../../../contract/words/read-amounts.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonObject, defined, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Sequence } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { roleOf } from '../../model/step.ts';
import {
  eachMade,
  isMakeable,
  readerOf,
  relationTo,
  Story,
  creatorDraft,
  type Made,
} from '../../plan/story.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { namesMore } from '../../reading/next-page.ts';
import type { Related, RelationFault } from '../../reading/related.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import type { Resource } from '../../../contract/model.ts';
import { takingsOf, type Taking } from '../../../contract/words/read-takings.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { Draft } from '../../plan/draft.ts';

/** Amounts are the sums and products that their descriptions say. */
export const amountsAgree = check({
  id: 'amounts-agree',
  basis: 'contract',
  severity: 'error',
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
  confirm: 'again',
  plan: [
    { at: 'stories', all: planAmounts },
    { at: 'stories alone', all: planGivenBack },
  ],
  mutants: [
    async () => (await import('./amount-mutants.ts')).amountMutants,
    async () => (await import('./taking-mutants.ts')).takingMutants,
  ],
  relations: { summed: otherSum, 'given-back': notGivenBack },
  inspect: otherResult,
});

function otherSum({ subject, intent, of: [list] }: Related): RelationFault[] | undefined {
  const { contract, operation, answer } = subject;
  const resource = roleOf(contract, operation)?.resource;
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
  return [
    {
      message: `The ${field} of a record is ${String(got)}; the sum of ${of} is ${String(sum)}.`,
      expected: `${field} is ${String(sum)}`,
      actual: String(got),
    },
  ];
}

/** A number of another record that a record and its undoing have changed by what it asked for. */
function notGivenBack({ subject, intent, of }: Related): RelationFault[] | undefined {
  const { contract, operation, answer } = subject;
  const resource = roleOf(contract, operation)?.resource;
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
  return [
    {
      message:
        `The ${field} is ${String(now)} after ${undone.case.operation.id}; ` +
        `it was ${String(then)} before.`,
      expected: `${field} is ${String(then)}`,
      actual: `${field} is ${String(now)}`,
      operation: undone.case.operation,
      cause: `given-back ${String(of.length)}`,
    },
  ];
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

/** The first record of an answer in which a member is not what others of it give. */
function otherResult(subject: CheckInput): Violation[] | undefined {
  const { contract, operation, answer, exchange } = subject;
  const resource = roleOf(contract, operation)?.resource;
  if (resource === undefined || !isSuccess(exchange.response?.status ?? 0)) return undefined;
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
    return [
      {
        at: field.place.pointer,
        message: `The ${name} of a record is ${String(wrong[name])}; ${parts.join(' and ')}.`,
        expected: `${name} is ${expected}`,
        actual: String(wrong[name]),
      },
    ];
  });
}

/** Whether a value differs from what is computed by more than decimals are rounded. */
function isOther(got: JsonValue | undefined, expected: JsonValue | undefined): boolean {
  if (got === undefined || got === null || expected === undefined) return false;
  const apart = Math.abs(Number(got) - Number(expected));
  return apart > (isWhole(Number(got)) && isWhole(Number(expected)) ? 0 : 0.0101);
}

/** A record with two parts, which are listed before the sum is read. */
function planAmounts(context: PlanContext): Sequence[] {
  const { contract } = context;
  return eachMade(context).flatMap((resource) =>
    sumsIn(resource, contract.resources).flatMap(({ field, child, of, isText }) => {
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
    }),
  );
}

/** What shows that what a record takes from a number of another one is given back. */
function planGivenBack(context: PlanContext): Sequence[] {
  return eachMade(context).flatMap((resource) => {
    const [taken] = takingsOf(resource, context.contract).flatMap((taking) => {
      const steps = stepsOf(context, resource, taking);
      return steps === undefined ? [] : [steps];
    });
    return taken === undefined ? [] : takenAndBack(context, taken);
  });
}

/** An amount that other clients seldom ask for. */
const amount = 3;

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
  const asked = { [taking.amount]: amount };
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
