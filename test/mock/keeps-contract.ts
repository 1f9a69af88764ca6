import { expect } from 'vitest';
import type { Contract } from '../../src/contract/model.ts';
import { selectMediaType, selectResponse } from '../../src/contract/select-response.ts';
import { isJsonMediaType } from '../../src/http/media-type.ts';
import { headerValue } from '../../src/http/message.ts';
import type { Answer } from '../../src/mock/mock.ts';
import { jsonOf, textOf } from './workshop.ts';

/**
 * Holds an answer against what the contract documents for its operation and status: media type,
 * schema, required headers.
 */
export function expectKept(contract: Contract, answer: Answer): void {
  const operation = contract.operations.find(({ id }) => id === answer.operation);
  const response = operation && selectResponse(operation, answer.status);
  const type = headerValue(answer.headers, 'content-type');
  if (type !== undefined && isJsonMediaType(type) && answer.body.length > 0) jsonOf(answer);
  if (response === undefined) return;
  for (const { name, required } of response.headers)
    if (required)
      expect(
        headerValue(answer.headers, name),
        `${name} of ${answer.operation ?? ''}`,
      ).toBeDefined();
  if (response.content.length === 0 || answer.body.length === 0) return;
  const entry = selectMediaType(response.content, type ?? '');
  expect(
    entry,
    `${String(answer.status)} of ${answer.operation ?? ''} is ${type ?? 'of no type'}`,
  ).toBeDefined();
  const body = isJsonMediaType(type ?? '') ? jsonOf(answer) : textOf(answer);
  expect(entry?.schema?.validate(body, 'response') ?? []).toEqual([]);
}
