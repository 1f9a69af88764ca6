import { get } from 'node:http';

/** Waits for the answer to one GET. Rejects where its status is not 200. */
export function firstAnswer(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = get(url, { headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${url} answered ${String(response.statusCode)}.`)),
      );
    });
    sent.once('error', reject);
  });
}
