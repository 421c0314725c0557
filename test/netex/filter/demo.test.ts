/**
 * Filters the demo region and random variations of it. Compares the kept elements with the oracle, and checks the
 * properties of every filtered dataset. `FILTER_SEED=n` repeats a run, `FILTER_ROUNDS=n` makes it longer.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type DemoData, generateDemo } from '../../../dev/demo/generate.ts';
import { createRandom, type Random } from '../../../dev/demo/random.ts';
import type { FilterMode } from '../../../netex/filter/index.ts';
import { DEMO_DATE, temporaryFolder } from '../../support/demo-dataset.ts';
import { openSchemas } from '../support/schema-samples.ts';
import {
  danglingReferences,
  type Filtered,
  filesOf,
  filter,
  idsOf,
  severeFindings,
  textsOf,
  treesOf,
  zipOf,
} from './filtered-dataset.ts';
import { Oracle } from './oracle.ts';

const SEED = process.env.FILTER_SEED ?? '20261121';
const ROUNDS = Number(process.env.FILTER_ROUNDS ?? 4);
/** Lines with dated journeys, train blocks, restrictions, flexible service, night service, sea and road. */
const LINES = [207, 202, 42, 180, 31, 303, 401];
const MAY_BE_RESTRICTED =
  /<(Line|ServiceJourney|JourneyPattern|Route|Notice|DeadRun|DatedServiceJourney|DayType|Block|Operator|Network) (?![^>]*publication=)/g;
const RESTRICTED_KINDS = 12;

describe('the demo region, filtered', () => {
  let data: DemoData;

  before(async () => {
    data = await generateDemo({ date: DEMO_DATE, directory: temporaryFolder(), lines: LINES });
  });

  async function few(): Promise<ReadonlyMap<string, Uint8Array>> {
    return await filesOf(new Uint8Array(readFileSync(data.timetable)));
  }

  /** Asserts the properties of every filtered dataset. */
  async function assertSound(input: ReadonlyMap<string, Uint8Array>, result: Filtered, mode: FilterMode, day: string) {
    const { files, outcome } = result;
    const before = new Set(await severeFindings(input, { xmlns: 'DEM' }));
    const after = await severeFindings(files, { xmlns: 'DEM' });
    if (before.size === 0 && !outcome.empty) assert.deepEqual(after, []);
    assert.deepEqual(danglingReferences(files, 'DEM'), []);
    if (outcome.empty) return;
    const again = await filter(result.zip, { xmlns: 'DEM', day, mode });
    assert.ok(Buffer.compare(again.zip, result.zip) === 0, 'filtered again it is the same');
    assertNoTrace(input, files);
  }

  /** Asserts that removed ids occur nowhere. */
  function assertNoTrace(input: ReadonlyMap<string, Uint8Array>, files: ReadonlyMap<string, Uint8Array>): void {
    const text = textsOf(files);
    const values = new Set([...text.matchAll(/"(DEM:[^"]*)"/g)].map(([, value = '']) => value));
    const ids = new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
    for (const [, id = ''] of textsOf(input).matchAll(/ id="(DEM:[^"]*)"/g)) {
      assert.ok(ids.has(id) || !values.has(id), `${id} is gone, but for a reference`);
    }
  }

  /** Asserts that the oracle keeps the same journeys, and that dead runs stay only in files with a journey. */
  function assertFiltered(
    input: ReadonlyMap<string, Uint8Array>,
    files: ReadonlyMap<string, Uint8Array>,
    day: string,
    mode: FilterMode,
  ) {
    const trees = treesOf(input);
    const oracle = new Oracle(trees, day, mode);
    const dated = Map.groupBy(
      trees.flatMap((tree) => [...tree.all('DatedServiceJourney')]),
      (tree) => tree.ref('ServiceJourneyRef') ?? '',
    );
    const journeys = trees.map((tree) =>
      [...tree.all('ServiceJourney')].filter((journey) => oracle.isKept(journey, dated.get(journey.id) ?? [])),
    );
    assert.deepEqual(
      idsOf(files, 'ServiceJourney'),
      journeys
        .flat()
        .map(({ id }) => id)
        .sort(),
    );
    const deadRuns = trees.flatMap((tree, place) =>
      mode === 'private' && journeys[place]?.length
        ? [...tree.all('DeadRun')].filter((run) => oracle.isKept(run, []))
        : [],
    );
    assert.deepEqual(idsOf(files, 'DeadRun'), deadRuns.map(({ id }) => id).sort());
  }

  it('keeps everything in private, valid by schema and rules', async () => {
    const input = await few();
    const result = await filter(zipOf(Object.fromEntries(input)), { xmlns: 'DEM', day: DEMO_DATE });
    assert.deepEqual(await severeFindings(result.files, { xmlns: 'DEM' }, openSchemas()), []);
    for (const kind of ['Line', 'ServiceJourney', 'DatedServiceJourney', 'DeadRun', 'TrainBlock', 'Block', 'Route']) {
      assert.deepEqual(idsOf(result.files, kind), idsOf(input, kind), kind);
    }
    assert.deepEqual(result.outcome.dropped.ServiceJourney, undefined);
    await assertSound(input, result, 'private', DEMO_DATE);
  });

  it('has no restricted elements in public', async () => {
    const input = await few();
    const result = await filter(zipOf(Object.fromEntries(input)), { xmlns: 'DEM', day: DEMO_DATE, mode: 'public' });
    assert.equal(idsOf(result.files, 'Block').length + idsOf(result.files, 'DeadRun').length, 0);
    assert.ok(!result.outcome.files.some(({ name }) => name.includes('A1')), 'the restricted line');
    assert.doesNotMatch(textsOf(result.files), /publication="(?!public)/);
    assertFiltered(input, result.files, DEMO_DATE, 'public');
    await assertSound(input, result, 'public', DEMO_DATE);
  });

  for (let round = 0; round < ROUNDS; round++) {
    it(`agrees with the oracle in random variations, seed ${SEED}, round ${round}`, async () => {
      const random = createRandom(`${SEED} ${round}`);
      const input = vary(await few(), random);
      const mode = random.pick<FilterMode>(['private', 'public']);
      const day = new Date(Date.parse(DEMO_DATE) + random.integer(-10, 45) * 86_400_000).toISOString().slice(0, 10);
      const result = await filter(zipOf(Object.fromEntries(input)), { xmlns: 'DEM', day, mode });
      assertFiltered(input, result.files, day, mode);
      await assertSound(input, result, mode, day);
    });
  }
});

/** Restricts elements and moves dates. */
function vary(files: ReadonlyMap<string, Uint8Array>, random: Random): Map<string, Uint8Array> {
  const varied = new Map<string, Uint8Array>();
  for (const [name, bytes] of files) {
    const share = random.between(0, 1.2 / RESTRICTED_KINDS);
    const moved = random.between(0, 0.5);
    const text = Buffer.from(bytes)
      .toString()
      .replace(MAY_BE_RESTRICTED, (tag) => {
        const isRare = /Operator|Network|DayType /.test(tag);
        return random.chance(isRare ? share / 4 : share) ? `${tag}publication="restricted" ` : tag;
      })
      .replace(/<(Date|CalendarDate)>([^<]+)</g, (whole, element: string, date: string) => {
        if (!random.chance(moved)) return whole;
        const days = random.integer(-20, 20);
        return `<${element}>${new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10)}<`;
      });
    varied.set(name, Buffer.from(text));
  }
  return varied;
}
