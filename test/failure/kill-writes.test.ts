/**
 * Kills parts while customers are written and while orders are sold, as kill-customers.ts and kill-orders.ts do at full count,
 * and while drafts of orders expire.
 */
import assert from 'node:assert/strict';
import { Service } from '../support/service.ts';
import { trainsCatalogueFile } from '../support/sold-trains.ts';
import { CustomerWrites, VICTIMS } from './customer-writes.ts';
import { describeKilledExpiries } from './killed-expiries.ts';
import { describeKilledOrders } from './killed-orders.ts';

const PROCESSES = ['salesCustomersWorker', 'salesOrdersWorker', 'eventsWorker'] as const;

describe('a service whose parts are killed', function () {
  this.timeout(240_000);
  let service: Service;

  before(async () => {
    const env = { CATALOGUE_FILE: trainsCatalogueFile() };
    service = await Service.start({ timetable: false, processes: PROCESSES, env });
  });
  after(async () => {
    await service?.stop();
  });

  it('stores customers once, as acknowledged, with every event once and in order', async () => {
    const books = await new CustomerWrites(service).run(120, VICTIMS);
    assert.deepEqual(books.faults, []);
    assert.equal(books.acknowledged, 120);
    assert.equal(books.kills, VICTIMS.length);
  });

  // Before the drafts that expire: its books tell of every order.
  describeKilledOrders(() => service);
  describeKilledExpiries(() => service);
});
