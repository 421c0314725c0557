/** The inspection file as the worker makes it, and as devices read it. */
import assert from 'node:assert/strict';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { InspectionFileMaker } from '../../../../activities/tickets/inspection/inspection-file-maker.ts';
import { InspectionFileStore } from '../../../../activities/tickets/inspection/inspection-file-store.ts';
import { RevokedTickets } from '../../../../activities/tickets/inspection/revoked-tickets.ts';
import { TicketKeyStore } from '../../../../activities/tickets/signing/ticket-key-store.ts';
import { TicketKeys } from '../../../../activities/tickets/signing/ticket-keys.ts';
import { TICKET_GROUPS } from '../../../../activities/tickets/ticket-group-document.ts';
import {
  type FindKey,
  type InspectionContent,
  keysOf,
  readInspectionFile,
} from '../../../../barcode/inspection-file.ts';
import { addKey, withdrawKey } from '../../../../ops/ticket-keys/key-file-writer.ts';
import { connectMongo } from '../../../../platform/mongo/mongo.ts';
import { DAY_MS, HOUR_MS } from '../../../../workflows/shared/spans.ts';
import { silentLog } from '../../../api/support/parcels.ts';
import { temporaryDirectory } from '../../../support/folders.ts';
import { useMongo } from '../../../support/stack.ts';

const ISSUER = 1185;

