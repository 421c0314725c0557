/** One of several relays must lead, another must replace it, and both must survive an outage of the database. */
import assert from 'node:assert/strict';
import type { Connection } from 'mongoose';
import { EventLease } from '../../../activities/events/event-lease.ts';
import { LeasedLoop } from '../../../activities/events/leased-loop.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { until } from '../../support/until.ts';
import { brokenRules, COLLECTION, changeOrder, type EventsWorld, newRelay, openEvents, openProxy } from './support.ts';

const LEASE_MS = 600;

interface Process {
  readonly loop: LeasedLoop;
  readonly leads: () => boolean;
}

function startRelay(connection: Connection, leaseMs = LEASE_MS): Process {
  let leading = false;
  const relay = newRelay(connection);
  const loop = new LeasedLoop({
    connection,
    log: silentLog,
    work: (mayGoOn) => relay.relayPending(mayGoOn),
    lease: new EventLease(connection, 'relay', leaseMs),
    collections: [COLLECTION],
    onLeading: (leads) => {
      leading = leads;
    },
  });
  return { loop, leads: () => leading };
}

describe('several relays at once', () => {
  let world: EventsWorld;
  const running: LeasedLoop[] = [];
  const start = (connection = world.connection, leaseMs?: number) => {
    const process = startRelay(connection, leaseMs);
    running.push(process.loop);
    return process;
  };

  beforeEach(async () => {
    world = await openEvents();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((loop) => loop.stop()));
    await world.connection.dropDatabase();
    await world.connection.close();
  });

  const count = async () => (await world.logged()).length;

  it('move a new event at once, not only at the next sweep', async () => {
    const { leads } = start();
    await until(leads);
    await changeOrder(world.connection, 'first');
    await until(async () => (await count()) === 1);
    // The change stream is open by now, so either it or the sweep before it has moved this event.
    const took: number[] = [];
    for (let n = 2; n <= 6; n += 1) {
      const began = performance.now();
      await changeOrder(world.connection, 'next');
      await until(async () => (await count()) === n);
      took.push(performance.now() - began);
    }
    took.sort((a, b) => a - b);
    assert.ok((took[2] ?? Number.POSITIVE_INFINITY) < 500, `took ${took}`);
  });

  it('have one leader at a time, and another when the first has stopped', async () => {
    const [first, second] = [start(), start()];
    await until(() => first.leads() || second.leads());
    const [leader, other] = first.leads() ? [first, second] : [second, first];
    await changeOrder(world.connection, 'A');
    await until(async () => (await count()) === 1);
    assert.equal(other.leads(), false);
    await leader.loop.stop();
    assert.equal(leader.leads(), false);
    await changeOrder(world.connection, 'A');
    await until(async () => (await count()) === 2);
    assert.equal(other.leads(), true);
  });

  it('have one holder of the lease, which expires without it', async () => {
    const [first, second] = [
      new EventLease(world.connection, 'relay', 300),
      new EventLease(world.connection, 'relay', 300),
    ];
    assert.deepEqual([await first.hold(), await second.hold(), await first.hold()], [true, false, true]);
    await until(() => second.hold());
    await until(async () => !(await first.hold()));
    await second.release();
    assert.equal(await first.hold(), true);
  });

  it('have one holder also when many request the first lease at once', async () => {
    const leases = Array.from({ length: 10 }, () => new EventLease(world.connection, 'relay', 60_000));
    const held = await Promise.all(leases.map((lease) => lease.hold()));
    assert.equal(held.filter(Boolean).length, 1);
  });

  it('lose nothing while a leader assumes a lease that another holds', async () => {
    // This lease always claims to be held, so both relays lead all the time.
    class AlwaysHeldLease extends EventLease {
      override async hold(): Promise<boolean> {
        return true;
      }
    }
    const relay = newRelay(world.connection);
    const second = new LeasedLoop({
      connection: world.connection,
      log: silentLog,
      work: (mayGoOn) => relay.relayPending(mayGoOn),
      lease: new AlwaysHeldLease(world.connection, 'relay'),
      collections: [COLLECTION],
      onLeading: () => undefined,
    });
    running.push(second);
    start();
    const orders = ['A', 'B', 'C', 'D'];
    await Promise.all(
      orders.map(async (order) => {
        for (let n = 0; n < 50; n += 1) await changeOrder(world.connection, order);
      }),
    );
    await until(async () => (await count()) === 200);
    assert.deepEqual(brokenRules(await world.logged(), new Map(orders.map((order) => [order, 50]))), []);
  });

  it('continue by themselves after an outage of the database', async () => {
    const proxy = await openProxy(world.uri);
    const connection = await connectMongo(proxy.uri);
    const { leads, loop } = start(connection);
    await until(leads);
    const orders = ['A', 'B', 'C'];
    for (let round = 1; round <= 5; round += 1) {
      const writing = Promise.all(
        orders.map(async (order) => {
          for (let n = 0; n < 20; n += 1) await changeOrder(world.connection, order);
        }),
      );
      await until(async () => (await count()) > (round - 1) * 60);
      proxy.refuse();
      await writing;
      proxy.accept();
      await until(async () => (await count()) === round * 60);
    }
    assert.deepEqual(brokenRules(await world.logged(), new Map(orders.map((order) => [order, 100]))), []);
    await until(async () => (await world.source.listPending(1)).length === 0);
    await loop.stop();
    await connection.close();
    await proxy.close();
  });
});
