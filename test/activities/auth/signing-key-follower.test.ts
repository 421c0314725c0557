/** An auth process must sign with the current key of its last read, and must not sign when that read is too old. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { SigningKeyFollower } from '../../../activities/auth/signing-key-follower.ts';
import { createLog } from '../../../platform/log.ts';
import { until } from '../../support/until.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const NEVER_MS = 3_600_000;

describe('the follower of signing keys', () => {
  let nowMs: number;
  let signing: string | undefined;
  let away: boolean;
  let asked: number;
  let adopted: number[];
  let follower: SigningKeyFollower;

  const keys = {
    findSigningKid: async () => {
      asked += 1;
      if (away) throw new Error('no database');
      return signing;
    },
    adoptSigningKey: async (lifetimeSeconds: number) => {
      if (away) throw new Error('no database');
      adopted.push(lifetimeSeconds);
      signing ??= 'healed';
      return { kid: signing, privateKey };
    },
  };

  async function start(everyMs = NEVER_MS): Promise<void> {
    const log = createLog({ level: 'silent', name: 'follower' });
    follower = await SigningKeyFollower.start({ keys, lifetimeSeconds: 600, log, everyMs, nowMs: () => nowMs });
  }
  const kid = async () => (await follower.current()).kid;

  beforeEach(() => {
    [nowMs, signing, away, asked, adopted] = [1_000_000, 'one', false, 0, []];
  });
  afterEach(() => follower?.stop());

  it('changes to another key within one read, and records the lifetime of its tokens', async () => {
    await start(10);
    assert.equal(await kid(), 'one');
    signing = 'two';
    await until(async () => (await kid()) === 'two');
    assert.deepEqual(adopted, [600, 600]);
  });

  it('does not read the database for each token', async () => {
    await start();
    for (let count = 0; count < 100; count += 1) await kid();
    assert.equal(asked, 0);
  });

  it('reads before it signs after half a minute without a read, once for all waiting requests', async () => {
    await start();
    signing = 'two';
    nowMs += 29_999;
    assert.equal(await kid(), 'one');
    nowMs += 1;
    assert.deepEqual(await Promise.all([kid(), kid(), kid()]), ['two', 'two', 'two']);
    assert.equal(asked, 1);
  });

  it('signs nothing while the key cannot be confirmed, and resumes at once', async () => {
    await start();
    away = true;
    nowMs += 30_000;
    await assert.rejects(follower.current(), { code: 'UNAVAILABLE', status: 503 });
    away = false;
    assert.equal(await kid(), 'one');
  });

  it('starts a key when it finds none that signs', async () => {
    await start();
    signing = undefined;
    await follower.look();
    assert.equal(await kid(), 'healed');
  });

  it('does not start without a key', async () => {
    away = true;
    await assert.rejects(start(), /no database/);
  });
});
