import {
  collectionsOf,
  isLogin,
  isTokenScheme,
  passwordMember,
} from '../../../contract/infer/infer-logins.ts';
import type { Operation } from '../../../contract/model.ts';
import { isSecured } from '../../../contract/model/operation.ts';
import { operationSays } from '../../../contract/words/facts.ts';
import { isLogout } from '../../../contract/words/read-logout.ts';
import { isRefusal, isSuccess } from '../../../http/message.ts';
import { isJsonObject, type JsonObject, mapMembers } from '../../../json/value.ts';
import { makeCase, type Sequence } from '../../model/case.ts';
import { bodyOf } from '../../plan/draft.ts';
import { withoutKey } from '../../plan/mark-body.ts';
import { hasBody } from '../../plan/make-create.ts';
import { exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import { Story } from '../../plan/story.ts';
import { notRefused, type Related, type RelationFaults } from '../../reading/related.ts';
import { securityPointer } from '../../reading/security-pointer.ts';
import { check } from '../check.ts';

/** A login knows the password of a user, and a logout ends what the login began. */
export const sessionHolds = check({
  id: 'session-holds',
  basis: 'contract',
  harm: 'data',
  rule:
    'A login refuses a user with another password than the one that it accepts, and after a ' +
    'logout the credential that the login handed out gets 401.',
  reason: 'Otherwise a name is enough to get in, and a session that its user ended stays open.',
  example: ['> POST /login', '> {"username": "ann", "password": "not hers"}', '< 200 OK'],
  traits: ['state', 'credentials'],
  plan: [{ at: 'identities', all: planSession }],
  relations: { 'password-refused': isLetIn, 'session-ended': isOpenStill },
});

/** Another password, where the service refuses a user that it does not know. */
function isLetIn(related: Related): RelationFaults {
  const unknown = related.subject.earlier.find((step) => step.case.title === stranger);
  // A service that lets everybody in, such as a mock, has no passwords.
  return isRefusal(unknown?.exchange.response?.status ?? 0) ? notRefused(related) : undefined;
}

function isOpenStill({ subject, of: [login, , logout], status }: Related): RelationFaults {
  if (!isSuccess(status)) return [];
  const [opening, ending] = [login, logout].map((step) => step?.case.operation.id ?? '');
  const message =
    `The server answered ${String(status)} to a request with the credential of a session that ` +
    `${opening ?? ''} began, after ${ending ?? ''} ended it.`;
  const at = securityPointer(subject.contract, subject.operation);
  return { at, message, expected: '401', actual: String(status), cause: 'still open' };
}

const [opened, asked] = ['a login', 'a read in the session of the login'];
const [ended, stranger] = ['the session of the login ends', 'a login of a user that is made up'];

/**
 * A login with what the contract or the user says, a logout of that session alone, and a login with
 * another password: one in a run, so that no account is locked.
 */
function planSession(context: PlanContext): Sequence[] {
  const isCollection = collectionsOf(context.contract.operations);
  const login = context.drafts
    .filter(hasBody)
    .find(({ operation }) => isLogin(operation, isCollection) && !isSecured(operation));
  const planned = login?.body.value ?? null;
  const member = login && passwordMember(login.operation);
  if (login === undefined || member === undefined || !isJsonObject(planned)) return [];
  const value: JsonObject = mapMembers(planned, (text) =>
    typeof text === 'string' ? withoutKey(text) : text,
  );
  const password = value[member];
  if (typeof password !== 'string' || password === '') return [];
  const story = new Story(context, 'a session');
  const open = exoticAt(login.operation.pointer);
  story.step(login, { title: opened, body: bodyOf(login.body, value), intent: open });
  endSession(story, context);
  story.step(login, { title: stranger, intent: open });
  const end = password.endsWith('x') ? 'y' : 'x';
  const wrong = { ...value, [member]: `${password.slice(0, -1)}${end}` };
  story.step(login, {
    title: 'a login with another password',
    body: bodyOf(login.body, wrong),
    more: { session: opened },
    optional: true,
    relation: { rule: 'password-refused', of: [opened], field: member },
  });
  return story.sequences();
}

/** A read in the session, its end, and the same read. */
function endSession(story: Story, { contract, drafts, isHeldBack }: PlanContext): void {
  const read = drafts.find(
    ({ operation, names }) =>
      operation.method === 'GET' && names.length === 0 && takesToken(operation),
  );
  const logout = contract.operations.find(
    (operation) => isLogout(operation) && takesToken(operation) && isHeldBack(operation),
  );
  if (read === undefined || logout === undefined) return;
  const step = { optional: true, more: { session: opened } } as const;
  story.step(read, { ...step, title: asked, intent: exoticAt(read.operation.pointer) });
  const request = { arguments: [], credential: 'given', session: opened } as const;
  const parts = { phase: 'sequence', operation: logout, request, optional: true } as const;
  const intent = exoticAt(logout.pointer);
  story.add(makeCase({ ...parts, title: ended, intent }), intent);
  story.step(read, {
    ...step,
    title: 'a read after the session has ended',
    relation: {
      rule: 'session-ended',
      of: [opened, asked, ended],
      ...(operationSays(logout, 'ends-session') ? {} : { doubtful: true }),
    },
  });
}

/** Whether an operation takes what a login hands out, and nothing besides. */
function takesToken({ security }: Operation): boolean {
  const needed = security.filter(({ length }) => length === 1).flat();
  return needed.some(({ scheme }) => isTokenScheme(scheme));
}
