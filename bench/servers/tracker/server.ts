import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import { listen, type Answer, type Handler, type Routes } from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import * as activity from './activity.ts';
import { fail, type Call, type InProject, type OnIssue } from './call.ts';
import { listIssues } from './issue-list.ts';
import * as issues from './issues.ts';
import * as planning from './planning.ts';
import * as projects from './projects.ts';
import { pageOf } from './query.ts';
import { addIssue, nora, openTracker, pavel, tokens, yuki, type Service } from './store.ts';

/** Starts the tracker on loopback. */
export function startTracker(how: Start = {}): Promise<ServerUnderTest> {
  const service = openTracker(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

function routesOf(service: Service): Routes {
  const on =
    (operate: (call: Call) => Answer): Handler =>
    (incoming) => {
      service.requests += 1;
      const [website] = service.projects.values();
      const isBusy = service.varies('busy-and-verbose') && service.requests % 5 === 0;
      if (isBusy && website !== undefined)
        addIssue(service, website, { title: 'Seen in the shop', author: yuki });
      const token = incoming.headers['private-token'];
      const isOpen = service.has('no-token-empty-list') && token === undefined;
      if (isOpen && operate === projects.listProjects)
        return pageOf({ incoming, service, user: nora }, [], Object);
      const user = token === tokens.nora ? nora : token === tokens.pavel ? pavel : undefined;
      return operate({ incoming, service, user: user ?? fail(service, 401, '401 Unauthorized') });
    };
  const at = (operate: (call: InProject) => Answer): Handler =>
    on((call) => operate(projects.findProject(call, call.incoming.params['id'] ?? '')));
  const of = (operate: (call: OnIssue) => Answer): Handler =>
    at((call) => operate(issues.findIssue(call)));
  const issue = '/{id}/issues/{issue_iid}';
  const routes: Routes = {
    '': { GET: on(projects.listProjects), POST: on(projects.createProject) },
    '/{id}': { GET: at(projects.getProject) },
    '/{id}/members': { GET: at(projects.listMembers), POST: at(projects.addMember) },
    '/{id}/members/{user_id}': { DELETE: at(projects.removeMember) },
    '/{id}/labels': { GET: at(planning.listLabels), POST: at(planning.createLabel) },
    '/{id}/labels/{label_id}': { DELETE: at(planning.deleteLabel) },
    '/{id}/milestones': { GET: at(planning.listMilestones), POST: at(planning.createMilestone) },
    '/{id}/milestones/{milestone_id}': {
      GET: at(planning.getMilestone),
      PUT: at(planning.changeMilestone),
    },
    '/{id}/issues': { GET: at(listIssues), POST: at(issues.createIssue) },
    [issue]: {
      GET: of(issues.getIssue),
      PUT: of(issues.changeIssue),
      DELETE: of(issues.deleteIssue),
    },
    [`${issue}/move`]: { POST: of(issues.moveIssue) },
    [`${issue}/subscribe`]: { POST: of(issues.subscribe) },
    [`${issue}/unsubscribe`]: { POST: of(issues.unsubscribe) },
    [`${issue}/notes`]: { GET: of(activity.listNotes), POST: of(activity.createNote) },
    [`${issue}/links`]: { GET: of(activity.listLinks), POST: of(activity.createLink) },
    [`${issue}/links/{issue_link_id}`]: { DELETE: of(activity.deleteLink) },
    [`${issue}/time_estimate`]: { POST: of(activity.setEstimate) },
    [`${issue}/add_spent_time`]: { POST: of(activity.addSpentTime) },
  };
  return Object.fromEntries(
    Object.entries(routes).map(([path, methods]) => [`/api/v4/projects${path}`, methods]),
  );
}
