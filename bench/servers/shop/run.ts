import { runService } from '../serving/run-service.ts';
import { startShop } from './server.ts';
import { tokens } from './store.ts';

/** `node bench/servers/shop/run.ts [--port N] [--defect ID] [--variant ID]`. */
await runService(
  startShop,
  `X-Shop-Access-Token: ${tokens.fjord} (a second shop: ${tokens.dune}), ` +
    'contract bench/servers/shop/shop.yaml',
);
