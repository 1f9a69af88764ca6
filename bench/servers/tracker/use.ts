import type { Client, Got } from '../serving/client.ts';
import { unique } from '../serving/showing.ts';

/** What records of any kind may have. */
export interface View {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly name: string;
  readonly body: string;
  readonly state: string;
  readonly system: boolean;
  readonly subscribed: boolean;
  readonly expired: boolean;
  readonly labels: readonly string[];
  readonly assignees: readonly View[];
  readonly due_date: string | null;
  readonly closed_at: string | null;
  readonly updated_at: string;
  readonly moved_to_id: number | null;
  readonly user_notes_count: number;
  readonly open_issues_count: number;
  readonly time_estimate: number;
  readonly human_time_estimate: string | null;
  readonly task_completion_status: { readonly count: number };
  readonly link_type: string;
}

export const base = '/api/v4/projects';
/** The ids of users who are in the document. */
export const [second, third] = [7, 11];

/** A new project, and requests about it. */
export class Place {
  readonly client: Client;
  readonly id: number;

  constructor(client: Client, id: number) {
    this.client = client;
    this.id = id;
  }

  /** A project of the first user, with the second one as a member of the level. */
  static async open(client: Client, level?: number): Promise<Place> {
    const json = { name: unique('Trial') };
    const place = new Place(client, (await client.ask<View>('POST', base, { json })).body.id);
    if (level !== undefined) await place.make('/members', { user_id: second, access_level: level });
    return place;
  }

  ask<Body = View>(
    method: string,
    path = '',
    json?: object,
    { as = 'first', headers = {} } = {},
  ): Promise<Got<Body>> {
    const ask = { as, headers, ...(json === undefined ? {} : { json }) };
    return this.client.ask<Body>(method, `${base}/${String(this.id)}${path}`, ask);
  }

  async get(path = '', as = 'first'): Promise<View> {
    return (await this.ask('GET', path, undefined, { as })).body;
  }

  async list(path: string, as = 'first'): Promise<View[]> {
    const { body } = await this.ask<View[]>('GET', path, undefined, { as });
    return Array.isArray(body) ? body : [];
  }

  async make(path: string, json: object, as = 'first'): Promise<View> {
    return (await this.ask('POST', path, json, { as })).body;
  }

  /** Creates issues; the first one has the iid 1. */
  async issues(...all: readonly object[]): Promise<View[]> {
    const made: View[] = [];
    for (const fields of all) made.push(await this.make('/issues', { title: 'One', ...fields }));
    return made;
  }

  /** Changes the issue with the iid 1. */
  async put(json: object): Promise<View> {
    return (await this.ask('PUT', '/issues/1', json)).body;
  }

  /** Links the issues 1 and 2. */
  link(link_type = 'relates_to'): Promise<Got<View>> {
    const target = { target_project_id: this.id, target_issue_iid: 2 };
    return this.ask('POST', '/issues/1/links', { ...target, link_type });
  }
}