describe('The inspection file of the documents worker', () => {
  let connection: Connection;
  let keys: TicketKeys;
  let path: string;
  let store: TicketKeyStore;
  let files: InspectionFileStore;
  let now: Date;

  beforeEach(async () => {
    connection = await connectMongo((await useMongo()).uri(`inspection_${randomUUID()}`));
    await TICKET_GROUPS.ensureIndexes(connection);
    now = new Date('2026-11-24T12:10:00Z');
    path = `${temporaryDirectory('ticket-keys')}/keys.json`;
    addKey(path, { issuerCode: ISSUER, from: now, signDays: 365 });
    store = new TicketKeyStore(connection);
    keys = await TicketKeys.open({ path, environment: 'production', store, log: silentLog, now: () => now });
    files = new InspectionFileStore(connection);
  });
  afterEach(async () => {
    keys.close();
    await connection.dropDatabase();
    await connection.close();
  });

  const newMaker = () =>
    new InspectionFileMaker({
      files,
      keys,
      revoked: new RevokedTickets(connection),
      now: () => now,
    });
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  const fetchTrusted = async (): Promise<FindKey> => {
    const listed = (await store.list()).map(({ publicKeyDer, validFrom, validTo, ...key }) => ({
      ...key,
      publicKeyDer: Buffer.from(publicKeyDer).toString('base64'),
      validFrom: validFrom.toISOString(),
      validTo: validTo.toISOString(),
    }));
    return keysOf({ keys: listed });
  };
  const readFile = async (trusted?: FindKey): Promise<InspectionContent> => {
    const stored = (await files.read()) ?? assert.fail('there is no file');
    const text = Buffer.from(stored.bytes).toString('ascii');
    const { verdict, content } = readInspectionFile(text, trusted ?? (await fetchTrusted()), now);
    assert.equal(verdict, 'VALID');
    return content ?? assert.fail();
  };
  /** With the members that the list reads. */
  const insertGroup = async (
    tickets: readonly { id: number; endsInDays: number; revoked?: boolean }[],
  ): Promise<string> => {
    const _id = randomUUID();
    const ticketDistributions = tickets.map(({ id, endsInDays, revoked }) => ({
      id,
      endOfValidity: new Date(now.getTime() + endsInDays * DAY_MS),
      ...(revoked && { revokedAt: now }),
    }));
    const group = {
      _id,
      orderId: _id,
      orderLineId: _id,
      organisationId: 1,
      groupId: tickets[0]?.id,
      ticketDistributions,
    };
    await TICKET_GROUPS.open(connection).insertOne(group as never);
    return _id;
  };

  it('lists the keys, and the revoked tickets that would still be valid', async () => {
    await insertGroup([
      { id: 30, endsInDays: 1, revoked: true },
      { id: 20, endsInDays: 1 },
    ]);
    await insertGroup([{ id: 10, endsInDays: 1, revoked: true }]);
    await insertGroup([{ id: 40, endsInDays: -1, revoked: true }]);
    assert.equal(await newMaker().keep(), true);
    const file = await readFile();
    assert.deepEqual(file.revokedTickets, [10, 30]);
    assert.deepEqual(
      file.keys.map(({ issuerCode, keyId }) => [issuerCode, keyId]),
      [[ISSUER, 1]],
    );
    assert.equal(Date.parse(file.validUntil) - now.getTime(), DAY_MS);
  });

  it('is made again for a revocation, a restored ticket, a key and each hour, and else not', async () => {
    const maker = newMaker();
    const isMade = async () => {
      // The rest that a long listing asks for.
      pass(60_000);
      return [await maker.keep(), await maker.keep()];
    };
    assert.deepEqual(await isMade(), [true, false]);
    assert.deepEqual(await isMade(), [false, false]);
    const first = await readFile();
    const id = await insertGroup([{ id: 10, endsInDays: 3, revoked: true }]);
    assert.deepEqual(await isMade(), [true, false]);
    assert.deepEqual((await readFile()).revokedTickets, [10]);
    await TICKET_GROUPS.open(connection).updateOne({ _id: id }, { $unset: { 'ticketDistributions.0.revokedAt': '' } });
    assert.deepEqual(await isMade(), [true, false]);
    assert.deepEqual((await readFile()).revokedTickets, []);
    // Revoked beside another ticket of the line, by a process whose clock is behind.
    const both = await insertGroup([
      { id: 20, endsInDays: 3, revoked: true },
      { id: 21, endsInDays: 3 },
    ]);
    assert.deepEqual(await isMade(), [true, false]);
    const earlier = new Date(now.getTime() - 3 * 60_000);
    await TICKET_GROUPS.open(connection).updateOne(
      { _id: both },
      { $set: { 'ticketDistributions.1.revokedAt': earlier } },
    );
    assert.deepEqual(await isMade(), [true, false]);
    assert.deepEqual((await readFile()).revokedTickets, [20, 21]);
    addKey(path, { from: now, signDays: 365 });
    await keys.follow();
    assert.deepEqual(await isMade(), [true, false]);
    pass(HOUR_MS);
    assert.deepEqual(await isMade(), [true, false]);
    const last = await readFile();
    assert.equal(last.keys.length, 2);
    assert.ok(last.number > first.number);
  });

  it('is trusted by the file before, also when another key signs', async () => {
    const maker = newMaker();
    await maker.keep();
    let known = keysOf(await readFile());
    pass(HOUR_MS);
    addKey(path, { from: now, signDays: 365 });
    await keys.follow();
    for (let hours = 0; hours < 30; hours += 1) {
      pass(HOUR_MS);
      await maker.keep();
      known = keysOf(await readFile(known));
    }
    assert.equal(keys.current(now).keyId, 2);
  });

  it('lists no key that somebody else has put into the database', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const publicKeyDer = publicKey.export({ format: 'der', type: 'spki' });
    const validTo = new Date(now.getTime() + DAY_MS);
    await store.publish({ issuerCode: ISSUER, keyId: 9, publicKeyDer, validFrom: now, validTo }, now);
    await newMaker().keep();
    assert.deepEqual(
      (await readFile()).keys.map(({ keyId }) => keyId),
      [1],
    );
  });

  it('is left to the workers that have a new list of keys, for two hours', async () => {
    const old = newMaker();
    const oldKeys = keys;
    addKey(path, { from: now, signDays: 365 });
    keys = await TicketKeys.open({ path, environment: 'production', store, log: silentLog, now: () => now });
    assert.equal(await newMaker().keep(), true);
    pass(HOUR_MS);
    assert.equal(await old.keep(), false);
    pass(HOUR_MS);
    assert.equal(await old.keep(), true);
    oldKeys.close();
  });

  describe('when a key is withdrawn', () => {
    const keyIds = async () => (await readFile()).keys.map(({ keyId }) => keyId);
    beforeEach(async () => {
      addKey(path, { from: now, signDays: 365 });
      await keys.follow();
      assert.equal(await newMaker().keep(), true);
      assert.deepEqual(await keyIds(), [1, 2]);
    });

    it('leaves that key out at once, and goes on with revocations', async () => {
      const maker = newMaker();
      pass(60_000);
      withdrawKey(path, 1, now);
      await keys.follow();
      assert.equal(await maker.keep(), true);
      assert.deepEqual(await keyIds(), [2]);
      pass(60_000);
      await insertGroup([{ id: 10, endsInDays: 3, revoked: true }]);
      assert.equal(await maker.keep(), true);
      assert.deepEqual((await readFile()).revokedTickets, [10]);
    });

    it('does not rest first', async () => {
      const maker = newMaker();
      pass(60_000);
      await insertGroup([{ id: 10, endsInDays: 3, revoked: true }]);
      assert.equal(await maker.keep(), true);
      // The clock stands, so the maker rests.
      await insertGroup([{ id: 11, endsInDays: 3, revoked: true }]);
      assert.equal(await maker.keep(), false);
      withdrawKey(path, 1, now);
      await keys.follow();
      assert.equal(await maker.keep(), true);
      assert.deepEqual(await keyIds(), [2]);
    });

    it('stays without it beside a worker with the old list, which signs no more with it', async () => {
      const newPath = `${temporaryDirectory('ticket-keys')}/keys.json`;
      cpSync(join(path, '..'), join(newPath, '..'), { recursive: true });
      const options = { environment: 'production', store, log: silentLog, now: () => now };
      const newKeys = await TicketKeys.open({ ...options, path: newPath });
      const newer = new InspectionFileMaker({
        files,
        keys: newKeys,
        revoked: new RevokedTickets(connection),
        now: () => now,
      });
      const older = newMaker();
      pass(60_000);
      withdrawKey(newPath, 1, now);
      await newKeys.follow();
      for (let minutes = 0; minutes < 180; minutes += 30) {
        await older.keep();
        await newer.keep();
        assert.deepEqual(await keyIds(), [2]);
        pass(30 * 60_000);
      }
      assert.equal(keys.current(now).keyId, 2);
      // A restart publishes the old list again.
      const restarted = await TicketKeys.open({ ...options, path });
      assert.equal(restarted.current(now).keyId, 2);
      assert.deepEqual(restarted.differing, [1]);
      assert.deepEqual(newKeys.differing, []);
      assert.deepEqual(
        (await store.list()).filter(({ validTo }) => validTo > now).map(({ keyId }) => keyId),
        [2],
      );
      for (const each of [newKeys, restarted]) each.close();
    });
  });

  it('leaves out the revoked tickets that end first where they are too many, and counts all', async () => {
    await insertGroup([
      { id: 10, endsInDays: 3, revoked: true },
      { id: 11, endsInDays: 1, revoked: true },
    ]);
    await insertGroup([{ id: 12, endsInDays: 2, revoked: true }]);
    const revoked = new RevokedTickets(connection, 2);
    const maker = new InspectionFileMaker({ files, keys, revoked, now: () => now });
    assert.equal(await maker.keep(), true);
    assert.deepEqual((await readFile()).revokedTickets, [10, 12]);
    assert.equal(maker.revokedCount, 3);
    const other = newMaker();
    assert.equal(await other.keep(), false);
    assert.equal(other.revokedCount, 3);
  });

  it('goes on with revocations when a key has come to its natural end', async () => {
    pass(400 * DAY_MS);
    addKey(path, { from: now, signDays: 365 });
    await keys.follow();
    const maker = newMaker();
    pass(365 * DAY_MS - 60_000);
    assert.equal(await maker.keep(), true);
    assert.deepEqual((await readFile()).keys.length, 2);
    pass(120_000);
    await insertGroup([{ id: 10, endsInDays: 3, revoked: true }]);
    assert.equal(await maker.keep(), true);
    const { keys: listed, revokedTickets } = await readFile();
    assert.deepEqual([listed.map(({ keyId }) => keyId), revokedTickets], [[2], [10]]);
    pass(60_000);
    await insertGroup([{ id: 11, endsInDays: 3, revoked: true }]);
    assert.equal(await maker.keep(), true);
    assert.deepEqual((await readFile()).revokedTickets, [10, 11]);
  });

  it('is written once by workers that make it together', async () => {
    const made = await Promise.all(Array.from({ length: 8 }, async () => await newMaker().keep()));
    assert.equal(made.filter(Boolean).length, 1);
    pass(HOUR_MS);
    const again = await Promise.all(Array.from({ length: 8 }, async () => await newMaker().keep()));
    assert.equal(again.filter(Boolean).length, 1);
  });

  it('is read anew by every process when there is another', async () => {
    const reader = new InspectionFileStore(connection);
    assert.equal(await reader.read(), undefined);
    const maker = newMaker();
    await maker.keep();
    const first = await reader.read();
    assert.equal(await reader.read(), first);
    pass(HOUR_MS);
    await maker.keep();
    const second = await reader.read();
    assert.notEqual(second?.etag, first?.etag);
    assert.deepEqual(second?.validUntil, maker.validUntil);
  });
});
