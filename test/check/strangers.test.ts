import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import {
  alarms,
  type Answered,
  type Call,
  findingsOf,
  type Service,
} from './fixture/inline-service.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;
const refusals = `'400': { description: bad }, '401': { description: who are you },
  '404': { description: none }, '415': { description: bad },
  '422': { description: It names a paper that the team does not have. }`;

/** Papers of teams, with a file and comments below each, links to them, and a table of all. */
const papers = parseContract(
  `openapi: 3.1.0
info: { title: Papers, version: '1', description: A paper belongs to the team that wrote it. }
servers: [{ url: / }]
security: [{ bearer: [] }]
paths:
  /papers:
    get: { operationId: listPapers, responses: { '200': { description: ok,
      ${json(`{ type: array, items: ${ref('Paper')} }`)} }, ${refusals} } }
    post: { operationId: addPaper, parameters: [{ name: Idempotency-Key, in: header, schema: {
      type: string, maxLength: 64 } }], requestBody: { required: true, ${json(ref('Paper'))} },
      responses: { '201': { description: made, ${json(ref('Paper'))} }, ${refusals} } }
  /papers/csv:
    get: { operationId: papersAsCsv, responses: { '200': { description: All papers, content: {
      text/csv: { schema: { type: string } } } }, ${refusals} } }
  /papers/{paperId}:
    parameters: [{ name: paperId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getPaper, responses: { '200': { description: ok,
      ${json(ref('Paper'))} }, ${refusals} } }
    delete: { operationId: deletePaper, responses: { '204': { description: gone }, ${refusals} } }
  /papers/{paperId}/file:
    parameters: [{ name: paperId, in: path, required: true, schema: { type: string } }]
    put: { operationId: putFile, requestBody: { required: true, content: { application/pdf: {} } },
      responses: { '204': { description: kept }, ${refusals} } }
    get: { operationId: getFile, responses: { '200': { description: ok, content: {
      application/pdf: {} } }, ${refusals} } }
  /papers/{paperId}/comments:
    parameters: [{ name: paperId, in: path, required: true, schema: { type: string } }]
    get: { operationId: listComments, responses: { '200': { description: ok,
      ${json(`{ type: array, items: ${ref('Comment')} }`)} }, ${refusals} } }
    post: { operationId: addComment, requestBody: { required: true, ${json(ref('Comment'))} },
      responses: { '201': { description: made, ${json(ref('Comment'))} }, ${refusals} } }
  /papers/{paperId}/comments/{commentId}:
    parameters: [{ name: paperId, in: path, required: true, schema: { type: string } },
      { name: commentId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getComment, responses: { '200': { description: ok,
      ${json(ref('Comment'))} }, ${refusals} } }
  /reviews:
    post: { operationId: addReview, requestBody: { required: true, ${json(ref('Review'))} },
      responses: { '201': { description: made, ${json(ref('Review'))} }, ${refusals} } }
  /reviews/{reviewId}:
    parameters: [{ name: reviewId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getReview, responses: { '200': { description: ok,
      ${json(ref('Review'))} }, ${refusals} } }
    delete: { operationId: deleteReview, responses: { '204': { description: gone }, ${refusals} } }
components:
  securitySchemes: { bearer: { type: http, scheme: bearer } }
  schemas:
    Paper: { type: object, required: [title], properties: { id: { type: string, readOnly: true },
      title: { type: string, minLength: 1, maxLength: 90, example: Report } } }
    Comment: { type: object, required: [text], properties: { id: { type: string, readOnly: true },
      text: { type: string, minLength: 1, maxLength: 90, example: Fine } } }
    Review: { type: object, required: [paperId, verdict], properties: {
      id: { type: string, readOnly: true }, paperId: { type: string, minLength: 1, maxLength: 40,
      description: The paper. }, verdict: { type: string, minLength: 1, maxLength: 90,
      example: good } } }`,
  'papers.yaml',
);

