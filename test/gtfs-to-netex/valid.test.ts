/** Every converted feed is a valid dataset, with its stops inside or in a separate register. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { convertFeed } from '../../gtfs-to-netex/convert.ts';
import { FeedError } from '../../gtfs-to-netex/feed/feed-error.ts';
import { changedFeeds } from './changed-feeds.ts';
import { FEATURE_FEEDS } from './feature-feeds.ts';
import { newPath, writeFeed } from './small-feed.ts';
import { validateArchive } from './validate-archive.ts';

const SHARED = process.env.SHARED_DIR ?? resolve(import.meta.dirname, '../../../shared');
const RAIL = join(SHARED, 'transit/porto-alegre-rail.gtfs.zip');
const GRAVE = /^(AUTHORITY_1|OPERATOR_1|COMPOSITE_FRAME_SITE_FRAME)$/;

async function digest(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}

describe('a converted feed', () => {
  for (const [name, tables] of Object.entries(FEATURE_FEEDS)) {
    it(`is valid with its stops inside: ${name}`, async () => {
      const dataset = newPath('valid.zip');
      await convertFeed({ feed: await writeFeed(tables), dataset, codespace: 'twn' });
      const { valid, messages, kind } = await validateArchive(dataset, { xmlns: 'TWN', today: '2026-11-20' });
      assert.ok(valid, messages.join('\n'));
      assert.equal(kind, 'timetable');
    });
  }

  it('is valid with its stops in a separate register, without a warning about them', async () => {
    const [dataset, register] = [newPath('dataset.zip'), newPath('register.zip')];
    await convertFeed({ feed: await writeFeed(FEATURE_FEEDS.stations), dataset, codespace: 'twn', register });
    const stops = await validateArchive(register, { xmlns: 'NSR', today: '2026-11-20' });
    assert.deepEqual({ kind: stops.kind, counts: stops.counts }, { kind: 'stop-register', counts: {} });
    const outcome = await validateArchive(dataset, { xmlns: 'TWN', today: '2026-11-20', register });
    assert.ok(outcome.valid, outcome.messages.join('\n'));
    assert.equal(outcome.counts.COMPOSITE_FRAME_SITE_FRAME, undefined);
  });

  it('has no avoidable finding when the feed is plain', async () => {
    const dataset = newPath('plain.zip');
    await convertFeed({ feed: await writeFeed({}), dataset, codespace: 'twn' });
    const { counts } = await validateArchive(dataset, { xmlns: 'TWN', today: '2026-11-20' });
    assert.deepEqual(
      Object.keys(counts).filter((code) => !GRAVE.test(code)),
      [],
    );
  });

  it('is byte for byte the same each time', async () => {
    const feed = await writeFeed(FEATURE_FEEDS.agencies);
    const paths = [newPath('one.zip'), newPath('two.zip')];
    for (const dataset of paths) await convertFeed({ feed, dataset, codespace: 'twn' });
    const [one, two] = await Promise.all(paths.map(digest));
    assert.equal(one, two);
  });

  it('is valid, or refused with a reason, for every broken feed', async () => {
    const seed = Number(process.env.FUZZ_SEED ?? 20261121);
    const count = Number(process.env.FUZZ_COUNT ?? 60);
    let refused = 0;
    for (const { tables, description } of changedFeeds(seed, count)) {
      const dataset = newPath('changed.zip');
      try {
        await convertFeed({ feed: await writeFeed(tables), dataset, codespace: 'twn' });
      } catch (error) {
        assert.ok(error instanceof FeedError, `seed ${seed}: ${description}: ${error}`);
        refused++;
        continue;
      }
      const { valid, messages } = await validateArchive(dataset, { xmlns: 'TWN', today: '2026-11-20' });
      assert.ok(valid, `seed ${seed}: ${description}: ${messages[0]}`);
    }
    assert.ok(refused < count, 'every feed was refused');
  });

  it('is valid for a real railway', async function () {
    if (!existsSync(RAIL)) return this.skip();
    const dataset = newPath('rail.zip');
    const { counts } = await convertFeed({ feed: RAIL, dataset, codespace: 'par' });
    assert.equal(counts.journeys, 1248);
    const { valid, messages } = await validateArchive(dataset, { xmlns: 'PAR', today: '2019-05-14' });
    assert.ok(valid, messages.join('\n'));
  });
});
