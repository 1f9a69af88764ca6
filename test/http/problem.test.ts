import { describe, expect, test } from 'vitest';
import { problemResponse, statusTitle } from '../../src/http/problem.ts';

const textOf = (body: Uint8Array): string => new TextDecoder().decode(body);

describe('problem details', () => {
  test('have a type, a title, the status and a description', () => {
    const { status, headers, body } = problemResponse(404, 'There is no such record.');
    expect({ status, headers, body: textOf(body) }).toMatchInlineSnapshot(`
      {
        "body": "{"type":"about:blank","title":"Not Found","status":404,
        ↳"detail":"There is no such record."}",
        "headers": [
          [
            "Content-Type",
            "application/problem+json",
          ],
        ],
        "status": 404,
      }
    `);
  });

  test('can have header fields and members, which override none of their own', () => {
    const { headers, body } = problemResponse(405, 'No.', {
      headers: [['Allow', 'GET']],
      members: { errors: [{ id: 9007199254740993n }], status: 200, title: 'Fine' },
    });
    expect(headers).toEqual([
      ['Content-Type', 'application/problem+json'],
      ['Allow', 'GET'],
    ]);
    expect(textOf(body)).toBe(
      '{"type":"about:blank","title":"Method Not Allowed","status":405,' +
        '"detail":"No.","errors":[{"id":9007199254740993}]}',
    );
  });
});

test.each([
  [200, 'OK'],
  [413, 'Content Too Large'],
  [499, 'Client Error'],
  [599, 'Server Error'],
  [999, 'Unknown Status'],
])('the title of %i is %s', (status, title) => {
  expect(statusTitle(status)).toBe(title);
});
