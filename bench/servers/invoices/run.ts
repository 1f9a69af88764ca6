import { runService } from '../serving/run-service.ts';
import { adminKey, tokens } from './account.ts';
import { startInvoices } from './server.ts';

/** `node bench/servers/invoices/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startInvoices,
  `Authorization: Bearer ${tokens.first} (a second account: ${tokens.second}), ` +
    `X-Admin-Key: ${adminKey}, contract bench/servers/invoices/invoices.yaml`,
);
