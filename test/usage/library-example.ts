import request from 'supertest';
import {
  checkTarget,
  createMockApp,
  lintContract,
  loadContract,
  startMock,
} from '../../src/index.ts';

// A mock that listens on a free port: for a browser, or for a client of any language.
const mock = await startMock({ contract: 'openapi/petstore.v1.yaml', fixtures: 'fixtures' });
const answer = await fetch(`${mock.url}/pets?status=sold`, {
  headers: { Authorization: 'Bearer demo-key' },
});
console.log(answer.status, mock.url);

// A conformance run, as a value.
const contract = await loadContract('openapi/petstore.v1.yaml');
const report = await checkTarget({ url: mock.url, contract, token: 'demo-key' });
console.log(report.summary.verdict, report.findings.length);
await mock.close();

// The same mock without a port, for supertest.
const app = await createMockApp();
const list = await request(app).get('/v1/pets').set('Authorization', 'Bearer demo-key');
console.log(list.status);
await app.close();

// The document itself.
const lint = await lintContract('openapi/petstore.v1.yaml');
console.log(lint.counts);
