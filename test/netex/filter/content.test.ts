/**
 * Content, apart from days, that the filter keeps and drops: restricted, unknown and unreferenced elements; names; text
 * as written.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../../dev/setup/resolve.mjs';
import { filterDataset } from '../../../netex/filter/index.ts';
import { bufferRangeReader, DEFAULT_ARCHIVE_LIMITS, openArchive } from '../../../netex/zip/index.ts';
import {
  danglingReferences,
  type Filtered,
  filesOf,
  filter,
  idsOf,
  severeFindings,
  textsOf,
  zipOf,
} from './filtered-dataset.ts';
import { type Change, calendar, FERRY, LINE, publication, SHARED, sampleFiles, sampleZip } from './sample-dataset.ts';

const DAY = '2026-12-01';

/** Filters the changed sample. Both the sample and the output must break no rule. */
async function run(mode: 'private' | 'public', ...changes: Change[]): Promise<Filtered> {
  const input = sampleZip(...changes);
  assert.deepEqual(await severeFindings(await filesOf(input), { xmlns: 'ABC' }), []);
  const result = await filter(input, { xmlns: 'ABC', day: DAY, mode });
  assert.deepEqual(await severeFindings(result.files, { xmlns: 'ABC' }), []);
  assert.deepEqual(danglingReferences(result.files, 'ABC'), []);
  return result;
}

/** Asserts that ids of the sample that are missing from the output occur nowhere in it. */
async function assertNoTrace({ files }: Filtered, ...changes: Change[]): Promise<string[]> {
  const idPattern = / id="(ABC:[^"]+)"/g;
  const ids = (text: string) => [...text.matchAll(idPattern)].map(([, id = '']) => id);
  const text = textsOf(files);
  const kept = new Set(ids(text));
  const gone = ids(Object.values(sampleFiles(...changes)).join()).filter((id) => !kept.has(id));
  assert.deepEqual(
    gone.filter((id) => text.includes(`"${id}"`)),
    [],
  );
  return gone;
}

