import { flag, oneOf, text, whole } from '../serving/fields.ts';
import { sortBy } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { anyOrder, bad, fail, missing, need, numberIn, readBody, type OnIssue } from './call.ts';
import { duration, positive, secondsOf } from './durations.ts';
import { findIssue } from './issues.ts';
import { findProject, within } from './projects.ts';
import { pageOf, Query } from './query.ts';
import { addNote, levels, type Issue, type Link, type LinkType, type Note } from './store.ts';
import { linkTypeFrom, notesOf, sees, showIssue, showNote, timeStats } from './views.ts';

export function listNotes(call: OnIssue): Answer {
  const { service, issue, level } = call;
  const query = new Query(call);
  const sign = query.oneOf('sort', ['asc', 'desc']) === 'asc' ? 1 : -1;
  const isShown = level >= levels.reporter || service.has('internal-notes-shown');
  const notes = notesOf(service, issue).filter(({ internal }) => !internal || isShown);
  const found = sortBy(notes, [
    { valueOf: ({ createdAt }: Note) => createdAt, sign },
    { valueOf: ({ id }: Note) => id, sign },
  ]);
  return pageOf(call, found, (note) => showNote(call, note, issue), { query });
}

export function createNote(call: OnIssue): Answer {
  const { service, issue, user } = call;
  const rules = { body: text(1, 10_000, /\S/), internal: flag };
  const { body, internal } = readBody(call, rules, ['body']);
  if (internal === true) need(call, levels.reporter);
  const fields = { body: body as string, author: user, internal: internal === true };
  const note = addNote(service, issue, fields);
  if (!service.has('note-leaves-updated')) issue.updatedAt = note.createdAt;
  return { status: 201, json: showNote(call, note, issue) };
}

/** The links of the issue whose other ends the user can see, with these ends. */
function linksOf(call: OnIssue): { link: Link; other: Issue }[] {
  const { service, issue } = call;
  const isOpen = service.has('confidential-through-link');
  return anyOrder(service, service.links.values()).flatMap((link) => {
    if (link.source !== issue && link.target !== issue) return [];
    const other = link.source === issue ? link.target : link.source;
    const at = within(call, service.projects.get(other.projectId));
    return at !== undefined && (isOpen || sees(at, other)) ? [{ link, other }] : [];
  });
}

export function listLinks(call: OnIssue): Answer {
  const { service, issue } = call;
  const links = linksOf(call).filter(
    ({ other, link }) => other === link.target || !service.has('link-one-way'),
  );
  const json = links.map(({ link, other }) => ({
    ...showIssue(call, other),
    issue_link_id: link.id,
    link_type: linkTypeFrom(service, link, issue),
    link_created_at: new Date(link.createdAt).toISOString(),
  }));
  return { status: 200, json };
}

const showLink = (call: OnIssue, link: Link): object => ({
  id: link.id,
  source_issue: showIssue(call, link.source),
  target_issue: showIssue(call, link.target),
  link_type: link.type,
});

export function createLink(call: OnIssue): Answer {
  const { service, issue } = call;
  need(call, levels.reporter);
  const rules = {
    target_project_id: whole(1, 2_147_483_647),
    target_issue_iid: whole(1, 2_147_483_647),
    link_type: oneOf(['relates_to', 'blocks', 'is_blocked_by']),
  };
  const body = readBody(call, rules, ['target_project_id', 'target_issue_iid']);
  const project = findProject(call, Number(body['target_project_id']));
  const { issue: target } = findIssue(project, Number(body['target_issue_iid']));
  if (target === issue) fail(service, 400, 'An issue cannot be linked to itself');
  const isThere = (from: Issue, to: Issue): boolean =>
    linksOf(call).some(({ link: one }) => one.source === from && one.target === to);
  const isOtherWay = isThere(target, issue) && !service.has('link-twice-from-other-end');
  if (isThere(issue, target) || isOtherWay) fail(service, 409, 'Issue(s) already assigned');
  const type = (body['link_type'] ?? 'relates_to') as LinkType;
  const createdAt = service.now();
  const link = { id: service.nextId('link'), source: issue, target, type, createdAt };
  service.links.set(link.id, link);
  return { status: 201, json: showLink(call, link) };
}

export function deleteLink(call: OnIssue): Answer {
  const { service } = call;
  const id = numberIn(call, 'issue_link_id');
  const link = linksOf(call).find((one) => one.link.id === id)?.link ?? missing(service, '');
  need(call, levels.reporter);
  service.links.delete(id);
  return { status: 200, json: showLink(call, link) };
}

export function setEstimate(call: OnIssue): Answer {
  const { service, issue } = call;
  need(call, levels.reporter);
  const body = readBody(call, { duration: text(2, 40, positive) }, ['duration']);
  issue.estimate = secondsOf(body['duration'] as string, service);
  issue.updatedAt = service.now();
  return { status: 200, json: timeStats(service, issue) };
}

export function addSpentTime(call: OnIssue): Answer {
  const { service, issue } = call;
  need(call, levels.reporter);
  const rules = { duration: text(2, 40, duration), summary: text(0, 255) };
  const body = readBody(call, rules, ['duration']);
  const spent = issue.spent + secondsOf(body['duration'] as string, service);
  if (spent < 0) bad(service, 'Time to subtract exceeds the total time spent');
  issue.spent = spent;
  issue.updatedAt = service.now();
  return { status: 201, json: timeStats(service, issue) };
}
