/** Many uploads of one client that begin together: refused without the database, which others need. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { pino } from 'pino';
import { UPLOAD_QUOTAS } from '../../../activities/timetable/upload-quota-model.ts';
import { UploadQuotaStore } from '../../../activities/timetable/upload-quota-store.ts';
import { UploadSlots } from '../../../api/timetable/upload/upload-slot.ts';
import { useMongo } from '../../support/stack.ts';
import { until } from '../../support/until.ts';

const NEVER = Number.MAX_SAFE_INTEGER;
const QUOTA = { atOnce: 3, bytesPerHour: NEVER, bytesPerDay: NEVER, unpackedPerHour: NEVER, unpackedPerDay: NEVER };
const UPLOAD = { clientId: 'a', announcedBytes: 10, log: pino({ level: 'silent' }) };

describe('Slots of uploads', () => {
  let connection: Connection;
  let slots: UploadSlots;
  /** Commands to the database that run now, and how many there were. */
  const asked = { now: 0, most: 0, all: 0 };

  before(async () => {
    const uri = (await useMongo()).uri(`slots-${randomUUID().slice(0, 8)}`);
    connection = await mongoose.createConnection(uri, { monitorCommands: true }).asPromise();
    const client = connection.getClient();
    client.on('commandStarted', ({ commandName, command }: mongo.CommandStartedEvent) => {
      if (command[commandName] !== UPLOAD_QUOTAS.collection) return;
      asked.now += 1;
      asked.all += 1;
      asked.most = Math.max(asked.most, asked.now);
    });
    client.on('commandSucceeded', ({ commandName }: mongo.CommandSucceededEvent) => {
      if (commandName === 'findAndModify') asked.now -= 1;
    });
    const quotas = new UploadQuotaStore(connection, QUOTA);
    await quotas.ensureIndexes();
    slots = new UploadSlots(quotas);
    Object.assign(asked, { now: 0, most: 0, all: 0 });
  });
  after(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  it('admit in turn as many as the quota says, refuse the rest, and admit again when one ends', async () => {
    const held = Promise.withResolvers<void>();
    let running = 0;
    const begun = Array.from({ length: 50 }, () =>
      slots.use(UPLOAD, async () => {
        running += 1;
        await held.promise;
      }),
    );
    const refused: string[] = [];
    for (const each of begun) each.catch((error: unknown) => refused.push(String(error)));
    await until(() => refused.length === begun.length - QUOTA.atOnce);
    assert.equal(running, QUOTA.atOnce);
    assert.match(refused[0] ?? '', /3 uploads of this client run already/);
    assert.deepEqual([asked.all, asked.most], [3, 1], 'one after the other, and none for the refused');
    held.resolve();
    await Promise.allSettled(begun);
    await slots.use(UPLOAD, async () => {});
  });
});
