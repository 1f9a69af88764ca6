import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { plainName, singularOf } from '../../../contract/infer/infer-names.ts';
import { readAddress } from '../../../contract/infer/read-address.ts';
import type { Resource } from '../../../contract/model.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { showValue } from '../../model/phrases.ts';
import { roleOf } from '../../model/step.ts';
import type { Violation } from '../../model/violation.ts';
import { identifierOf } from '../../reading/created-record.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { linksIn } from '../../reading/record-links.ts';
import { identifierAt, listedRecords, shownRecord } from '../../reading/shown-records.ts';

/** A record in HAL that an answer shows, and the resource of which it is one. */
interface ShownRecord {
  readonly subject: CheckInput;
  readonly resource: Resource;
  readonly record: JsonObject;
}

/** What is wrong with the links and the embedded records that an answer shows. */
export function wrongShown(subject: CheckInput): Violation[] | undefined {
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  const isShown = isSuccess(subject.exchange.response?.status ?? 0);
  if (resource === undefined || !isShown) return undefined;
  if (protocolsOf(subject.contract, resource).hal === undefined) return undefined;
  const one = shownRecord(resource, subject.answer);
  const shown = listedRecords(resource, subject.answer) ?? (one === undefined ? [] : [one]);
  return shown.flatMap((record) => {
    const it = { subject, resource, record };
    return [...otherParent(it), ...otherThanSent(it), ...otherEmbedded(it)].slice(0, 1);
  });
}

/**
 * A link to the parent that leads to another one than that below which the record stands. Only
 * below records that the run made, whose identifiers no service writes in two ways.
 */
function otherParent({ subject, resource, record }: ShownRecord): Violation[] {
  const { sent, case: testCase } = subject;
  return resource.parents.flatMap(({ parameter, resource: parent }): Violation[] => {
    const given = testCase.request.arguments.find((one) => one.parameter.name === parameter);
    const isOwn = ['created', 'made', 'own'].includes(given?.source.kind ?? '');
    const expected = given && sent.arguments.get(given.parameter);
    if (parent === undefined || expected === undefined || !isOwn) return [];
    const word = singularOf(lastWord(parent.collectionPath));
    return linkedTo(record, parent, word).flatMap(({ relation, identifier }) =>
      sameIdentifier(identifier, expected)
        ? []
        : [
            {
              at: resource.record.pointer,
              message:
                `The link ${relation} of a record below ${word} ${showValue(expected)} leads to ` +
                `${word} ${showValue(identifier)}.`,
              expected: `a link to ${showValue(expected)}`,
              actual: showValue(identifier),
              cause: `link ${relation}`,
            },
          ],
    );
  });
}

/** A link of a new record that leads to another one than the request named under its name. */
function otherThanSent({ subject, resource, record }: ShownRecord): Violation[] {
  const { body } = subject.sent;
  if (roleOf(subject.contract, subject.operation)?.action !== 'create') return [];
  if (body === undefined || !isJsonObject(body)) return [];
  return Object.entries(body).flatMap(([name, value]): Violation[] => {
    const target = subject.contract.resources.find(
      (one) => typeof value === 'string' && identifierAt(one, value) !== undefined,
    );
    const expected = target && typeof value === 'string' ? identifierAt(target, value) : undefined;
    if (target === undefined || expected === undefined) return [];
    return linkedTo(record, target, name).flatMap(({ relation, identifier }) =>
      sameIdentifier(identifier, expected)
        ? []
        : [
            {
              at: resource.record.pointer,
              message:
                `The link ${relation} of a new record leads to ${showValue(identifier)}; it was ` +
                `created with ${showValue(value)}.`,
              expected: `a link to ${showValue(expected)}`,
              actual: showValue(identifier),
              cause: `link ${relation}`,
            },
          ],
    );
  });
}

/** The links of a relation with this name that lead to records of a resource. */
function linkedTo(
  record: JsonObject,
  resource: Resource,
  name: string,
): { readonly relation: string; readonly identifier: JsonValue }[] {
  return (linksIn(record) ?? [])
    .filter(({ relation }) => plainName(relation) === plainName(name))
    .flatMap(({ relation, href }) => {
      const identifier = identifierAt(resource, href);
      return identifier === undefined ? [] : [{ relation, identifier }];
    });
}

/** An embedded record that stands below another one, or fewer than the record counts. */
function otherEmbedded({ subject, resource, record }: ShownRecord): Violation[] {
  const embedded = record['_embedded'];
  const own = identifierOf(resource, subject) ?? record[resource.identifier.field];
  if (own === undefined || embedded === undefined || !isJsonObject(embedded)) return [];
  const known = protocolsOf(subject.contract, resource).hal?.embedded ?? [];
  return known.flatMap(({ relation, child }): Violation[] => {
    const parts = embedded[relation];
    if (parts === undefined || !isJsonArray(parts)) return [];
    const at = resource.record.pointer;
    const other = parts
      .map((part) => parentIn(child, part))
      .find((parent) => parent !== undefined && !sameIdentifier(parent, own));
    if (other !== undefined)
      return [
        {
          at,
          message:
            `The record ${showValue(own)} embeds one of ${relation} whose own link is below ` +
            `${showValue(other)}.`,
          expected: `only ${relation} below ${showValue(own)}`,
          actual: `one below ${other}`,
          cause: `embedded ${relation}`,
        },
      ];
    const count = resource.counts.find((one) => one.child === child && one.isExact);
    const counted = count && record[count.field];
    if (count === undefined || typeof counted !== 'number' || parts.length === 0) return [];
    return counted === parts.length || counted > fewParts
      ? []
      : [
          {
            at,
            message:
              `The record ${showValue(own)} embeds ${String(parts.length)} of ${relation}; its ` +
              `${count.field} is ${String(counted)}.`,
            expected: `${String(counted)} of ${relation}`,
            actual: String(parts.length),
            cause: `count of embedded ${relation}`,
          },
        ];
  });
}

/** A record may embed the first of many parts; of a few it has all. */
const fewParts = 3;

/** The identifier of the record below which the own link of an embedded one stands. */
function parentIn({ itemPath = '', parents }: Resource, part: JsonValue): string | undefined {
  const self = (linksIn(part) ?? []).find(({ relation }) => relation === 'self');
  const above = parents.at(-1);
  return self && above && readAddress(itemPath, self.href)?.get(above.segment);
}