interface Quirks {
  /** What the other team reaches. */
  readonly leaks?: 'file' | 'comments' | 'adding' | 'csv' | 'references' | 'keys';
  /** What a sound service may do as well. */
  readonly style?: 'empty for others' | 'takes any reference' | 'a picture in the place of files';
}

interface Row {
  readonly id: string;
  readonly team: string;
  readonly value: Readonly<Record<string, unknown>>;
  file?: Uint8Array;
}

const teams: Readonly<Record<string, string>> = { 'Bearer tok-one': 'a', 'Bearer tok-two': 'b' };

class Papers {
  readonly #quirks: Quirks;
  readonly #rows = new Map<string, Row[]>();
  readonly #keys = new Map<string, Answered>();
  #last = 1000;

  constructor(quirks: Quirks) {
    this.#quirks = quirks;
  }

  readonly answer: Service = (call) => {
    const team = teams[call.header('authorization') ?? ''];
    if (team === undefined) return { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } };
    const [area = '', id, part] = call.path;
    if (area !== 'papers' && area !== 'reviews') return { status: 404 };
    if (area === 'papers' && id === 'csv') return this.#csv(team);
    if (id === undefined) return this.#collection(area, call, team);
    if (part === undefined) return this.#record(area, call, team);
    return part === 'file' ? this.#file(call, team) : this.#comments(call, team);
  };

  #of(area: string): Row[] {
    const rows = this.#rows.get(area) ?? [];
    this.#rows.set(area, rows);
    return rows;
  }

  #find(area: string, id: string | undefined, team: string): Row | undefined {
    return this.#of(area).find((row) => row.id === id && (team === '' || row.team === team));
  }

  #csv(team: string): Answered {
    const rows = this.#of('papers').filter(
      (row) => row.team === team || this.#quirks.leaks === 'csv',
    );
    const lines = rows.map(
      ({ id, value }) => `${id},"${String(value['title']).replaceAll('"', '""')}"`,
    );
    return {
      status: 200,
      text: ['id,title', ...lines, ''].join('\r\n'),
      headers: { 'Content-Type': 'text/csv' },
    };
  }

  #collection(area: string, call: Call, team: string): Answered {
    const rows = this.#of(area).filter((row) => row.team === team);
    if (call.method === 'GET' && area === 'papers')
      return { status: 200, json: rows.map(({ id, value }) => ({ ...value, id })) };
    if (call.method !== 'POST') return { status: 405, headers: { Allow: 'POST' } };
    const key = call.header('idempotency-key');
    if ((key?.length ?? 0) > 64) return { status: 400 };
    const whole = `${this.#quirks.leaks === 'keys' ? '' : team} ${String(key)} ${call.body}`;
    const before = key === undefined ? undefined : this.#keys.get(whole);
    const made = before ?? this.#make(area, call, team);
    if (made.status === 201) this.#keys.set(whole, made);
    return made;
  }

  #make(area: string, call: Call, team: string): Answered {
    if (call.header('content-type')?.startsWith('application/json') !== true)
      return { status: 415 };
    const value = bodyOf(call.body);
    if (value === undefined) return { status: 400 };
    const { id: _sent, ...kept } = value;
    const texts = { papers: ['title'], reviews: ['verdict', 'paperId'] }[area] ?? ['text'];
    if (!texts.every((name) => isText(kept[name]))) return { status: 400 };
    const reach = this.#quirks.leaks === 'references' ? '' : team;
    const isOpen = this.#quirks.style === 'takes any reference';
    const names = kept['paperId'];
    if (area === 'reviews' && !isOpen && this.#find('papers', String(names), reach) === undefined)
      return { status: 422 };
    const id = `${area.slice(0, 3)}_${String((this.#last += 1))}`;
    this.#of(area).push({ id, team, value: kept });
    return { status: 201, json: { ...kept, id } };
  }

  #record(area: string, call: Call, team: string): Answered {
    const row = this.#find(area, call.path[1], team);
    if (row === undefined) return { status: 404 };
    if (call.method === 'GET') return { status: 200, json: { ...row.value, id: row.id } };
    if (call.method !== 'DELETE') return { status: 405, headers: { Allow: 'GET, DELETE' } };
    this.#of(area).splice(this.#of(area).indexOf(row), 1);
    return { status: 204 };
  }

  #file({ method, path, bytes, header }: Call, team: string): Answered {
    const reach = method === 'GET' && this.#quirks.leaks === 'file' ? '' : team;
    const row = this.#find('papers', path[1], reach);
    const headers = { 'Content-Type': 'application/pdf' };
    if (method === 'GET' && row?.file === undefined)
      return this.#quirks.style === 'a picture in the place of files'
        ? { status: 200, bytes: new TextEncoder().encode('%PDF-1.7 no file'), headers }
        : { status: 404 };
    if (row === undefined) return { status: 404 };
    if (method === 'GET') return { status: 200, bytes: row.file ?? new Uint8Array(), headers };
    if (method !== 'PUT') return { status: 405, headers: { Allow: 'GET, PUT' } };
    if (header('content-type') !== 'application/pdf') return { status: 415 };
    if (bytes.length === 0) return { status: 400 };
    row.file = bytes;
    return { status: 204 };
  }

  #comments(call: Call, team: string): Answered {
    const { leaks, style } = this.#quirks;
    const isRead = call.method === 'GET';
    const isOpen = leaks === (isRead ? 'comments' : 'adding');
    const paper = this.#find('papers', call.path[1], isOpen ? '' : team);
    if (paper === undefined)
      return isRead && style === 'empty for others' && call.path[3] === undefined
        ? { status: 200, json: [] }
        : { status: 404 };
    const area = `comments of ${paper.id}`;
    const rows = this.#of(area);
    if (call.path[3] !== undefined) {
      const row = rows.find(({ id }) => id === call.path[3]);
      if (!isRead) return { status: 405, headers: { Allow: 'GET' } };
      return row === undefined
        ? { status: 404 }
        : { status: 200, json: { ...row.value, id: row.id } };
    }
    if (isRead) return { status: 200, json: rows.map(({ id, value }) => ({ ...value, id })) };
    if (call.method !== 'POST') return { status: 405, headers: { Allow: 'GET, POST' } };
    return this.#make(area, call, team);
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && [...value].length <= 90;
}

