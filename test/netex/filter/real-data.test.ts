/**
 * The filter over real datasets: the output is valid by our rules, reproducible byte for byte, and unchanged when
 * filtered again.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FilterMode } from '../../../netex/filter/index.ts';
import type { SchemaSet } from '../../../netex/schema/index.ts';
import { sharedDirectory } from '../../support/folders.ts';
import { openSchemas } from '../support/schema-samples.ts';
import { danglingReferences, type Filtered, filesOf, filter, severeFindings, textsOf } from './filtered-dataset.ts';

const FLB = 'derived-flb';
const PRIVATE = `${FLB}/flb-private-blocks-deadrun-restricted-valid.zip`;

describe('real datasets, filtered', () => {
  let schemas: SchemaSet;

  before(function () {
    const shared = sharedDirectory();
    if (!shared || !existsSync(join(shared, 'netex', 'data'))) return this.skip();
    schemas = openSchemas();
  });

  function read(path: string): Uint8Array {
    return new Uint8Array(readFileSync(join(sharedDirectory() ?? '', 'netex', 'data', path)));
  }

  /**
   * Asserts the properties of every filtered dataset. `skipsSchema`: skips the schema, whose version would be compiled
   * for this file alone.
   */
  async function run(path: string, day: string, mode: FilterMode = 'private', skipsSchema = false): Promise<Filtered> {
    const xmlns = /(?:rb_|\/)([a-z]{3})-/.exec(path)?.[1]?.toUpperCase() ?? 'RUT';
    const input = read(path);
    const result = await filter(input, { xmlns, day, mode });
    if (result.outcome.empty) return result;
    const again = await filter(input, { xmlns, day, mode });
    assert.ok(Buffer.compare(result.zip, again.zip) === 0, 'the same bytes');
    const twice = await filter(result.zip, { xmlns, day, mode });
    assert.ok(Buffer.compare(result.zip, twice.zip) === 0, 'the same when filtered again');
    assert.deepEqual(twice.outcome.dropped, {});
    assert.deepEqual(await severeFindings(result.files, { xmlns }, skipsSchema ? undefined : schemas), []);
    const dangling = danglingReferences(await filesOf(input), xmlns);
    assert.deepEqual(
      danglingReferences(result.files, xmlns).filter((one) => !dangling.includes(one)),
      [],
    );
    return result;
  }

  it('keep blocks, dead runs and restricted journeys in private', async () => {
    const { outcome, files } = await run(PRIVATE, '2021-10-07');
    assert.deepEqual(outcome.dropped, {});
    assert.deepEqual(
      [outcome.kept.Block, outcome.kept.DeadRun, outcome.kept.ServiceJourney, outcome.kept.ServiceLink],
      [1, 1, 15, 55],
    );
    assert.deepEqual([...files.keys()], ['_FLB_shared_data.xml', 'FLB_FLB-Line-42_42_Flamsbana.xml']);
    // All days lie in the window, so the text stays the same except for the declaration.
    const text = (of: ReadonlyMap<string, Uint8Array>) => textsOf(of).replace(/<\?xml[^>]*>\s*|\s+$/gm, '');
    assert.ok(text(files) === text(await filesOf(read(PRIVATE))));
  });

  it('have none of them in public', async () => {
    const { outcome, files } = await run(PRIVATE, '2021-10-07', 'public');
    assert.deepEqual(outcome.dropped, {
      Block: { 'vehicle-schedule': 1 },
      DeadRun: { 'vehicle-schedule': 1 },
      ServiceJourney: { restricted: 1 },
    });
    assert.doesNotMatch(textsOf(files), /1-6-1855-202106151508|Block|DeadRun|VehicleScheduleFrame|restricted/);
  });

  it('keep a restricted line in private, and are empty in public', async () => {
    const path = `${FLB}/flb-private-restricted-line-valid.zip`;
    assert.deepEqual((await run(path, '2021-10-07')).outcome.dropped, {});
    const { outcome } = await run(path, '2021-10-07', 'public');
    assert.ok(outcome.empty);
    assert.deepEqual(outcome.dropped.Line, { restricted: 1 });
  });

  it('are empty when they lie in the past', async () => {
    const { outcome } = await run(`${FLB}/flb-time-all-in-past.zip`, '2026-11-21');
    assert.ok(outcome.empty);
    assert.deepEqual(outcome.dropped.ServiceJourney, { 'no-day-left': 15 });
    assert.deepEqual(outcome.files, []);
  });

  it('keep part of a calendar, day by day', async () => {
    const path = 'entur__antu/rb_flb-aggregated-netex.zip';
    const dates = [...textsOf(await filesOf(read(path))).matchAll(/<Date>([^<]*)</g)].map(([, date = '']) => date);
    for (const day of ['2021-10-07', '2021-10-08', '2021-11-01', '2021-12-13', '2021-12-14']) {
      const { outcome } = await run(path, day);
      const twoDaysBefore = new Date(Date.parse(day) - 2 * 86_400_000).toISOString().slice(0, 10);
      const left = dates.filter((date) => date >= twoDaysBefore).length;
      assert.equal(outcome.kept.DayTypeAssignment ?? 0, left, day);
      assert.equal(outcome.empty, left === 0, day);
    }
  });

  it('keep two lines with operating days as ends of periods', async () => {
    const { outcome } = await run(
      'entur__netex-gtfs-converter-java/rb_sjv-aggregated-netex.zip',
      '2022-01-10',
      'private',
      true,
    );
    assert.deepEqual(outcome.dropped.ServiceJourney, { 'no-day-left': 1 });
    assert.deepEqual(
      outcome.files.map(({ name }) => name),
      [
        '_SJV_shared_data.xml',
        'SJV_SJV-Line-70_70_Stockholm-Hallsberg-Karlstad-Oslo.xml',
        'SJV_SJV-Line-70_70_Stockholm-Karlstad.xml',
      ],
    );
  });

  it('keep a flexible line with its stop places', async () => {
    const path = 'entur__netex-validator-java/rb_bra-flexible-lines-valid-passing-times.zip';
    const { outcome } = await run(path, '2022-06-10', 'private', true);
    assert.deepEqual(outcome.dropped, {});
    assert.deepEqual([outcome.kept.FlexibleLine, outcome.kept.FlexibleStopPlace], [1, 3]);
  });

  it('drop dead runs without any day', async () => {
    const { outcome } = await run('entur__netex-parser-java/deadRuns.zip', '2024-03-01');
    assert.ok(outcome.empty);
    assert.deepEqual(outcome.dropped.DeadRun, { 'no-day-left': 2 });
  });

  it('keep an operator of 58.9 MB within its time limit', async () => {
    const input = read('entur__marduk/AOR.zip');
    const { outcome, files } = await filter(input, { xmlns: 'RUT', day: '2017-05-01' });
    assert.equal(outcome.kept.ServiceJourney, 4402);
    assert.equal(outcome.kept.Line, 97);
    assert.deepEqual(outcome.dropped, {
      DayType: { 'no-day-left': 42 },
      DestinationDisplay: { unreferenced: 2 },
      Operator: { unreferenced: 18 },
      StopPlace: { unreferenced: 19 },
    });
    assert.deepEqual(outcome.droppedFiles, ['blocks.xml']);
    assert.equal(files.size, 98);
    assert.ok((await filter(input, { xmlns: 'RUT', day: '2026-11-21' })).outcome.empty);
  });
});
