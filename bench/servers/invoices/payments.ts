import { fields, oneOf, orNull, text } from '../serving/fields.ts';
import { refuse, type Answer } from '../serving/serve.ts';
import type { Payment } from './account.ts';
import { findInvoice, missingPayment } from './invoices.ts';
import { cents } from './money.ts';
import { bodyOf, insist, onceByKey, type Admitted } from './request.ts';
import { showPayment, totalsOf } from './show.ts';

const rule = fields(
  {
    amount: text(4, 13, /^(0|[1-9]\d{0,9})\.\d{2}$/),
    method: oneOf(['transfer', 'card', 'cash']),
    reference: orNull(text(0, 100)),
  },
  ['amount'],
);

export function recordPayment(admitted: Admitted): Promise<Answer> {
  const { service, base } = admitted;
  const { has } = service;
  const invoice = findInvoice(admitted, has('other-account-pays'));
  const body = bodyOf(admitted);
  return onceByKey(admitted, () => {
    insist(rule(body, 'body'));
    const { amount, method, reference } = body as Record<string, string | undefined>;
    if (amount === undefined || cents(amount) === 0n) return refuse(422, 'amount must exceed 0.');
    const takes =
      invoice.status === 'sent' || (invoice.status === 'draft' && has('pay-draft-accepted'));
    if (!takes) return refuse(409, `The invoice is ${invoice.status}.`);
    const { total, paid } = totalsOf(invoice, service);
    if (cents(amount) > total - paid && !has('overpayment-accepted'))
      return refuse(422, 'amount exceeds the balance.');
    const payment: Payment = {
      id: service.nextId('pay'),
      amount,
      ...(has('default-method-missing') && method === undefined
        ? {}
        : { method: method ?? 'transfer' }),
      reference: reference ?? null,
      createdAt: new Date(),
    };
    invoice.payments.push(payment);
    invoice.version += 1;
    if (cents(amount) >= total - paid && !has('never-paid')) invoice.status = 'paid';
    const Location = `${base}/invoices/${invoice.id}/payments/${payment.id}`;
    const json = showPayment(payment, invoice, admitted);
    return { status: 201, headers: { Location }, json };
  });
}

export function listPayments(admitted: Admitted): Answer {
  const { incoming, account, service } = admitted;
  const { has } = service;
  const isKnown = account.invoices.has(incoming.params['invoiceId'] ?? '');
  if (!isKnown && has('payments-of-unknown-invoice'))
    return { status: 200, json: { data: [], totalCount: 0 } };
  const invoice = findInvoice(admitted);
  const shown = has('payments-of-all') ? [...account.invoices.values()] : [invoice];
  const data = shown.flatMap((one) =>
    one.payments.map((payment) => showPayment(payment, one, admitted)),
  );
  const surplus = has('payment-count-wrong') && data.length > 0 ? 1 : 0;
  return { status: 200, json: { data, totalCount: data.length + surplus } };
}

export function getPayment(admitted: Admitted): Answer {
  const { incoming, account, service } = admitted;
  const invoice = findInvoice(admitted);
  const places = service.has('payment-below-other-invoice')
    ? [...account.invoices.values()]
    : [invoice];
  for (const place of places) {
    const payment = place.payments.find(({ id }) => id === incoming.params['paymentId']);
    if (payment !== undefined) return { status: 200, json: showPayment(payment, place, admitted) };
  }
  return missingPayment(admitted);
}
