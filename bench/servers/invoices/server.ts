import { randomUUID } from 'node:crypto';
import { fields, pick, text, whole } from '../serving/fields.ts';
import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import {
  listen,
  Refused,
  type Answer,
  type ServiceRequest,
  type Handler,
  type Routes,
} from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { openService, type Service } from './account.ts';
import * as customers from './customers.ts';
import * as files from './files.ts';
import * as invoices from './invoices.ts';
import * as payments from './payments.ts';
import { admit, bodyOf, insist, requireAdmin, type Admitted } from './request.ts';

/** Starts the service for invoices on loopback. */
export function startInvoices(how: Start = {}): Promise<ServerUnderTest> {
  const service = openService(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && service.varies(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

const settingsRule = fields({ footer: text(0, 200), remindAfterDays: whole(1, 90) }, [
  'footer',
  'remindAfterDays',
]);

function getSettings(admitted: Admitted): Answer {
  requireAdmin(admitted);
  return { status: 200, json: admitted.account.settings };
}

function replaceSettings(admitted: Admitted): Answer {
  requireAdmin(admitted);
  const body = bodyOf(admitted);
  insist(settingsRule(body, 'body'));
  const settings = pick(body, ['footer', 'remindAfterDays']);
  if (!admitted.service.has('settings-lost')) admitted.account.settings = settings;
  return { status: 200, json: settings };
}

type Operation = (admitted: Admitted) => Answer | Promise<Answer>;

function routesOf(service: Service): Routes {
  const on =
    (operation: Operation): Handler =>
    async (incoming) => {
      if (service.varies('customers-of-others-appear')) addCustomer(service);
      const answer = await answerTo(() => operation(admit(incoming, service)));
      return decorate(answer, incoming, service);
    };
  return {
    '/customers': { GET: on(customers.listCustomers), POST: on(customers.createCustomer) },
    '/customers/bulk': { POST: on(customers.createInBulk) },
    '/customers/{customerId}': {
      GET: on(customers.getCustomer),
      PATCH: on(customers.updateCustomer),
      DELETE: on(customers.deleteCustomer),
    },
    '/invoices': { GET: on(invoices.listInvoices), POST: on(invoices.createInvoice) },
    '/invoices/csv': { GET: on(files.downloadCsv) },
    '/invoices/{invoiceId}': {
      GET: on(invoices.getInvoice),
      PUT: on(invoices.replaceInvoice),
      DELETE: on(invoices.deleteInvoice),
    },
    '/invoices/{invoiceId}/send': { POST: on(invoices.sendInvoice) },
    '/invoices/{invoiceId}/void': { POST: on(invoices.voidInvoice) },
    '/invoices/{invoiceId}/payments': {
      GET: on(payments.listPayments),
      POST: on(payments.recordPayment),
    },
    '/invoices/{invoiceId}/payments/{paymentId}': { GET: on(payments.getPayment) },
    '/invoices/{invoiceId}/pdf': { GET: on(files.downloadPdf) },
    '/invoices/{invoiceId}/attachment': {
      GET: on(files.downloadAttachment),
      PUT: on(files.uploadAttachment),
    },
    '/exports': { POST: on(files.startExport) },
    '/exports/{exportId}': { GET: on(files.getExport) },
    '/exports/{exportId}/result': { GET: on(files.downloadExport) },
    '/admin/settings': { GET: on(getSettings), PUT: on(replaceSettings) },
  };
}

/** Another user of the first account creates a customer. */
function addCustomer({ accounts, nextId }: Service): void {
  const [account] = accounts.values();
  const id = nextId('cus');
  const email = `${randomUUID()}@elsewhere.example`;
  const own = { name: 'Someone Else', country: 'FR', vatId: null, locale: 'fr' };
  const rest = { createdAt: new Date(), version: 1, surplus: 0 };
  account?.customers.set(id, { id, email, ...own, ...rest });
}

/** The answer of an operation, or that with which it refuses the request. */
async function answerTo(operate: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await operate();
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

function decorate(answer: Answer, incoming: ServiceRequest, { varies }: Service): Answer {
  if (answer.status >= 400 && varies('more-in-problems'))
    return {
      ...answer,
      json: {
        ...(answer.json as object),
        type: `https://errors.ledgerly.example/${String(answer.status)}`,
        instance: incoming.path,
        traceId: randomUUID(),
      },
    };
  if (!varies('nothing-cached') || incoming.method !== 'GET') return answer;
  const headers = { ...answer.headers, 'Cache-Control': 'no-store', Vary: 'Authorization' };
  return { ...answer, headers };
}