describe('the content of a filtered dataset', () => {
  it('private: has all elements that run, restricted or not', async () => {
    const changes = [publication(LINE, 'ABC:Line:1'), publication(FERRY, 'ABC:ServiceJourney:2-out-0715', 'private')];
    const { outcome, files } = await run('private', ...changes);
    assert.deepEqual(outcome.dropped, {});
    assert.deepEqual(outcome.droppedFiles, []);
    assert.equal(outcome.kept.Block, 1);
    assert.equal(outcome.kept.DeadRun, 1);
    assert.match(textsOf(files), /<Line publication="restricted"/);
  });

  it('public: has no blocks and dead runs, nor elements that only they use', async () => {
    const result = await run('public');
    assert.deepEqual(result.outcome.dropped.Block, { 'vehicle-schedule': 1 });
    assert.deepEqual(result.outcome.dropped.DeadRun, { 'vehicle-schedule': 1 });
    assert.deepEqual(result.outcome.dropped.JourneyPattern, { unreferenced: 1 });
    assert.equal(result.outcome.kept.ServiceJourney, 9);
    assert.ok(!textsOf(result.files).includes('VehicleScheduleFrame'));
    assert.ok((await assertNoTrace(result)).includes('ABC:Route:1-depot'));
  });

  for (const value of ['restricted', 'private', 'confidential', 'authorised', 'test']) {
    it(`public: a line that is ${value} leaves no trace`, async () => {
      const change = publication(LINE, 'ABC:Line:1', value);
      const result = await run('public', change);
      assert.deepEqual(result.outcome.dropped.Line, { restricted: 1 });
      assert.deepEqual(result.outcome.droppedFiles, [LINE]);
      assert.deepEqual(result.outcome.dropped.ServiceJourneyInterchange, { restricted: 1 });
      const gone = await assertNoTrace(result, change);
      for (const id of ['ABC:Line:1', 'ABC:ServiceJourney:1-out-0700', 'ABC:Notice:sykkel'])
        assert.ok(gone.includes(id), id);
      assert.ok(!textsOf(result.files).includes('publication'));
    });
  }

  const restricted: ReadonlyArray<[string, Change, gone: string, stays: string]> = [
    [
      'a journey',
      publication(LINE, 'ABC:ServiceJourney:1-out-0700'),
      'NoticeAssignment:1-2',
      'ServiceJourney:1-out-2356',
    ],
    [
      'a pattern',
      publication(LINE, 'ABC:JourneyPattern:1-back'),
      'ServiceJourney:1-back-0730',
      'ServiceJourney:1-out-0700',
    ],
    ['a stop of a pattern', publication(LINE, 'ABC:StopPointInJourneyPattern:1-back-2'), 'Route:1-back', 'Route:1-out'],
    ['an operator', publication(SHARED, 'ABC:Operator:ferja'), 'Line:2', 'Line:1'],
    ['a notice', publication(SHARED, 'ABC:Notice:sykkel'), 'NoticeAssignment:1-2', 'ServiceJourney:1-out-0700'],
    ['a day type', publication(SHARED, 'ABC:DayType:natt'), 'ServiceJourney:1-out-2356', 'ServiceJourney:1-out-0700'],
    [
      'an assignment of days',
      publication(SHARED, 'ABC:DayTypeAssignment:hverdag-2'),
      'ServiceJourney:1-out-0700',
      'ServiceJourney:1-out-2356',
    ],
    [
      'an assignment of a stop',
      publication(SHARED, 'ABC:PassengerStopAssignment:brua-back'),
      'ServiceJourney:1-back-0730',
      'ServiceJourney:1-out-0700',
    ],
    ['a frame', publication(LINE, 'ABC:TimetableFrame:1'), 'Line:1', 'Line:2'],
    ['a file', publication(FERRY, 'ABC:CompositeFrame:2'), 'ServiceJourney:2-out-0715', 'Line:1'],
    [
      'what is replaced',
      publication(LINE, 'ABC:DatedServiceJourney:1-out-1200-01'),
      'OperatingDay:',
      'DatedServiceJourney:1-out-1205-01',
    ],
  ];
  for (const [what, change, gone, stays] of restricted) {
    it(`public: drops a restricted ${what} with the elements that need it, and no more`, async () => {
      const result = await run('public', change);
      await assertNoTrace(result, change);
      const text = textsOf(result.files);
      assert.ok(text.includes(`id="ABC:${stays}"`), stays);
      if (!gone.endsWith(':')) assert.ok(!text.includes(`"ABC:${gone}"`), gone);
    });
  }

  it('removes Extensions, foreign namespaces and unknown kinds, and the references to them', async () => {
    const changes: Change[] = [
      [LINE, '<PublicCode>1</PublicCode>', '<Extensions><secret id="x"/></Extensions><PublicCode>1</PublicCode>'],
      [LINE, '<FrameDefaults>', '<own:note xmlns:own="urn:own">Hei</own:note><FrameDefaults>'],
      [
        SHARED,
        '<notices>',
        '<logicalDisplays><LogicalDisplay id="ABC:LogicalDisplay:1" version="1"/></logicalDisplays><notices>',
      ],
      [LINE, '<Name>Kaia</Name>', '<Name>Kaia</Name><LogicalDisplayRef ref="ABC:LogicalDisplay:1"/>'],
    ];
    const { files, outcome } = await filter(sampleZip(...changes), { xmlns: 'ABC', day: DAY });
    assert.doesNotMatch(textsOf(files), /Extensions|secret|own|LogicalDisplay|logicalDisplays/);
    assert.deepEqual(await severeFindings(files, { xmlns: 'ABC' }), []);
    assert.deepEqual(Object.keys(outcome.dropped), ['(other namespace)', 'Extensions', 'LogicalDisplay']);
    assert.deepEqual(outcome.cutReferences, { LogicalDisplayRef: 1 });
    const same = await filter(sampleZip(), { xmlns: 'ABC', day: DAY });
    const bare = (text: string) => text.replace(/>\s+</g, '><');
    assert.equal(bare(textsOf(files)), bare(textsOf(same.files)));
  });

  it('removes unreferenced elements, link by link', async () => {
    const { outcome, files } = await run(
      'private',
      calendar(['2026-12-02'], ['2026-01-01']),
      [LINE, /<ServiceJourney id="ABC:ServiceJourney:1-back-0730".*?<\/ServiceJourney>/s, ''],
      [LINE, '<VehicleJourneyRef ref="ABC:ServiceJourney:1-back-0730" version="1"/>', ''],
    );
    assert.deepEqual(outcome.dropped.Route, { unreferenced: 1 });
    assert.deepEqual(outcome.dropped.JourneyPattern, { unreferenced: 1 });
    assert.ok((outcome.dropped.ScheduledStopPoint?.unreferenced ?? 0) >= 4);
    assert.equal(
      outcome.dropped.PassengerStopAssignment?.unreferenced,
      outcome.dropped.ScheduledStopPoint?.unreferenced,
    );
    assert.equal(idsOf(files, 'ServiceLink').filter((id) => id.includes('back')).length, 0);
  });

  it('removes the reference to a removed inverse route', async () => {
    const inverse: Change = [
      LINE,
      '<DirectionType>outbound</DirectionType>',
      '<DirectionType>outbound</DirectionType><InverseRouteRef ref="ABC:Route:1-back" version="1"/>',
    ];
    assert.match(textsOf((await run('private', inverse)).files), /InverseRouteRef/);
    const result = await run('public', inverse, publication(LINE, 'ABC:JourneyPattern:1-back'));
    assert.doesNotMatch(textsOf(result.files), /InverseRouteRef/);
    assert.equal(result.outcome.cutReferences.InverseRouteRef, 1);
  });

  it('removes journeys from a block, and the block with its last journey', async () => {
    const night: Change = [LINE, /(ServiceJourney:1-back-0730" version="1">.*?DayType:)hverdag/s, '$1natt'];
    const one = await run('private', night, calendar(['2026-12-02'], ['2026-01-01']));
    assert.deepEqual(one.outcome.cutReferences, { VehicleJourneyRef: 1 });
    assert.equal(one.outcome.kept.Block, 1);
    const loner: Change = [
      LINE,
      /<DeadRunRef[^>]*>\s*<VehicleJourneyRef ref="ABC:ServiceJourney:1-out-0700"[^>]*>/,
      '',
    ];
    const none = await run('private', loner, night, calendar(['2026-12-02'], ['2026-01-01']));
    assert.deepEqual(none.outcome.dropped.Block, { 'no-journey-left': 1 });
    assert.ok(!textsOf(none.files).includes('VehicleScheduleFrame'));
  });

  it('finds the journeys of blocks that lie in a common file of their own', async () => {
    const files = sampleFiles(publication(LINE, 'ABC:ServiceJourney:1-out-0700'));
    const frame = /<VehicleScheduleFrame.*<\/VehicleScheduleFrame>/s;
    const blocks = frame.exec(files[LINE] ?? '')?.[0] ?? assert.fail();
    const head =
      /^.*<frames>/s.exec(files[SHARED] ?? '')?.[0].replace('CompositeFrame:shared', 'CompositeFrame:b') ?? '';
    const tail = '</frames></CompositeFrame></dataObjects></PublicationDelivery>';
    const input = {
      ...files,
      [LINE]: (files[LINE] ?? '').replace(frame, ''),
      '_blocks.xml':
        head +
        blocks.replaceAll(/ref="ABC:(Service|Dead)[^"]*" version="1"/g, (ref) => ref.replace(' version="1"', '')) +
        tail,
    };
    const all = await filter(zipOf(input), { xmlns: 'ABC', day: DAY });
    assert.deepEqual(all.outcome.dropped, {});
    assert.deepEqual(
      all.outcome.files.slice(0, 2).map(({ name, from }) => [name, from]),
      [
        ['_ABC_shared_data.xml', '_ABC_shared_data.xml'],
        ['_ABC_shared_data_02.xml', '_blocks.xml'],
      ],
    );
    assert.deepEqual(await severeFindings(all.files, { xmlns: 'ABC' }), []);
    const shown = await filter(zipOf(input), { xmlns: 'ABC', day: DAY, mode: 'public' });
    assert.deepEqual(shown.outcome.droppedFiles, ['_blocks.xml']);
  });

  it('leaves out a line that only has a dead run left', async () => {
    const changes: Change[] = [
      [
        LINE,
        /DayType:hverdag"\/>\s*<\/dayTypes>\s*<JourneyPatternRef ref="ABC:JourneyPattern:1-(out|back)"/g,
        'DayType:natt"/></dayTypes><JourneyPatternRef ref="ABC:JourneyPattern:1-$1"',
      ],
      [SHARED, 'Date>2026-12-01<', 'Date>2020-12-01<'],
      [SHARED, 'Date>2026-12-02<', 'Date>2020-12-02<'],
      calendar(['2026-12-02'], ['2026-01-01']),
    ];
    const { outcome } = await run('private', ...changes);
    assert.deepEqual(outcome.droppedFiles, [LINE]);
    assert.deepEqual(outcome.dropped.DeadRun, { 'no-journey-left': 1 });
    assert.deepEqual(outcome.dropped.Block, { 'no-journey-left': 1 });
  });

  it('keeps frames that a file without a CompositeFrame must have, even empty', async () => {
    const validity =
      '<validityConditions><AvailabilityCondition id="ABC:AvailabilityCondition:9" version="1"><FromDate>2026-11-01T00:00:00</FromDate></AvailabilityCondition></validityConditions>';
    const resources =
      '<ResourceFrame id="ABC:ResourceFrame:1" version="1"><organisations><Operator id="ABC:Operator:idle" version="1"><Name>Ingen</Name></Operator></organisations></ResourceFrame>';
    const { files, outcome } = await run(
      'public',
      [LINE, /<CompositeFrame.*<frames>/s, resources],
      [LINE, /<\/frames>\s*<\/CompositeFrame>/, ''],
      [LINE, /<ServiceFrame [^>]*>/, `$&${validity}`],
    );
    assert.deepEqual(outcome.dropped.Operator, { unreferenced: 1 });
    const text = Buffer.from(files.get('ABC_ABC-Line-1_1_Ringen.xml') ?? '').toString();
    assert.match(text, /<ResourceFrame id="ABC:ResourceFrame:1" version="1"><\/ResourceFrame>/);
    assert.doesNotMatch(text, /VehicleScheduleFrame|organisations/);
  });

  it('uses the element names of the profile of flexible lines', async () => {
    const folder = join(projectRoot, 'test/spec/rules/samples/flex');
    const files = new Map(readdirSync(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))]));
    const context = { xmlns: 'ABC', profile: 'flex' } as const;
    assert.deepEqual(await severeFindings(files, context), []);
    const result = await filter(zipOf(Object.fromEntries(files)), { xmlns: 'ABC', day: DAY });
    assert.deepEqual(result.outcome.dropped, {});
    assert.ok(result.outcome.files.length > 1);
    assert.deepEqual(await severeFindings(result.files, context), []);
  });

  it('keeps the text as written, without comments', async () => {
    const changes: Change[] = [
      [LINE, '<Name>Ringen</Name>', "<Name\n lang='no' ><![CDATA[Ring & <co>]]>&#230;&amp;</Name >"],
      [LINE, '<PublicCode>1</PublicCode>', '<!-- ABC:Line:secret --><PublicCode>1</PublicCode><?note x?>'],
    ];
    const { files, outcome } = await filter(sampleZip(...changes), { xmlns: 'ABC', day: DAY });
    const text = textsOf(files);
    assert.ok(text.includes("<Name\n lang='no' ><![CDATA[Ring & <co>]]>&#230;&amp;</Name >"));
    assert.doesNotMatch(text, /secret|note/);
    assert.ok(outcome.files.some(({ name }) => name === 'ABC_ABC-Line-1_1_Ring----co-ae-.xml'));
  });

  it('reads other encodings and prefixes, and writes UTF-8', async () => {
    const files = sampleFiles([LINE, 'Ringen', 'Blåringen']);
    const line = (files[LINE] ?? '')
      .replace('xmlns=', 'xmlns:n=')
      .replace(/<(\/?)(?=[A-Za-z])(?!gml:)/g, '<$1n:')
      .replace('<?n:xml', '<?xml')
      .replace('encoding="UTF-8"', 'encoding="ISO-8859-1"');
    const input = zipOf({ ...files, [LINE]: Buffer.from(line, 'latin1') });
    const { files: output, outcome } = await filter(input, { xmlns: 'ABC', day: DAY });
    assert.deepEqual(outcome.dropped, {});
    const text = Buffer.from(output.get('ABC_ABC-Line-1_1_Blaringen.xml') ?? '').toString();
    assert.match(text, /^<\?xml version="1.0" encoding="UTF-8"\?>\n<n:PublicationDelivery/);
    assert.ok(text.includes('<n:Name>Blåringen</n:Name>'));
    assert.deepEqual(await severeFindings(output, { xmlns: 'ABC' }), []);
  });

  it('names files by their content', async () => {
    const files = sampleFiles(
      [LINE, '<PrivateCode>1</PrivateCode>', ''],
      [FERRY, /<PublicCode>2<\/PublicCode>/, ''],
      [FERRY, /<PrivateCode>2<\/PrivateCode>/, ''],
      [FERRY, /<Name>Holmenferja<\/Name>/, `<Name>Ærøy/Þórs–Čačak ${'x'.repeat(200)}</Name>`],
    );
    const { outcome } = await filter(zipOf(files), { xmlns: 'ABC', day: DAY });
    const names = outcome.files.map(({ name }) => name);
    assert.deepEqual(names.slice(0, 3), [
      '_ABC_shared_data.xml',
      'ABC_ABC-FlexibleLine-3_B3_Bestillingsruta.xml',
      'ABC_ABC-Line-1_1_Ringen.xml',
    ]);
    assert.match(names[3] ?? '', /^ABC_ABC-Line-2_Aeroy-Thors-Cacak-x+\.xml$/);
    assert.equal(names[3]?.length, 124);
  });

  it('gives equal lines different file names, and several common files, too', async () => {
    const { [SHARED]: shared = '', [LINE]: line = '', ...others } = sampleFiles();
    const twin = line.replace(/ABC:(\w+):(1\b|Block:1|1-)/g, 'ABC:$1:x$2');
    const extra = shared.replace(/ABC:(\w+):/g, 'ABC:$1:y');
    const input = zipOf({
      ...others,
      [LINE]: line,
      'ABC_twin.xml': twin.replaceAll(/ref="ABC:(Operator|Notice|GroupOfLines|DayType):/g, 'ref="ABC:$1:y'),
      '_a.xml': shared,
      '_b_flexible.xml': extra,
    });
    const one = await filter(input, { xmlns: 'ABC', day: DAY });
    const names = one.outcome.files.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name) => name.startsWith('_')),
      ['_ABC_flexible_shared_data.xml', '_ABC_shared_data.xml'],
    );
    assert.deepEqual(
      names.filter((name) => name.includes('Ringen')),
      ['ABC_ABC-Line-1-1_1_Ringen.xml', 'ABC_ABC-Line-1-x1_1_Ringen.xml'],
    );
    const again = await filter(one.zip, { xmlns: 'ABC', day: DAY });
    assert.equal(Buffer.compare(one.zip, again.zip), 0);
  });

  it('fails with the error of the archive reader or of the sink', async () => {
    const archive = await openArchive(bufferRangeReader(sampleZip()), DEFAULT_ARCHIVE_LIMITS);
    const request = { archive, xmlns: 'ABC', day: DAY, mode: 'private' } as const;
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(
      filterDataset({ ...request, signal }, async () => assert.fail()),
      /enough/,
    );
    await assert.rejects(
      filterDataset(request, async (zip) => {
        for await (const _ of zip) throw new Error('no room');
      }),
      /no room/,
    );
    const whole = bufferRangeReader(sampleZip());
    let readsLeft = Number.POSITIVE_INFINITY;
    const read = async (at: number, length: number) => {
      if (--readsLeft < 0) throw new Error('torn');
      return await whole.read(at, length);
    };
    const torn = await openArchive({ ...whole, read }, DEFAULT_ARCHIVE_LIMITS);
    // Each file takes one read in each pass, so the reader fails within the second pass.
    readsLeft = 6;
    const drain = async (zip: AsyncIterable<Uint8Array>) => {
      for await (const _ of zip);
    };
    await assert.rejects(filterDataset({ ...request, archive: torn }, drain), /torn/);
  });
});
