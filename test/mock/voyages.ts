import { parseContract } from '../../src/contract/load.ts';

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (required: readonly string[], properties: object) => ({
  type: 'object',
  required,
  properties,
});

/** A success with these members, or a refusal: both have status 200. */
function responses(members: object, optional: object = {}): object {
  const success = object(['done', ...Object.keys(members)], {
    done: { type: 'boolean', const: true },
    ...members,
    ...optional,
    response_metadata: object([], { next_cursor: text }),
  });
  const schema = { oneOf: [ref('Refusal'), success] };
  return { 200: { description: 'Answer.', content: { 'application/json': { schema } } } };
}

const listOf = (name: string) => ({ type: 'array', items: ref(name) });

function query(id: string, parameters: object, answer: object, description = ''): object {
  const required = ['voyage', 'at'];
  const paged = {
    ...parameters,
    cursor: text,
    limit: { type: 'integer', minimum: 1, default: 10 },
  };
  return {
    [`/${id}`]: {
      get: {
        operationId: id,
        description,
        parameters: Object.entries(paged).map(([name, schema]) => ({
          ...{ name, in: 'query', schema },
          required: required.includes(name),
        })),
        responses: answer,
      },
    },
  };
}

function call(
  id: string,
  {
    summary = '',
    description = '',
    body,
  }: { summary?: string; description?: string; body: object },
  answer: object,
): object {
  const requestBody = { required: true, content: { 'application/json': { schema: body } } };
  return {
    [`/${id}`]: { post: { operationId: id, summary, description, requestBody, responses: answer } },
  };
}

const voyage = { voyage: text };
const schemas = {
  Refusal: object(['done', 'error'], {
    done: { type: 'boolean', const: false },
    error: { type: 'string', pattern: '^[a-z_]+$' },
  }),
  SailorId: { type: 'string', pattern: '^S[A-Z0-9]{3,6}$' },
  At: { type: 'string', pattern: '^[0-9]{10}[.][0-9]{6}$' },
  Sailor: object(['id', 'name'], { id: ref('SailorId'), name: text }),
  Voyage: object(['id', 'title', 'owner', 'goal', 'is_hidden'], {
    id: { type: 'string', pattern: '^V[A-Z0-9]{4,}$' },
    title: text,
    owner: ref('SailorId'),
    goal: object(['value'], { value: text, set_by: text }),
    is_hidden: { type: 'boolean' },
    former_titles: { type: 'array', items: text },
    num_crew: { type: 'integer', minimum: 1 },
  }),
  Entry: object(['kind', 'at', 'author', 'words'], {
    kind: { type: 'string', const: 'entry' },
    at: ref('At'),
    author: ref('SailorId'),
    words: text,
    answer_at: ref('At'),
    answer_count: { type: 'integer', description: 'Of an entry with answers.' },
    marks: {
      type: 'array',
      items: object(['sign', 'sailors', 'count'], {
        sign: text,
        sailors: { type: 'array', items: ref('SailorId') },
        count: { type: 'integer', minimum: 1 },
      }),
    },
    edited: object(['by', 'at'], { by: ref('SailorId'), at: ref('At') }),
  }),
};

const marked = object(['voyage', 'at', 'sign'], { ...voyage, at: ref('At'), sign: text });
const entry = responses({ voyage: text, at: ref('At'), entry: ref('Entry') });

/** Voyages with a crew and a log, as calls of methods. */
export const voyages = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: {
      title: 'Voyages',
      version: '1',
      description: 'Hidden voyages can be read; all other calls are refused with is_hidden.',
    },
    paths: {
      '/session.check': {
        get: {
          operationId: 'session.check',
          summary: 'Who the token belongs to',
          responses: responses({ sailor_id: ref('SailorId') }),
        },
      },
      ...query('sailors.list', {}, responses({ sailors: listOf('Sailor') })),
      ...query('voyages.list', {}, responses({ voyages: listOf('Voyage') })),
      ...query(
        'voyages.info',
        { ...voyage, include_num_crew: flag },
        responses({ voyage: ref('Voyage') }),
        '`num_crew` is shown with include_num_crew only. Errors: voyage_not_found.',
      ),
      ...call(
        'voyages.begin',
        {
          description: 'The caller becomes its only crew. Errors: title_taken.',
          body: object(['title'], { title: text, goal: text, is_hidden: flag }),
        },
        responses({ voyage: ref('Voyage') }),
      ),
      ...call(
        'voyages.rename',
        {
          summary: 'Rename a voyage',
          description:
            'The old title is put at the end of `former_titles`. Errors: voyage_not_found, ' +
            'title_taken.',
          body: object(['voyage', 'title'], { ...voyage, title: text }),
        },
        responses({ voyage: ref('Voyage') }),
      ),
      ...call(
        'voyages.setGoal',
        {
          summary: 'Set the goal of a voyage',
          body: object(['voyage', 'goal'], { ...voyage, goal: text }),
        },
        responses({ voyage: ref('Voyage') }),
      ),
      ...call(
        'voyages.hire',
        {
          summary: 'Hire sailors for a voyage',
          description:
            'All of them join the crew, or none. Errors: voyage_not_found, sailor_not_found, ' +
            'already_in_crew.',
          body: object(['voyage', 'sailors'], {
            ...voyage,
            sailors: { type: 'string', description: 'Identifiers, separated by commas.' },
          }),
        },
        responses({ voyage: ref('Voyage') }),
      ),
      ...query(
        'voyages.crew',
        voyage,
        responses({ crew: listOf('SailorId') }),
        'Identifiers of sailors, in the order in which they joined. Errors: voyage_not_found.',
      ),
      ...query(
        'voyages.log',
        { ...voyage, oldest: ref('At'), latest: ref('At'), inclusive: flag },
        responses({ entries: listOf('Entry') }),
        'Newest first, without answers. `oldest` and `latest` are left out themselves, unless ' +
          '`inclusive`. Errors: voyage_not_found.',
      ),
      ...query(
        'voyages.answers',
        { ...voyage, at: ref('At') },
        responses({ entries: listOf('Entry') }),
        'The entry that began it, then its answers, oldest first. Errors: voyage_not_found, ' +
          'answer_not_found.',
      ),
      ...call(
        'log.write',
        {
          description:
            'The repetition of a call with the same `once_id` in the voyage writes nothing. ' +
            'Errors: voyage_not_found, answer_not_found.',
          body: object(['voyage', 'words'], {
            ...voyage,
            words: { type: 'string', minLength: 1 },
            answer_at: ref('At'),
            once_id: { type: 'string', format: 'uuid' },
          }),
        },
        entry,
      ),
      ...call(
        'log.update',
        {
          summary: 'Change the words of an entry',
          description: 'Errors: voyage_not_found, entry_not_found.',
          body: object(['voyage', 'at', 'words'], { ...voyage, at: ref('At'), words: text }),
        },
        entry,
      ),
      ...call(
        'log.delete',
        {
          description:
            'Its answers are deleted with it. Errors: voyage_not_found, entry_not_found.',
          body: object(['voyage', 'at'], { ...voyage, at: ref('At') }),
        },
        responses({ voyage: text, at: ref('At') }),
      ),
      ...call(
        'marks.add',
        { description: 'Errors: entry_not_found, already_marked.', body: marked },
        responses({}),
      ),
      ...call(
        'marks.remove',
        { description: 'Errors: entry_not_found, no_mark.', body: marked },
        responses({}),
      ),
    },
    components: { schemas },
  }),
  'voyages.json',
);
