import express from 'express';

/** The smallest Express application: the measure for how soon a server is ready. */
const app = express();
app.get('/', (_request, response) => {
  response.json({ ok: true });
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : '';
  console.log(`http://127.0.0.1:${String(port)}`);
});
process.once('SIGTERM', () => process.exit(0));
