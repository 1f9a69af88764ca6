import { Session, type Profiler } from 'node:inspector';
import { connect } from 'node:net';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startMock } from '../../src/library/start-mock.ts';

/**
 * Names the modules under `src/` of which a function runs between the arrival of the first
 * `POST /pets` and the end of its response: how much a newcomer has to read to follow one request.
 */
async function main(): Promise<void> {
  const mock = await startMock({ demo: true, config: false });
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const { hostname, port, pathname } = new URL(mock.url);
  // Whatever ran while the mock started is taken here, so that it is not counted below.
  takeCoverage(session);
  const answer = await exchange(hostname, Number(port), pathname.replace(/\/$/, ''));
  const ran = takeCoverage(session);
  await mock.close();
  const source = fileURLToPath(new URL('../../src/', import.meta.url));
  const files = ran
    .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(source))
    .map(({ url, functions }) => ({
      file: relative(source, fileURLToPath(url)),
      // The first function is the module itself, which runs when it is loaded.
      calls: functions.filter(
        ({ functionName, ranges }) => functionName !== '' && (ranges[0]?.count ?? 0) > 0,
      ).length,
    }))
    .filter(({ calls }) => calls > 0)
    .sort((left, right) => left.file.localeCompare(right.file));
  for (const { file, calls } of files) console.log(`${String(calls).padStart(4)} ${file}`);
  const functions = files.reduce((sum, { calls }) => sum + calls, 0);
  console.log(`${answer}: ${String(files.length)} files, ${String(functions)} functions`);
}

function takeCoverage(session: Session): Profiler.ScriptCoverage[] {
  let taken: Profiler.ScriptCoverage[] = [];
  session.post('Profiler.takePreciseCoverage', (_error, { result }) => (taken = result));
  return taken;
}

/** Sends the request over a plain socket, and answers the status line of the response. */
function exchange(host: string, port: number, base: string): Promise<string> {
  const body = '{"name":"Rex","categoryId":1}';
  const head = [
    `POST ${base}/pets HTTP/1.1`,
    `Host: ${host}:${String(port)}`,
    'Authorization: Bearer demo-key',
    'Content-Type: application/json',
    `Content-Length: ${String(body.length)}`,
  ].join('\r\n');
  return new Promise((resolve, reject) => {
    const socket = connect(port, host, () => socket.write(`${head}\r\n\r\n${body}`));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      const [fields = '', sent] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(fields)?.[1] ?? 0);
      if (sent === undefined || sent.length < length) return;
      socket.destroy();
      resolve(text.split('\r\n', 1)[0] ?? '');
    });
    socket.on('error', reject);
  });
}

await main();