function bodyOf(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

async function check(quirks: Quirks): Promise<string[]> {
  const findings = await findingsOf(papers, new Papers(quirks).answer, {
    identities: {
      one: { token: 'tok-one' },
      two: { token: 'tok-two', sees: { 'nothing-of': 'one' } },
    },
  });
  return alarms(findings);
}

describe('a second team that sees nothing of the first one', () => {
  test.each<[string, Quirks]>([
    ['gets 404 for all of it', {}],
    ['gets an empty list below a paper', { style: 'empty for others' }],
    ['may refer to anything, as everybody may', { style: 'takes any reference' }],
    ['downloads a placeholder', { style: 'a picture in the place of files' }],
  ])('is no finding if it %s', async (_title, quirks) => {
    const found = await check(quirks);
    expect(found.filter((line) => line.includes('identity'))).toEqual([]);
  });

  test.each<[string, NonNullable<Quirks['leaks']>, RegExp]>([
    ['downloads the file of a paper', 'file', /getFile: The answer to a GET by two shows/],
    [
      'lists the comments of a paper',
      'comments',
      /listComments: The list that two gets holds the record/,
    ],
    ['comments a paper', 'adding', /addComment: The server accepted \(201\) a POST by two below/],
    ['gets the table of all papers', 'csv', /papersAsCsv: The answer to a GET by two shows/],
    ['refers to a paper', 'references', /addReview: .*a POST by two that refers to the record/],
    ['gets the paper of the same key', 'keys', /addPaper: The answer to a create by two, under/],
  ])('is a finding if it %s', async (_title, leaks, message) => {
    const found = await check({ leaks });
    expect(found.join('\n')).toMatch(message);
  });
});
