/**
 * Tests the states of signing keys on a real database: each step is repeated, run by many at once, and interrupted. The
 * tests set the clock.
 */
import assert from 'node:assert/strict';
import { createPrivateKey, randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { createRotationActivities } from '../../../activities/auth/signing-key-rotation-activities.ts';
import { SigningKeyRotationStore } from '../../../activities/auth/signing-key-rotation-store.ts';
import { parseKeyEncryptionKeys, ringOf } from '../../../activities/auth/signing-key-sealing.ts';
import { SigningKeyStore } from '../../../activities/auth/signing-key-store.ts';
import { type AuditTrail, evenUnrecorded } from '../../../activities/shared/audit.ts';
import type { KeyRing } from '../../../platform/keys/key-ring.ts';
import { connectMongo } from '../../../platform/mongo/mongo.ts';
import { silentLog } from '../../api/support/parcels.ts';
import { useMongo } from '../../support/stack.ts';
import { earlierKeyDocument } from './earlier-key.ts';

const BEGUN = Date.parse('2026-11-01T03:00:00Z');
const SECOND_MS = 1_000;
const AT_ONCE = 4;

describe('signing keys', () => {
  const encryptionKey = randomBytes(32);
  let connections: Connection[];
  let connection: Connection;
  let nowMs: number;

  before(async () => {
    const { uri } = await useMongo();
    connections = await Promise.all([1, 2, 3, 4].map(async () => await connectMongo(uri('signing-keys'))));
    [connection] = connections as [Connection];
  });
  beforeEach(async () => {
    nowMs = BEGUN;
    await connection.dropDatabase();
    await rotation().ensureIndexes();
  });
  after(async () => {
    await Promise.all(connections.map(async (each) => await each.close()));
  });

  const now = () => new Date(nowMs);
  const pass = (seconds: number) => {
    nowMs += seconds * SECOND_MS;
  };
  const documents = () => connection.collection<{ _id: string }>('signing_keys');

  function options(index: number, encryptionKeys: KeyRing) {
    return { connection: connections[index % connections.length] as Connection, encryptionKeys, now };
  }
  const rotation = (index = 0, ring = ringOf(encryptionKey)) => new SigningKeyRotationStore(options(index, ring));
  const auth = (index = 0, ring = ringOf(encryptionKey)) => new SigningKeyStore(options(index, ring));

  /** Runs `act` in many processes, twice in each. */
  async function byMany<Result>(act: (index: number) => Promise<Result>): Promise<Result[]> {
    return await Promise.all(Array.from({ length: AT_ONCE * 2 }, async (_, index) => await act(index)));
  }

  /** The states of all keys, oldest first. */
  async function states(): Promise<string> {
    return (await rotation().list()).map(({ state }) => state).join(' ');
  }

  async function published(): Promise<readonly (string | undefined)[]> {
    return (await auth().listPublicKeys()).map(({ kid }) => kid);
  }

  async function rotate(rotationId: string): Promise<string> {
    const { kid } = await rotation().publishNext(rotationId);
    pass(360);
    assert.equal(await rotation().startSigning(kid), 'SIGNS');
    return kid;
  }

  it('are withdrawn also when the audit log cannot be written, and are not rotated then', async () => {
    const first = await auth().adoptSigningKey(3_600);
    await rotate('october');
    const actor = { kind: 'PROCESS', id: 'operations-worker' } as const;
    const trail: AuditTrail = {
      record: async ({ evenUnrecorded: goesOn }, act) => (goesOn ? await act() : assert.fail('the log is away')),
    };
    const openKeys = (by: AuditTrail) =>
      new SigningKeyRotationStore({ ...options(0, ringOf(encryptionKey)), audit: { trail: by, actor } });
    const [keys, withdrawals] = [openKeys(trail), openKeys(evenUnrecorded(trail))];
    const activities = createRotationActivities({ keys, withdrawals, log: silentLog });
    await assert.rejects(activities.publishNext({ rotationId: 'november' }), /the log is away/);
    const kids = await activities.listKeys();
    assert.ok(kids.includes(first.kid));
    await activities.withdrawNext({ kids });
    const { kid } = await activities.publishNext({ rotationId: 'withdrawal', isWithdrawal: true });
    assert.equal(await activities.startSigning({ kid, atOnce: true }), 'SIGNS');
    await activities.withdrawRetired({ kids });
    assert.deepEqual(await published(), [kid]);
  });

  it('change from next to signing to retiring to absent, each at its time', async () => {
    const first = await auth().adoptSigningKey(3_600);
    pass(30 * 86_400);
    const { kid, signsFrom } = await rotation().publishNext('november');
    assert.deepEqual(await published(), [first.kid, kid]);
    assert.equal(signsFrom.getTime() - nowMs, 360 * SECOND_MS);
    pass(359);
    assert.equal(await rotation().startSigning(kid), 'TOO_EARLY');
    assert.equal((await auth().getSigningKey()).kid, first.kid);
    pass(1);
    assert.equal(await rotation().startSigning(kid), 'SIGNS');
    assert.equal((await auth().getSigningKey()).kid, kid);
    assert.equal(await states(), 'RETIRING SIGNING');
    pass(3_600 + 119);
    assert.equal((await rotation().removeRetired())?.getTime(), nowMs + SECOND_MS);
    assert.deepEqual(await published(), [first.kid, kid]);
    pass(1);
    assert.equal(await rotation().removeRetired(), undefined);
    assert.deepEqual(await published(), [kid]);
  });

  it('stay published for the longest lifetime of tokens of any process', async () => {
    await auth().adoptSigningKey(3_600);
    await auth(1).adoptSigningKey(7_200);
    await auth(2).adoptSigningKey(60);
    await rotate('november');
    assert.equal((await rotation().removeRetired())?.getTime(), nowMs + (7_200 + 120) * SECOND_MS);
  });

  it('stay for the longest possible lifetime when none was recorded', async () => {
    await auth().getSigningKey();
    await rotate('november');
    assert.equal((await rotation().removeRetired())?.getTime(), nowMs + (86_400 + 120) * SECOND_MS);
  });

  it('keep their private part only while they may sign', async () => {
    const { kid } = await auth().adoptSigningKey(3_600);
    await rotate('november');
    const retired = await documents().findOne({ _id: kid });
    assert.ok(retired && !('sealed' in retired) && !('privateKey' in retired));
  });

  it('are one for each step, also when many processes run it at once', async () => {
    const first = new Set((await byMany((at) => auth(at).adoptSigningKey(600))).map(({ kid }) => kid));
    assert.equal(first.size, 1);
    pass(1);
    for (const month of ['november', 'december']) {
      const next = new Set((await byMany((at) => rotation(at).publishNext(month))).map(({ kid }) => kid));
      assert.equal(next.size, 1);
      const [kid = ''] = next;
      assert.equal(await states(), 'SIGNING NEXT');
      pass(360);
      assert.deepEqual(new Set(await byMany((at) => rotation(at).startSigning(kid))), new Set(['SIGNS']));
      assert.equal(await states(), 'RETIRING SIGNING');
      assert.equal((await auth().adoptSigningKey(600)).kid, kid);
      pass(720);
      await byMany((at) => rotation(at).removeRetired());
      assert.deepEqual(await published(), [kid]);
    }
  });

  it('would be several without the indexes', async () => {
    await documents().dropIndexes();
    await byMany((at) => rotation(at).publishNext('november'));
    assert.ok((await published()).length > 1);
  });

  it('sign without a gap while rotations and auth processes meet', async () => {
    await auth().adoptSigningKey(600);
    let ended = false;
    const follow = async (at: number) => {
      while (!ended) await auth(at).adoptSigningKey(600);
    };
    const followers = [0, 1, 2].map(follow);
    for (const month of ['november', 'december', 'january']) {
      const { kid } = await rotation().publishNext(month);
      pass(360);
      await byMany((at) => rotation(at).startSigning(kid));
    }
    ended = true;
    await Promise.all(followers);
    // No follower may have made another key in the instant between two.
    assert.equal((await published()).length, 4);
    assert.equal(await states(), 'RETIRING RETIRING RETIRING SIGNING');
  });

  it('continue to sign when the rotation dies between two keys', async () => {
    const { kid: first } = await auth().adoptSigningKey(600);
    const { kid } = await rotation().publishNext('november');
    pass(360);
    await documents().updateOne({ _id: first }, { $set: { state: 'RETIRING', stoppedAt: now() } });
    assert.equal((await auth().adoptSigningKey(600)).kid, kid);
    assert.equal(await rotation().startSigning(kid), 'SIGNS');
  });

  it('ignore a late step of an earlier rotation', async () => {
    await auth().adoptSigningKey(600);
    const first = await rotate('november');
    assert.equal((await rotation().publishNext('november')).kid, first);
    const second = await rotate('december');
    assert.equal(await rotation().startSigning(first), 'GONE');
    assert.equal((await rotation().publishNext('november')).kid, first);
    assert.equal(await states(), 'RETIRING RETIRING SIGNING');
    assert.equal((await auth().getSigningKey()).kid, second);
  });

  it('of a lost rotation are used by the next one', async () => {
    await auth().adoptSigningKey(600);
    const { kid } = await rotation().publishNext('lost');
    pass(86_400);
    assert.equal((await rotation().publishNext('december')).kid, kid);
    assert.equal(await rotation().startSigning(kid), 'SIGNS');
  });

  it('are withdrawn at once: only the named ones, never the one that signs', async () => {
    const { kid: first } = await auth().adoptSigningKey(600);
    const { kid: next } = await rotation().publishNext('november');
    const untrusted = [first, next];
    await byMany((at) => rotation(at).withdrawNext(untrusted));
    pass(1);
    const { kid } = await rotation().publishNext('withdrawal');
    assert.notEqual(kid, next);
    await rotation().withdrawNext(untrusted);
    await rotation().withdrawRetired(untrusted);
    assert.equal(await states(), 'SIGNING NEXT');
    await byMany((at) => rotation(at).startSigning(kid, { atOnce: true }));
    await byMany((at) => rotation(at).withdrawRetired(untrusted));
    assert.deepEqual(await published(), [kid]);
    assert.equal(await rotation().startSigning(next), 'GONE');
  });

  it('go on signing while the change cannot be recorded', async () => {
    const { kid } = await auth().adoptSigningKey(3_600);
    const { kid: next } = await rotation().publishNext('november');
    pass(360);
    const record = async () => {
      throw new Error('the audit log is away');
    };
    const audit = { trail: { record }, actor: { kind: 'PROCESS', id: 'test' } } as const;
    const audited = new SigningKeyRotationStore({ ...options(0, ringOf(encryptionKey)), audit });
    await assert.rejects(audited.startSigning(next), /audit log is away/);
    assert.equal((await auth().getSigningKey()).kid, kid);
    assert.equal(await rotation().startSigning(next), 'SIGNS');
  });

  describe('under KEY_ENCRYPTION_KEY', () => {
    const plain = encryptionKey.toString('base64');
    const other = randomBytes(32).toString('base64');

    it('are read in the earlier format, and sealed again', async () => {
      const earlier = await earlierKeyDocument(encryptionKey);
      await documents().insertOne(earlier);
      await byMany((at) => auth(at).markEarlierKeys());
      const before = await auth(0, parseKeyEncryptionKeys(plain)).adoptSigningKey(600);
      assert.equal(before.kid, earlier._id);
      assert.equal(await rotation().resealKeys(), 1);
      assert.equal(await rotation().resealKeys(), 0);
      const after = await auth().getSigningKey();
      assert.ok(after.privateKey.equals(before.privateKey));
      assert.ok(!('privateKey' in ((await documents().findOne({ _id: earlier._id })) ?? {})));
    });

    it('are sealed again by the first key of a ring, so that the previous key can be removed', async () => {
      const { kid, privateKey } = await auth(0, parseKeyEncryptionKeys(plain)).adoptSigningKey(600);
      const { kid: next } = await rotation().publishNext('november');
      // The new key has the same id that the single key had.
      const both = parseKeyEncryptionKeys(`default:${other},earlier:${plain}`);
      assert.equal((await auth(0, both).getSigningKey()).kid, kid);
      assert.ok((await byMany((at) => rotation(at, both).resealKeys())).some((count) => count === 2));
      const alone = parseKeyEncryptionKeys(`renamed:${other}`);
      assert.ok((await auth(0, alone).getSigningKey()).privateKey.equals(privateKey));
      pass(360);
      assert.equal(await rotation(0, alone).startSigning(next), 'SIGNS');
      assert.equal((await auth(0, alone).getSigningKey()).kid, next);
      await assert.rejects(auth(0, parseKeyEncryptionKeys(plain)).getSigningKey(), /KEY_ENCRYPTION_KEY/);
    });

    it('do not open with a key of another id', async () => {
      await auth().getSigningKey();
      pass(1);
      const { kid: next } = await rotation().publishNext('november');
      const [signing, published] = await documents().find().sort({ createdAt: 1 }).toArray();
      assert.ok(signing && published);
      const { sealed } = signing as unknown as { sealed: object };
      await documents().updateOne({ _id: next }, { $set: { sealed } });
      pass(360);
      await assert.rejects(rotation().startSigning(next), /KEY_ENCRYPTION_KEY/);
      assert.equal(await states(), 'SIGNING NEXT', 'the key that signs keeps its private part');
      assert.ok(await auth().getSigningKey());
    });

    it('need keys of 32 bytes; errors name the variable and never a value', () => {
      for (const text of [
        '',
        'AAAA',
        `${plain}x`,
        'a:AAAA',
        `a:${plain},a:${plain}`,
        `:${plain}`,
        `${plain},${plain}`,
      ]) {
        assert.throws(
          () => parseKeyEncryptionKeys(text),
          ({ message }: Error) => message.startsWith('KEY_ENCRYPTION_KEY: ') && !message.includes(plain.slice(0, 8)),
          text,
        );
      }
      assert.equal(parseKeyEncryptionKeys(`a:${plain},b:${other}`).writingKeyId, 'a');
    });
  });

  it('are RSA keys of 2048 bits, published without the private part', async () => {
    const { privateKey } = await auth().getSigningKey();
    assert.equal(privateKey.asymmetricKeyDetails?.modulusLength, 2_048);
    assert.ok(createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })).equals(privateKey));
    const [jwk] = await auth().listPublicKeys();
    assert.deepEqual(Object.keys(jwk ?? {}).toSorted(), ['alg', 'e', 'kid', 'kty', 'n', 'use']);
  });
});
