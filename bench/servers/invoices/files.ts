import { fields, oneOf } from '../serving/fields.ts';
import { mediaType, refuse, type Answer } from '../serving/serve.ts';
import type { Export, Invoice } from './account.ts';
import { findInvoice } from './invoices.ts';
import { once, statuses } from './list.ts';
import { money } from './money.ts';
import { bodyOf, insist, type Admitted } from './request.ts';
import { showTime, totalsOf } from './show.ts';

const columns = ['id', 'number', 'status', 'customerId', 'issuedOn', 'total', 'note'];

function csvOf(invoices: readonly Invoice[], { service }: Admitted): Answer {
  const { has, varies } = service;
  const cell = (value: string): string =>
    (/[",\r\n]/.test(value) || varies('csv-quotes-everything')) && !has('csv-not-quoted')
      ? `"${value.replaceAll('"', '""')}"`
      : value;
  const rows = invoices.map((one) => [
    one.id,
    one.number,
    one.status,
    one.customerId,
    one.issuedOn,
    money(totalsOf(one, service).total),
    one.note ?? '',
  ]);
  const lines = [...(has('csv-without-header') ? [] : [columns]), ...rows].map((row) =>
    row.map(cell).join(','),
  );
  const end = varies('csv-quotes-everything') ? '\r\n' : '\n';
  return {
    status: 200,
    headers: { 'Content-Type': 'text/csv; charset=utf-8' },
    bytes: lines.map((line) => line + end).join(''),
  };
}

export function downloadCsv(admitted: Admitted): Answer {
  const { incoming, account, service } = admitted;
  const { has } = service;
  const status = once(incoming, 'status');
  if (status !== undefined && !statuses.includes(status))
    if (!has('bad-status-filter-accepted')) refuse(400, 'status is invalid.');
  const accounts = has('other-account-in-csv') ? [...service.accounts.values()] : [account];
  const found = accounts
    .flatMap(({ invoices }) => [...invoices.values()])
    .filter((one) => status === undefined || one.status === status || has('csv-filter-ignored'));
  const first = has('csv-one-page-only') ? found.slice(0, 20) : found;
  return csvOf(has('csv-last-row-missing') ? first.slice(0, -1) : first, admitted);
}

/** A PDF of one empty page whose title is the number of the invoice. */
function pdfOf(number: string, isDated: boolean): string {
  const dated = isDated ? `/CreationDate (D:${String(Date.now())})` : '';
  return [
    '%PDF-1.4',
    '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
    '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
    '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]>> endobj',
    `4 0 obj <</Title (Invoice ${number}) ${dated}>> endobj`,
    'trailer <</Root 1 0 R /Info 4 0 R>>',
    '%%EOF\n',
  ].join('\n');
}

export function downloadPdf(admitted: Admitted): Answer {
  const { has, varies } = admitted.service;
  const { number } = findInvoice(admitted);
  const isHtml = has('pdf-is-html');
  return {
    status: 200,
    headers: {
      'Content-Type': isHtml ? 'text/html' : 'application/pdf',
      'Content-Disposition': `attachment; filename="${number}.pdf"`,
    },
    bytes: has('pdf-empty')
      ? ''
      : isHtml
        ? `<h1>Invoice ${number}</h1>`
        : pdfOf(number, varies('pdf-differs-each-time')),
  };
}

export function uploadAttachment(admitted: Admitted): Answer {
  const { incoming, account, service } = admitted;
  const { has } = service;
  const { id } = findInvoice(admitted);
  if (incoming.bytes.length === 0) refuse(400, 'A body is required.');
  const type = mediaType(incoming);
  if (!['application/pdf', 'image/png', 'application/octet-stream'].includes(type))
    refuse(415, 'The body must be a PDF, a PNG or application/octet-stream.');
  const bytes = has('attachment-as-text')
    ? Buffer.from(incoming.bytes.toString('utf8'), 'utf8')
    : has('attachment-cut')
      ? incoming.bytes.subarray(0, 1_000)
      : incoming.bytes;
  const key = has('attachment-shared') ? 'shared' : id;
  if (has('attachment-not-replaced') && account.attachments.has(key)) return { status: 204 };
  const kept = has('attachment-type-lost') ? 'application/octet-stream' : type;
  account.attachments.set(key, { type: kept, bytes });
  return { status: 204 };
}

export function downloadAttachment(admitted: Admitted): Answer {
  const { account, service } = admitted;
  const isShared = service.has('other-account-downloads');
  const { id } = findInvoice(admitted, isShared);
  const places = isShared ? [...service.accounts.values()] : [account];
  const key = service.has('attachment-shared') ? 'shared' : id;
  const file = places.map((one) => one.attachments.get(key)).find((one) => one !== undefined);
  if (file === undefined) return refuse(404, 'The invoice has no attachment.');
  return { status: 200, headers: { 'Content-Type': file.type }, bytes: file.bytes };
}

function stateOf(job: Export, { service: { has, varies } }: Admitted): string {
  const age = Date.now() - job.startedAt;
  if (has('job-never-ends')) return 'running';
  if (varies('export-is-quick')) return job.reads === 0 ? 'pending' : 'done';
  const scale = varies('export-is-slow') ? 10 : 1;
  if (has('job-goes-back') && job.reads % 2 === 0 && age >= 100) return 'running';
  return age < 40 * scale ? 'pending' : age < 100 * scale ? 'running' : 'done';
}

function showExport(job: Export, admitted: Admitted): object {
  const { service, base } = admitted;
  const status = stateOf(job, admitted);
  const surplus = service.has('job-rows-wrong') ? 1 : 0;
  return {
    id: job.id,
    status,
    ...(status === 'done'
      ? {
          rows: job.invoices.length + surplus,
          resultHref: `${base}/exports/${job.id}/result`,
        }
      : {}),
    createdAt: showTime(new Date(job.startedAt), service),
  };
}

export function startExport(admitted: Admitted): Answer {
  const { account, service, base } = admitted;
  const { has } = service;
  const body = bodyOf(admitted);
  insist(fields({ status: oneOf(statuses) }, [])(body, 'body'));
  const { status } = body as { status?: string };
  const job: Export = {
    id: service.nextId('exp'),
    startedAt: Date.now(),
    invoices: [...account.invoices.values()]
      .filter((one) => status === undefined || one.status === status || has('job-filter-ignored'))
      .map((one) => ({ ...one, payments: [...one.payments] })),
    reads: 0,
  };
  account.exports.set(job.id, job);
  const place = has('job-location-broken') ? 'export' : 'exports';
  return {
    status: has('export-answers-200') ? 200 : 202,
    headers: {
      ...(has('job-location-missing') ? {} : { Location: `${base}/${place}/${job.id}` }),
      'Retry-After': '1',
    },
    json: showExport(job, admitted),
  };
}

function findExport({ incoming, account }: Admitted): Export {
  return (
    account.exports.get(incoming.params['exportId'] ?? '') ??
    refuse(404, 'The account has no such export.')
  );
}

export function getExport(admitted: Admitted): Answer {
  const job = findExport(admitted);
  job.reads += 1;
  return { status: 200, json: showExport(job, admitted) };
}

export function downloadExport(admitted: Admitted): Answer {
  const job = findExport(admitted);
  const { has } = admitted.service;
  if (stateOf(job, admitted) !== 'done' || has('job-result-missing'))
    return refuse(404, 'The export has no result.');
  return csvOf(has('job-result-empty') ? [] : job.invoices, admitted);
}
