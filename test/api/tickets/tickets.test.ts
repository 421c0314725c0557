/** Tests the area of tickets over HTTP. One file, because its servers and its worker take seconds of a processor to start. */
import '../../support/quiet-temporal.ts';
import { describeChanges } from './change-cases.ts';
import { describeDistribution } from './distribution-cases.ts';
import { describeFuzz } from './fuzz-cases.ts';
import { describeInspection } from './inspection-cases.ts';
import { describeReads } from './read-cases.ts';
import { describeTenancy } from './tenancy-cases.ts';
import { startTickets, type TicketsServer } from './tickets-server.ts';
import { describeWithdrawnKeys } from './withdrawn-key-cases.ts';

describe('tickets over HTTP', () => {
  let server: TicketsServer;
  const useServer = () => server;
  before(async () => {
    server = await startTickets();
  });
  after(async () => await server?.close());

  describeReads(useServer);
  describeDistribution(useServer);
  describeChanges(useServer);
  describeInspection(useServer);
  describeTenancy(useServer);
  describeFuzz(useServer);
  describeWithdrawnKeys(useServer);
});
