import { withHeader } from '../../../http/message.ts';
import { withJson } from '../../edit-answer.ts';
import { whereBodies, reads, whereUndocumented, type MessageEdit } from './message-edit.ts';

/** Successes with the wrong status. */
export const statusEdits: readonly MessageEdit[] = [
  {
    id: 'undocumented-success',
    family: 'status',
    rule: 'A success has a status that the contract does not name.',
    words: 'answers 203',
    where: whereUndocumented(203),
    edit: (response) => ({ ...response, status: 203 }),
  },
  {
    id: 'accepted-for-done',
    family: 'status',
    rule: 'A success is answered 202 where the contract says otherwise.',
    words: 'answers 202',
    where: whereUndocumented(202),
    edit: (response) => ({ ...response, status: 202 }),
  },
  {
    id: 'server-error',
    family: 'status',
    rule: 'An operation answers 500.',
    words: 'answers 500',
    where: reads,
    edit: (response) => ({ ...response, status: 500 }),
  },
  {
    id: 'redirects',
    family: 'status',
    rule: 'An operation sends its clients elsewhere.',
    words: 'answers 302',
    where: whereUndocumented(302),
    edit: (response) => ({
      ...response,
      status: 302,
      headers: withHeader(response.headers, 'Location', 'https://login.example/'),
    }),
  },
  {
    id: 'says-gone',
    family: 'status',
    rule: 'An operation answers 410 to a valid request.',
    words: 'answers 410',
    where: (contract) =>
      whereUndocumented(410)(contract).filter(({ operation }) => operation.method === 'GET'),
    edit: (response) => ({ ...response, status: 410 }),
  },
  {
    id: 'error-in-success',
    family: 'status',
    rule: 'An operation answers 200 with an error in the body.',
    words: 'answers 200 with an error',
    where: whereBodies,
    edit: (response) =>
      withJson(response, { error: { code: 500, message: 'Something went wrong.' } }),
  },
];
