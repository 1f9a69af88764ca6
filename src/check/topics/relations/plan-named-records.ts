import { singularOf } from '../../../contract/infer/infer-names.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import type { Resource } from '../../../contract/model.ts';
import { unknownCode } from '../../../contract/words/error-codes.ts';
import { descriptionOf, factIn, operationTexts } from '../../../contract/words/facts.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { objectOf } from '../../../json/value.ts';
import { isSafe } from '../../model/step.ts';
import type { Intent, Sequence } from '../../model/case.ts';
import type { Source } from '../../model/request-template.ts';
import type { Draft, DraftBody } from '../../plan/draft.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { isMakeable, type Made, relationTo, Story } from '../../plan/story.ts';

/** An operation on a record that names records of another kind: `channels.invite` with `users`. */
interface Naming {
  readonly draft: Draft;
  readonly body: DraftBody;
  readonly field: string;
  /** The resource of the record that it acts on. */
  readonly resource: Resource;
  /** The list of the records that it names. */
  readonly list: Draft;
  readonly named: Resource;
  readonly code: string;
}

/**
 * Operations that name records of another kind, and have a code for one that does not exist: known
 * ones, an unknown one, and both together, which changes nothing.
 */
export function planNamedRecords(context: PlanContext): Sequence[] {
  return context.drafts
    .flatMap((draft) => namingsOf(context, draft))
    .flatMap((naming) => withNames(context, naming));
}

function namingsOf(context: PlanContext, draft: Draft): Naming[] {
  const { operation, body, names, role } = draft;
  const resource = names.at(-1)?.resource;
  if (isSafe(operation) || resource === undefined || body?.schema === undefined) return [];
  if (role?.action === 'create' || !isMakeable(context, resource)) return [];
  return [...body.schema.flatten().properties.keys()].flatMap((field): Naming[] => {
    const code = unknownCode(operation, field)?.code;
    const named = code === undefined ? undefined : calledAfter(context, field);
    const list = named && draftOf(context, named.operations.list);
    if (code === undefined || list === undefined || named === undefined) return [];
    if (named.collection === resource.collection) return [];
    return [{ draft, body, field, resource, list, named, code }];
  });
}

/** The resource whose records a member is called after, in the singular or plural. */
function calledAfter({ contract }: PlanContext, field: string): Resource | undefined {
  const noun = singularOf(field.replace(/_?ids?$/i, ''));
  return contract.resources.find(
    ({ kind, parents, collectionPath, list }) =>
      kind === 'collection' &&
      parents.length === 0 &&
      list?.form === 'array' &&
      singularOf(lastWord(collectionPath)) === noun,
  );
}

const listed = 'a list of the records to name';
const first = 'a request that names a listed record';
const both = 'a request that names two listed records';

/** The most reads of a record that may show what it was given. */
const maxReads = 3;

function withNames(context: PlanContext, naming: Naming): Sequence[] {
  const { draft, body, field, resource, list, code } = naming;
  const unknown = unknownIn(naming);
  if (unknown === undefined) return [];
  const story = new Story(context, `${field} of ${draft.operation.id}`);
  story.step(list, { title: listed });
  const made = story.make(resource);
  const act = (title: string, names: readonly Source[], intent?: Intent): void => {
    const source = written(naming, names);
    story.step(draft, {
      title,
      of: [made],
      value: { ...objectOf(body.value), [field]: unknown },
      fills: [{ at: joinPointer('', field), source }],
      intent: intent ?? { kind: 'valid', rigour: 'invented', at: draft.operation.pointer },
      optional: true,
    });
  };
  const refused = relationTo(draft, { rule: 'refused', of: [first] });
  const nothing: Source = { kind: 'value', value: unknown, like: naming.named.name };
  act(first, [nameAt(naming, 1)]);
  if (isArray(naming.body, naming.field) || isJoined(naming.body, naming.field)) {
    const after = 'after a request that names one';
    readAll(context, story, { made, when: after });
    act(
      'a request that names a listed record and an unknown one',
      [nameAt(naming, 2), nothing],
      refused,
    );
    const isStated = factIn(operationTexts(draft.operation), 'all-or-nothing') !== undefined;
    readAll(context, story, {
      made,
      when: `after a request that is refused with ${code}`,
      rule: 'none-named',
      of: (read) => [first, `${read} ${after}`],
      field,
      isDoubtful: !isStated,
    });
    act(both, [nameAt(naming, 2), nameAt(naming, 3)]);
    readAll(context, story, {
      made,
      when: 'after a request that names two',
      rule: 'all-named',
      of: (read) => [first, `${read} ${after}`, both],
      field,
    });
  }
  act('a request that names an unknown record', [nothing], refused);
  return story.sequences();
}

