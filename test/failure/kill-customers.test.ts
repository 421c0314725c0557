/** The short twin of kill-customers.ts: kills each part once. */
import assert from 'node:assert/strict';
import { Service } from '../support/service.ts';
import { CustomerWrites, VICTIMS } from './customer-writes.ts';

describe('customers written while a part is killed', function () {
  this.timeout(240_000);
  let service: Service;

  before(async () => {
    service = await Service.start({ timetable: false, processes: ['salesCustomersWorker', 'eventsWorker'] });
  });
  after(async () => {
    await service?.stop();
  });

  it('are stored once, as acknowledged, with every event once and in order', async () => {
    const books = await new CustomerWrites(service).run(120, VICTIMS);
    assert.deepEqual(books.faults, []);
    assert.equal(books.acknowledged, 120);
    assert.equal(books.kills, VICTIMS.length);
  });
});
