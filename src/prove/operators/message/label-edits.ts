import { withHeader, withoutHeader } from '../../../http/message.ts';
import { withBytes } from '../../edit-answer.ts';
import { whereBodies, hasBody, encode, type MessageEdit } from './message-edit.ts';

/** Bodies that are not what the header says. */
export const labelEdits: readonly MessageEdit[] = [
  {
    id: 'html-page',
    family: 'header',
    rule: 'An answer is a page of HTML.',
    words: 'answers with a page of HTML',
    where: whereBodies,
    edit: (response) =>
      withBytes(
        { ...response, headers: withHeader(response.headers, 'Content-Type', 'text/html') },
        encode('<!doctype html><title>Welcome</title>'),
      ),
  },
  {
    id: 'wrong-media-type',
    family: 'header',
    rule: 'An answer says that its JSON is plain text.',
    words: 'answers with JSON labelled text/plain',
    where: whereBodies,
    edit: (response) => ({
      ...response,
      headers: withHeader(response.headers, 'Content-Type', 'text/plain'),
    }),
  },
  {
    id: 'no-media-type',
    family: 'header',
    rule: 'An answer does not say what its body is.',
    words: 'answers without Content-Type',
    where: whereBodies,
    edit: (response) =>
      hasBody(response)
        ? { ...response, headers: withoutHeader(response.headers, 'content-type') }
        : undefined,
  },
  {
    id: 'lying-encoding',
    family: 'transport',
    rule: 'An answer says that its body is gzip, and it is not.',
    words: 'answers with a Content-Encoding that lies',
    where: whereBodies,
    edit: (response) => ({
      ...response,
      headers: withHeader(response.headers, 'Content-Encoding', 'gzip'),
    }),
  },
];
