import type { Contract, Operation } from '../../contract/model.ts';
import { VouchError } from '../../errors.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { suggestWord } from '../../nearest-word.ts';
import { describeIssue } from '../errors/describe-issue.ts';
import type { Assumption } from '../model/reply.ts';
import { fieldsOf } from '../records/schema-fields.ts';
import { planAnswer } from './plan-answer.ts';
import { chooseSuccessStatus } from './plan-operations.ts';

/**
 * Throws a VouchError ('config-invalid') where something is assumed that the contract rules out, or
 * of which it knows nothing.
 */
export function checkAssumptions(assumptions: readonly Assumption[], contract: Contract): void {
  for (const assumption of assumptions) {
    const operation = contract.operations.find(({ id }) => id === assumption.operation);
    if (operation === undefined) {
      throw refuse(
        assumption,
        'the contract has no such operation.',
        suggestWord(
          assumption.operation,
          contract.operations.map(({ id }) => id),
        ),
      );
    }
    checkAnswer(assumption, operation);
    checkDefaults(assumption, operation);
  }
}

function checkAnswer(assumption: Assumption, operation: Operation): void {
  const status = chooseSuccessStatus(operation, undefined, assumption.status);
  const { response, contents } = planAnswer(operation, status);
  if (assumption.status !== undefined && (response === undefined || status < 200 || status > 399)) {
    throw refuse(
      assumption,
      `the status ${String(status)} is no success that the contract documents.`,
      `It documents ${operation.responses.map((each) => each.status).join(', ') || 'none'}.`,
    );
  }
  const { body } = assumption;
  if (body === undefined) return;
  const schema = contents.find(({ mediaType }) => isJsonMediaType(mediaType))?.schema;
  const [issue] = schema?.validate(body, 'response') ?? [];
  if (issue !== undefined)
    throw refuse(
      assumption,
      describeIssue(issue, body, { place: 'body', name: '' }).message,
      'Assume a body that the contract allows.',
    );
}

function checkDefaults(assumption: Assumption, operation: Operation): void {
  const schema = operation.requestBody?.content.find((entry) => entry.schema !== undefined)?.schema;
  const fields = schema === undefined ? new Map<string, never>() : fieldsOf(schema);
  for (const [name, value] of Object.entries(assumption.default ?? {})) {
    const field = fields.get(name);
    if (field === undefined)
      throw refuse(
        assumption,
        `its request has no field ${name}.`,
        suggestWord(name, [...fields.keys()]),
      );
    const [issue] = field.schema.validate(value, 'request');
    if (issue !== undefined)
      throw refuse(
        assumption,
        `${name} ${issue.message}.`,
        'Assume a value that the contract allows.',
      );
  }
}

function refuse({ operation }: Assumption, message: string, hint: string): VouchError {
  return new VouchError('config-invalid', `What is assumed of ${operation} cannot be: ${message}`, {
    hint,
  });
}
