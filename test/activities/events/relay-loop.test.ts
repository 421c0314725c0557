/** Several relays beside each other: one leads, another takes over, and the database may come and go. */
import assert from 'node:assert/strict';
import type { Connection } from 'mongoose';
import { RelayLease } from '../../../activities/events/relay-lease.ts';
import { RelayLoop } from '../../../activities/events/relay-loop.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { until } from '../../support/until.ts';
import { brokenRules, COLLECTION, changeOrder, type EventsWorld, newRelay, openDoor, openEvents } from './support.ts';

const LEASE_MS = 600;

interface Process {
  readonly loop: RelayLoop;
  readonly leads: () => boolean;
}

function startRelay(connection: Connection, leaseMs = LEASE_MS): Process {
  let leading = false;
  const loop = new RelayLoop({
    connection,
    log: silentLog,
    relay: newRelay(connection),
    lease: new RelayLease(connection, leaseMs),
    collections: [COLLECTION],
    onLeading: (leads) => {
      leading = leads;
    },
  });
  return { loop, leads: () => leading };
}

describe('several relays at once', function () {
  this.timeout(60_000);
  let world: EventsWorld;
  const running: RelayLoop[] = [];
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

  it('moves an event at once when it is written, not only at the next sweep', async () => {
    const { leads } = start();
    await until(leads);
    await changeOrder(world.connection, 'first');
    await until(async () => (await count()) === 1);
    // The stream is open by now: it is what moved this one, or the sweep before it opened.
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

  it('lets one lead at a time, and another when the first has stopped', async () => {
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

  it('has one holder of the lease, which runs out without it', async () => {
    const [first, second] = [new RelayLease(world.connection, 300), new RelayLease(world.connection, 300)];
    assert.deepEqual([await first.hold(), await second.hold(), await first.hold()], [true, false, true]);
    await until(() => second.hold());
    await until(async () => !(await first.hold()));
    await second.release();
    assert.equal(await first.hold(), true);
  });

  it('has one holder also when many ask at once for the first time', async () => {
    const leases = Array.from({ length: 10 }, () => new RelayLease(world.connection, 60_000));
    const held = await Promise.all(leases.map((lease) => lease.hold()));
    assert.equal(held.filter(Boolean).length, 1);
  });

  it('loses nothing while a leader believes in a lease that another holds', async () => {
    // An hour of belief against a tenth of a second: both lead all the time.
    class Forever extends RelayLease {
      override async hold(): Promise<boolean> {
        return true;
      }
    }
    const blind = new RelayLoop({
      connection: world.connection,
      log: silentLog,
      relay: newRelay(world.connection),
      lease: new Forever(world.connection),
      collections: [COLLECTION],
      onLeading: () => undefined,
    });
    running.push(blind);
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

  it('goes on by itself when the database was away in the middle of it', async () => {
    const door = await openDoor(world.uri);
    const connection = await connectMongo(door.uri);
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
      door.shut();
      await writing;
      door.open();
      await until(async () => (await count()) === round * 60);
    }
    assert.deepEqual(brokenRules(await world.logged(), new Map(orders.map((order) => [order, 100]))), []);
    await until(async () => (await world.source.listPending(1)).length === 0);
    await loop.stop();
    await connection.close();
    await door.close();
  });
});
