import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import {
  listen,
  Refused,
  type Answer,
  type Handler,
  type Routes,
  type ServiceRequest,
} from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { fail, ok, Reader, type Call } from './forms.ts';
import * as records from './records.ts';
import { addElsewhere, agents, openDesk, openSession, type Service } from './store.ts';
import * as tickets from './tickets.ts';

/** Starts the ticket system on loopback. */
export function startDesk(how: Start = {}): Promise<ServerUnderTest> {
  const service = openDesk(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

const cookieOf = ({ headers }: ServiceRequest): string =>
  /(?:^|;\s*)DESKSID=([^;]*)/.exec(headers.cookie ?? '')?.[1] ?? '';

const setting = (value: string, { varies }: Service): Record<string, string> => {
  const end = varies('cookie-is-long') ? '; Max-Age=7200' : '';
  return { 'Set-Cookie': `DESKSID=${value}; Path=/; HttpOnly${end}` };
};

/** The agent of the session; refuses with 401 without one. */
function loginOf(incoming: ServiceRequest, service: Service): string {
  const { has, sessions } = service;
  const value = cookieOf(incoming);
  const isOpen =
    (has('any-cookie-accepted') && value !== '') ||
    (has('list-without-cookie') && incoming.path === '/index.php/customers');
  const login = sessions.get(value) ?? (isOpen ? 'ines' : undefined);
  return login ?? fail(service, 401, 'Please log in.');
}

function logIn(call: Call): Answer {
  const { service } = call;
  const reader = Reader.ofBody(call);
  const login = reader.text('login', Infinity, true) ?? '';
  const password = reader.text('password', Infinity, true) ?? '';
  reader.end();
  const agent = Object.hasOwn(agents, login) ? agents[login] : undefined;
  const isRight = agent?.password === password || service.has('any-password-accepted');
  if (agent === undefined || !isRight)
    return fail(service, 401, 'Login or password is wrong.', 'password');
  const headers = setting(openSession(service, login), service);
  return { ...ok({ login, name: agent.name }), headers };
}

function logOut({ incoming, service }: Call): Answer {
  if (!service.has('logout-not-done')) service.sessions.delete(cookieOf(incoming));
  return ok();
}

const showSession = ({ login }: Call): Answer => ok({ login, name: agents[login]?.name });

function routesOf(service: Service): Routes {
  const answerTo = (operate: () => Answer): Answer => {
    service.requests += 1;
    if (service.varies('tickets-of-others-appear') && service.requests % 5 === 0)
      addElsewhere(service);
    try {
      return decorate(operate(), service);
    } catch (error) {
      if (error instanceof Refused) return decorate(error.answer, service);
      throw error;
    }
  };
  const on =
    (operation: (call: Call) => Answer): Handler =>
    (incoming) =>
      answerTo(() => {
        const answer = operation({ incoming, service, login: loginOf(incoming, service) });
        if (!service.varies('cookie-renewed') || operation === logOut) return answer;
        return { ...answer, headers: setting(cookieOf(incoming), service) };
      });
  const routes: Routes = {
    '/login': { POST: (incoming) => answerTo(() => logIn({ incoming, service, login: '' })) },
    '/logout': { POST: on(logOut) },
    '/session': { GET: on(showSession) },
    '/tickets': { GET: on(tickets.listTickets), POST: on(tickets.createTicket) },
    '/tickets/{id}': { GET: on(tickets.showOne), POST: on(tickets.changeTicket) },
    '/tickets/{id}/delete': { POST: on(tickets.deleteTicket) },
    '/tickets/{id}/replies': { GET: on(tickets.listReplies), POST: on(tickets.addReply) },
    '/tickets/{id}/assign': { POST: on(tickets.assign) },
    '/tickets/{id}/close': { POST: on(tickets.close) },
    '/tickets/{id}/reopen': { POST: on(tickets.reopen) },
    '/tickets/{id}/merge': { POST: on(tickets.merge) },
    '/customers': { GET: on(records.listCustomers), POST: on(records.createCustomer) },
    '/customers/{id}': { GET: on(records.getCustomer), POST: on(records.changeCustomer) },
    '/customers/{id}/delete': { POST: on(records.deleteCustomer) },
    '/queues': { GET: on(records.listQueues), POST: on(records.createQueue) },
    '/queues/{id}': { GET: on(records.getQueue), POST: on(records.changeQueue) },
    '/queues/{id}/delete': { POST: on(records.deleteQueue) },
    '/macros': { GET: on(records.listMacros), POST: on(records.createMacro) },
    '/macros/{id}': { GET: on(records.getMacro) },
    '/macros/{id}/delete': { POST: on(records.deleteMacro) },
  };
  return Object.fromEntries(
    Object.entries(routes).map(([path, methods]) => [`/index.php${path}`, methods]),
  );
}

const decorate = (answer: Answer, { varies }: Service): Answer =>
  varies('answers-have-more')
    ? { ...answer, json: { ...(answer.json as object), took: 0.004, csrf: 'f31b' } }
    : answer;
