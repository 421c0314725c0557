/**
 * The short form of `npm run attack:http`: one client takes connections, uploads and event readers, and other callers
 * are served. Their times are compared on a quiet machine only, by that command.
 */
import assert from 'node:assert/strict';
import { type AttackResult, startTarget, type Target } from '../../dev/bench/attack/attack.ts';

const OTHERS_PER_SECOND = 30;
const SECONDS = 3;
const QUOTA = { UPLOADS_PER_CLIENT: '3', EVENT_READERS_PER_CLIENT: '20' };

describe('An attack on connections and slots', () => {
  let target: Target;

  before(async () => {
    target = await startTarget(OTHERS_PER_SECOND, QUOTA);
  });
  after(async () => {
    await target?.stop();
  });

  function assertOthersServed({ attacked }: AttackResult): void {
    assert.deepEqual(new Set(attacked.answers.map(({ status }) => status)), new Set([200]));
    assert.equal(attacked.answers.length, OTHERS_PER_SECOND * SECONDS);
  }

  it('by 600 trickled connections leaves other callers served', async () => {
    const result = await target.attack({ kind: 'trickle', callers: 600, bytes: 0 }, SECONDS);
    assertOthersServed(result);
    assert.ok((result.tally.opened ?? 0) >= 600);
  });

  it('by 20 parallel uploads is refused beyond the quota', async () => {
    const result = await target.attack({ kind: 'uploads', callers: 20, bytes: 20_000_000, answersFirst: 17 }, SECONDS);
    assertOthersServed(result);
    assert.ok((result.tally['429'] ?? 0) >= 10, JSON.stringify(result.tally));
    assert.equal(result.tally['500'], undefined);
  });

  it('by 200 waiting event readers is refused beyond the slots', async () => {
    const result = await target.attack({ kind: 'readers', callers: 200, bytes: 0, answersFirst: 180 }, SECONDS);
    assertOthersServed(result);
    assert.ok((result.tally['429'] ?? 0) >= 180, JSON.stringify(result.tally));
  });

  it('by 100 event readers that come again at once is slowed down', async () => {
    const result = await target.attack({ kind: 'impatient', callers: 100, bytes: 0, answersFirst: 80 }, SECONDS);
    assertOthersServed(result);
    // 80 that are refused, each late: some 50 at once and 80 late ones in a second. Without that, thousands.
    assert.ok((result.tally['429'] ?? 0) < 1_500, JSON.stringify(result.tally));
  });
});