interface Reading {
  readonly made: Made;
  readonly when: string;
  readonly rule?: 'none-named' | 'all-named';
  /** The steps that the reading is compared with, for the name of a read. */
  readonly of?: (read: string) => readonly string[];
  readonly field?: string;
  readonly isDoubtful?: boolean;
}

/** Reads a record, and the lists below it. */
function readAll(context: PlanContext, story: Story, reading: Reading): void {
  const { made, when, rule, of, field = '', isDoubtful } = reading;
  const reads = context.drafts.filter(
    ({ operation, names, invented }) =>
      operation.method === 'GET' &&
      !invented &&
      names.at(-1)?.resource.collection === made.resource.collection,
  );
  for (const read of reads.slice(0, maxReads)) {
    const title = `${read.operation.id} ${when}`;
    story.step(read, {
      title,
      of: [made],
      optional: true,
      intent:
        rule === undefined || of === undefined
          ? undefined
          : relationTo(read, {
              rule,
              of: of(read.operation.id),
              field,
              ...(isDoubtful === true ? { doubtful: true } : {}),
            }),
    });
  }
}

/** The identifier of the record at a place of the list. */
function nameAt({ list, named }: Naming, at: number): Source {
  const place = `${named.list?.records ?? ''}/${String(at)}/${named.identifier.field}`;
  const expression = `$response.body#${place}`;
  return { kind: 'link', operation: list.operation.id, expression, step: listed };
}

/** The texts that stand for no record, in the forms that schemas ask for. */
function unknownIn({ body, field }: Naming): string | undefined {
  const plain = objectOf(body.value);
  const usual = plain[field];
  const texts = ['missing-918273', 'missing918273', 'MISSING918273', '918273645546372'];
  const longer = typeof usual === 'string' ? texts.map((text) => `${usual}${text}`) : [];
  const forms = [...texts, '5f0c9f3e-7d1b-4c55-a1d2-9b0e6f3a8c47', ...longer];
  return forms.find((text) =>
    body.schema?.accepts({ ...plain, [field]: isArray(body, field) ? [text] : text }, 'request'),
  );
}

function isArray({ schema }: DraftBody, field: string): boolean {
  const place = schema?.flatten().properties.get(field);
  return place !== undefined && schema?.flatten(place).types.includes('array') === true;
}

/** Whether a text has commas between names: as it is described, or by its pattern. */
function isJoined({ schema, value }: DraftBody, field: string): boolean {
  const plain = objectOf(value);
  const place = schema?.flatten().properties.get(field);
  const takes = (text: string): boolean =>
    schema?.accepts({ ...plain, [field]: text }, 'request') === true;
  const usual = String(plain[field]);
  const isTold = place !== undefined && descriptionOf(place).includes('comma');
  return takes(`${usual},${usual}`) && (isTold || !takes(`${usual};${usual}`));
}

function written({ body, field }: Naming, names: readonly Source[]): Source {
  const [only, ...others] = names;
  if (isArray(body, field)) return { kind: 'list', of: names };
  return only !== undefined && others.length === 0 ? only : { kind: 'list', of: names, joint: ',' };
}
