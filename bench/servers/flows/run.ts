import { startMock } from '../../../src/library/start-mock.ts';
import { corpora } from '../corpora.ts';
import { flows } from './flows.ts';
import { play } from './play.ts';

/**
 * Plays the flows, or those that are named, on their services and on the mocks of their documents,
 * and shows the steps that fail.
 */
const named = process.argv.slice(2);
for (const flow of flows) {
  const corpus = corpora.find(({ name }) => name === flow.name);
  if (corpus === undefined || (named.length > 0 && !named.includes(flow.name))) continue;
  const contract = corpus.openContract();
  const server = await corpus.start();
  const mock = await startMock({ contract: corpus.contract.pathname, authentication: 'off' });
  for (const [place, url] of [
    ['server', server.url],
    ['mock', mock.url.replace(/\/$/, '')],
  ] as const) {
    const outcomes = await play(flow, corpus.connect(url, contract));
    const failed = outcomes.filter(({ fault }) => fault !== undefined);
    console.log(
      `${flow.name}: ${outcomes.length - failed.length}/${outcomes.length} on the ${place}`,
    );
    for (const { does, fault } of failed) console.log(`  ${does}\n    ${fault}`);
  }
  await server.stop();
  await mock.close();
}
