/**
 * Tests the audit log on a real database: one chain for all writers, entries before actions, and faults that
 * verification finds.
 */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';
import { Registry } from 'prom-client';
import { AUDIT_ANCHORS, AuditAnchors } from '../../../activities/audit/audit-anchors.ts';
import { type AuditEntry, type AuditHead, headOf, sealEntry } from '../../../activities/audit/audit-entry.ts';
import { AuditLog } from '../../../activities/audit/audit-log.ts';
import { AUDIT_ENTRIES } from '../../../activities/audit/audit-query.ts';
import { AuditWatch } from '../../../activities/audit/audit-watch.ts';
import { findNextPlace } from '../../../activities/audit/next-place.ts';
import { countUnrecordedActs } from '../../../activities/audit/unrecorded-acts.ts';
import { verifyChain } from '../../../activities/audit/verify-chain.ts';
import type { AuditedAction } from '../../../activities/shared/audit.ts';
import type { KeyRing } from '../../../platform/keys/key-ring.ts';
import { createLog } from '../../../platform/log.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { ObjectStore } from '../../../platform/object-store/object-store.ts';
import { readObject } from '../../../platform/object-store/read-object.ts';
import { ServiceError } from '../../../workflows/shared/service-error.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { useMongo, useObjectStore } from '../../support/stack.ts';

const ACTION: AuditedAction = {
  action: 'parcel.send',
  actor: { kind: 'PROCESS', id: 'parcels-worker' },
  resource: { type: 'parcel' },
};
const newKeys = (): KeyRing => ({ writingKeyId: 'a', keys: new Map([['a', randomBytes(32)]]) });

describe('the audit log', () => {
  const keys = newKeys();
  let connection: Connection;
  let auditLog: AuditLog;
  beforeEach(async () => {
    connection = await connectMongo((await useMongo()).uri(`audit_${randomUUID().slice(0, 8)}`));
    auditLog = openLog();
  });
  afterEach(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  const openLog = () => new AuditLog({ connection, keys, log: silentLog });
  const readAll = async (): Promise<AuditEntry[]> => await Array.fromAsync(auditLog.read());
  const insertOdd = async (entry: object) => await connection.collection('audit_entries').insertOne(entry as never);
  const faultsOf = async (entries: readonly AuditEntry[], anchors: readonly AuditHead[] = []) =>
    (await verifyChain(entries, keys, anchors)).faults;
  const faultOf = async (entries: readonly AuditEntry[], anchors: readonly AuditHead[] = []) =>
    (await faultsOf(entries, anchors))[0];
  const send = async (id: string, by = auditLog) =>
    await by.record(
      ACTION,
      async () => id,
      (made) => made,
    );

  it('has the attempt and the outcome of an action, with the id of what it made', async () => {
    assert.equal(await send('p-1'), 'p-1');
    const [attempt, outcome] = await readAll();
    assert.deepEqual([attempt?._id, attempt?.outcome, attempt?.resource], [1, 'ATTEMPTED', { type: 'parcel' }]);
    assert.deepEqual(
      [outcome?._id, outcome?.outcome, outcome?.attempt, outcome?.resource],
      [2, 'DONE', 1, { type: 'parcel', id: 'p-1' }],
    );
    assert.equal(outcome?.previous, attempt?.hash);
  });

  it('has the outcome of an action that throws, and throws on', async () => {
    const refuse = async () => {
      throw new ServiceError('INVALID_STATE', 'The parcel is sent already');
    };
    const fail = async () => {
      throw new Error('the disk is full');
    };
    await assert.rejects(auditLog.record(ACTION, refuse), /sent already/);
    await assert.rejects(auditLog.record(ACTION, fail), /disk is full/);
    const outcomes = (await readAll()).map(({ outcome, errorCode }) => [outcome, errorCode]);
    assert.deepEqual(outcomes, [
      ['ATTEMPTED', undefined],
      ['REFUSED', 'INVALID_STATE'],
      ['ATTEMPTED', undefined],
      ['FAILED', undefined],
    ]);
  });

  it('lets no action happen whose entry cannot be written', async () => {
    await connection.close();
    let acted = false;
    const act = async () => {
      acted = true;
    };
    await assert.rejects(auditLog.record(ACTION, act));
    assert.equal(acted, false);
    connection = await connectMongo((await useMongo()).uri('audit_closed'));
  });

  it('lets an act that stops harm go on when its entry cannot be written, and says so', async () => {
    await send('one');
    await connection.db?.command({ collMod: 'audit_entries', validator: { never: true } });
    const logged: string[] = [];
    const registry = new Registry();
    const destination = { write: (line: string) => void logged.push(line) };
    const log = createLog({ level: 'error', name: 'parcels', destination });
    const blocked = new AuditLog({ connection, keys, log, onUnrecorded: countUnrecordedActs(registry) });
    const counted = async () =>
      (await registry.getSingleMetric('audit_unrecorded_acts_total')?.get())?.values[0]?.value;
    assert.equal(await counted(), 0);
    await assert.rejects(
      blocked.record(ACTION, async () => assert.fail('It is not done')),
      /failed validation/,
    );
    assert.equal(await counted(), 0);
    assert.equal(await blocked.record({ ...ACTION, evenUnrecorded: true }, async () => 'done'), 'done');
    assert.equal(await counted(), 1);
    assert.ok(logged.some((line) => line.includes('"parcel.send"') && line.includes('is not recorded')));
    await connection.db?.command({ collMod: 'audit_entries', validator: {} });
    await blocked.record({ ...ACTION, evenUnrecorded: true }, async () => 'done');
    assert.equal(await faultOf(await readAll()), undefined);
    assert.equal((await readAll()).length, 4);
  });

  it('is one chain without a gap, however many processes write at once', async () => {
    const logs = Array.from({ length: 5 }, openLog);
    await Promise.all(logs.flatMap((each, at) => ['a', 'b', 'c', 'd'].map((name) => send(`${name}${at}`, each))));
    const entries = await readAll();
    assert.equal(entries.length, 40);
    assert.equal(await faultOf(entries), undefined);
    assert.equal(new Set(entries.filter(({ outcome }) => outcome === 'DONE').map(({ attempt }) => attempt)).size, 20);
  });

  it('shows what a writer to the database has done: changed, swapped, cut out, appended', async () => {
    for (const id of ['one', 'two', 'three']) await send(id);
    const entries = await readAll();
    const changed = (change: (copy: AuditEntry[]) => void) => {
      const copy = structuredClone(entries);
      change(copy);
      return copy;
    };
    assert.equal(await faultOf(entries), undefined);
    assert.match(String(await faultOf(entries.map((each) => ({ ...each, address: '192.0.2.1' })))), /1 was changed/);
    assert.match(String(await faultOf(changed((copy) => copy.splice(2, 1)))), /after 2 is 4/);
    assert.match(
      String(await faultOf(changed((copy) => copy.splice(1, 2, ...copy.slice(1, 3).reverse())))),
      /after 1 is 3/,
    );
    // One who knows the algorithm, but not the key, makes right hashes and wrong MACs.
    const last = entries.at(-1) as AuditEntry;
    const forged = sealEntry({ ...ACTION, at: new Date(), outcome: 'DONE' }, headOf(last), newKeys());
    assert.match(String(await faultOf([...entries, forged])), /7 has a wrong MAC/);
  });

  it('shows that its end was cut, by an anchor', async () => {
    await send('one');
    const entries = await readAll();
    const anchors = entries.map(headOf);
    assert.equal(await faultOf(entries.slice(0, 1)), undefined);
    assert.match(String(await faultOf(entries.slice(0, 1), anchors)), /ends at 1; entry 2 was anchored/);
    const other = { sequence: 2, hash: 'f'.repeat(64) };
    assert.match(String(await faultOf(entries, [other])), /2 is another than the one that was anchored/);
  });

  it('goes on with a new key, and verifies with both', async () => {
    await send('one');
    const newer: KeyRing = { writingKeyId: 'b', keys: new Map([['b', randomBytes(32)], ...keys.keys]) };
    await send('two', new AuditLog({ connection, keys: newer, log: silentLog }));
    assert.deepEqual((await verifyChain(auditLog.read(), newer)).faults, []);
    assert.match(String(await faultOf(await readAll())), /names the key b/);
  });

  it('goes on after entries that no process wrote, and names each of them', async () => {
    await send('one');
    const odd = [0, -1, 1.5, '90000000000', { a: 1 }, 2 ** 53, 3, 4];
    for (const _id of odd) await insertOdd({ _id, hash: 'x' });
    await send('two');
    const own = (await readAll()).filter(({ mac }) => mac !== undefined);
    assert.deepEqual(
      own.map(({ _id }) => _id),
      [1, 2, 5, 6],
    );
    assert.equal(own[2]?.previous, own[1]?.hash);
    const faults = await faultsOf(await readAll());
    assert.equal(faults.length, odd.length);
    for (const _id of odd) assert.ok(faults.some((fault) => fault.includes(` ${JSON.stringify(_id)} `)));
    const listed = await auditLog.list({ readers: 'ANY' }, 0, 3);
    assert.deepEqual(
      listed.map(({ _id }) => _id),
      [1, 2, 5],
    );
  });

  it('goes on whatever number type stands in the place of the next number', async () => {
    const { Decimal128, Double, Long } = mongoose.mongo.BSON;
    for (const _id of [new Double(1), Long.fromNumber(2), Decimal128.fromString('3')]) await insertOdd({ _id });
    await send('one');
    assert.equal((await faultsOf(await readAll())).length, 3);
  });

  it('passes over a limited number of entries that no process wrote', async () => {
    await send('one');
    for (const _id of [3, 7, 8, 2 ** 53 - 1]) await insertOdd({ _id });
    const entries = AUDIT_ENTRIES.open(connection);
    const { head, sequence, foreign } = await findNextPlace(entries, keys, 4);
    assert.deepEqual([head.sequence, sequence, foreign], [2, 4, 4]);
    await assert.rejects(findNextPlace(entries, keys, 3), /Too many entries/);
  });

  it('does not take an entry of a key that it does not know for its newest', async () => {
    await send('one');
    const [, last] = await readAll();
    const content = { ...ACTION, at: new Date(), outcome: 'DONE' } as const;
    await insertOdd(sealEntry(content, headOf(last as AuditEntry), { ...newKeys(), writingKeyId: 'a' }));
    await send('two');
    const entries = await readAll();
    assert.equal(entries[3]?.previous, last?.hash);
    assert.match(String(await faultOf(entries)), /3 has a wrong MAC/);
  });

  describe('watched', () => {
    const brokenAfter = async (watch: AuditWatch, registry: Registry) => {
      await watch.anchor();
      return (await registry.getSingleMetric('audit_log_broken')?.get())?.values[0]?.value;
    };

    it('is anchored when it has grown, and shown as broken once it was cut or rewritten', async () => {
      const anchors: AuditHead[] = [];
      const kept = {
        keep: async (head: AuditHead) => void anchors.push(head),
        list: async () => ({ heads: anchors, faults: [] }),
      };
      const registry = new Registry();
      const watch = new AuditWatch({ auditLog, anchors: kept, keys, log: silentLog, registry });
      assert.equal(await brokenAfter(watch, registry), 0);
      assert.deepEqual(anchors, []);
      await send('one');
      await send('two');
      assert.equal(await brokenAfter(watch, registry), 0);
      assert.equal(await brokenAfter(watch, registry), 0);
      assert.deepEqual(
        anchors.map(({ sequence }) => sequence),
        [4],
      );
      await AUDIT_ENTRIES.open(connection).deleteOne({ _id: 4 });
      assert.equal(await brokenAfter(watch, registry), 1);
      await send('another');
      assert.equal(await brokenAfter(watch, registry), 1);
      const restarted = new Registry();
      const later = new AuditWatch({ auditLog, anchors: kept, keys, log: silentLog, registry: restarted });
      assert.equal(await brokenAfter(later, restarted), 1);
    });

    it('is shown as broken by an entry of any id that no process wrote', async () => {
      const kept = { keep: async () => undefined, list: async () => ({ heads: [], faults: [] }) };
      for (const _id of ['90000000000', 0, 0.5, 1.5, 2 ** 53, 3]) {
        const registry = new Registry();
        const watch = new AuditWatch({ auditLog, anchors: kept, keys, log: silentLog, registry });
        await send('one');
        assert.equal(await brokenAfter(watch, registry), 0);
        await insertOdd({ _id, hash: 'x' });
        assert.equal(await brokenAfter(watch, registry), 1, String(_id));
        await connection.collection('audit_entries').deleteMany({});
      }
    });

    it('is shown as broken by an entry that lost a part of its content', async () => {
      const kept = { keep: async () => undefined, list: async () => ({ heads: [], faults: [] }) };
      for (const member of ['at', 'actor', 'resource', 'action', 'outcome', 'previous', 'hash', 'keyId', 'mac']) {
        const registry = new Registry();
        const watch = new AuditWatch({ auditLog, anchors: kept, keys, log: silentLog, registry });
        await send('one');
        await connection.collection('audit_entries').updateOne({ _id: 2 as never }, { $unset: { [member]: 1 } });
        assert.equal(await brokenAfter(watch, registry), 1, member);
        await connection.collection('audit_entries').deleteMany({});
      }
    });

    it('is shown as broken by an anchor that no process wrote', async () => {
      const objects = ObjectStore.connect(await useObjectStore());
      const anchors = new AuditAnchors(objects, keys);
      await send('one');
      await anchors.keep(headOf((await readAll())[1] as AuditEntry));
      const [{ key: own = '' } = {}] = await Array.fromAsync(objects.list(AUDIT_ANCHORS));
      const text = Buffer.from(await readObject(objects, own)).toString();
      const odd = { none: '', notJson: '{', nothing: 'null', wrongMac: text.replace(/"mac":"./, '"mac":"x') };
      const others = { ...odd, unknownKey: text.replace('"keyId":"a"', '"keyId":"z"'), large: 'x'.repeat(10_000) };
      const first = new Registry();
      const sound = new AuditWatch({ auditLog, anchors, keys, log: silentLog, registry: first });
      assert.equal(await brokenAfter(sound, first), 0);
      for (const [name, content] of [...Object.entries(others), ['copied', text]]) {
        const key = `${AUDIT_ANCHORS}${name}.json`;
        await objects.put(key, Buffer.from(content ?? ''), 'application/json');
        const registry = new Registry();
        const watch = new AuditWatch({ auditLog, anchors, keys, log: silentLog, registry });
        assert.equal(await brokenAfter(watch, registry), 1, name);
        await objects.delete(key);
      }
      objects.close();
    });

    it('shows how long ago it was verified and anchored', async () => {
      let now = 0;
      let isAway = false;
      const keep = async () => {
        if (isAway) throw new Error('the object store is away');
      };
      const kept = { keep, list: async () => ({ heads: [], faults: [] }) };
      const registry = new Registry();
      const watch = new AuditWatch({ auditLog, anchors: kept, keys, log: silentLog, registry, now: () => now });
      const age = async () => (await registry.getSingleMetric('audit_anchor_age_seconds')?.get())?.values[0]?.value;
      now = 60_000;
      assert.equal(await age(), 60);
      await watch.anchor();
      assert.equal(await age(), 0);
      isAway = true;
      await send('one');
      now = 120_000;
      await assert.rejects(watch.anchor());
      assert.equal(await age(), 60);
      isAway = false;
      await watch.anchor();
      assert.equal(await age(), 0);
      await insertOdd({ _id: 3 });
      now = 180_000;
      await watch.anchor();
      assert.equal(await age(), 60);
    });

    it('is shown as broken by an earlier entry that was removed', async () => {
      const kept = { keep: async () => undefined, list: async () => ({ heads: [], faults: [] }) };
      const registry = new Registry();
      const watch = new AuditWatch({ auditLog, anchors: kept, keys, log: silentLog, registry });
      for (const id of ['one', 'two', 'three']) await send(id);
      assert.equal(await brokenAfter(watch, registry), 0);
      await AUDIT_ENTRIES.open(connection).deleteOne({ _id: 2 });
      assert.equal(await brokenAfter(watch, registry), 1);
    });

    it('counts a part of a long log in each turn, and the same part until it is whole', async () => {
      const kept = { keep: async () => undefined, list: async () => ({ heads: [], faults: [] }) };
      const registry = new Registry();
      const counted: number[] = [];
      const counting = {
        read: (after?: number) => auditLog.read(after),
        count: async (after: number, to: number) => {
          counted.push(to - after);
          return await auditLog.count(after, to);
        },
      };
      const options = { auditLog: counting, anchors: kept, keys, log: silentLog, registry, countedInTurn: 2 };
      const watch = new AuditWatch(options);
      for (const id of ['one', 'two', 'three', 'four', 'five']) await send(id);
      const turns = async (count: number) =>
        await Array.fromAsync(Array(count), async () => await brokenAfter(watch, registry));
      assert.deepEqual(await turns(10), Array(10).fill(0));
      const entries = AUDIT_ENTRIES.open(connection);
      for (const _id of [1, 4, 7]) {
        const entry = await entries.findOneAndDelete({ _id });
        const found = await turns(8);
        assert.deepEqual(found, [...found].sort(), `once found, ${_id} stays missing`);
        assert.equal(found.at(-1), 1, String(_id));
        if (entry) await entries.insertOne(entry);
        assert.deepEqual(await turns(5), Array(5).fill(0), String(_id));
        await insertOdd({ _id: _id + 0.5 });
        assert.equal((await turns(8)).at(-1), 1, `after ${_id}`);
        await entries.deleteOne({ _id: _id + 0.5 });
      }
      assert.ok(
        counted.every((numbers) => numbers <= 2),
        String(counted),
      );
    });
  });
});
