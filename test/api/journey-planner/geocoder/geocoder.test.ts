/** Tests the geocoder over the demo region and over made names. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { splitCsvLine } from '../../../../api/journey-planner/geocoder/address-list.ts';
import { foldWords } from '../../../../api/journey-planner/geocoder/fold-text.ts';
import { readAutocomplete, readReverse } from '../../../../api/journey-planner/geocoder/question.ts';
import { createTimetableBuilder, openTimetable, type Timetable } from '../../../../planner/index.ts';
import type { ServiceError } from '../../../../workflows/shared/service-error.ts';
import { temporaryDirectory } from '../../../support/folders.ts';
import { useDemoPlanner } from '../demo-planner.ts';
import { type PlannerProcess, startPlanner } from '../graphql/planner-process.ts';

interface Collection {
  readonly type: string;
  readonly geocoding: { readonly query: Record<string, unknown> };
  readonly features: readonly {
    readonly geometry: { readonly coordinates: readonly [number, number] };
    // biome-ignore lint/suspicious/noExplicitAny: tests read members by name, and assertions check them
    readonly properties: Record<string, any>;
  }[];
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string }[];
}

async function sendQuery({ url }: PlannerProcess, path: string): Promise<{ status: number; body: Collection }> {
  const response = await fetch(`${url}/geocoder/v1/${path}`);
  return { status: response.status, body: (await response.json()) as Collection };
}

const PLACES: readonly [name: string, latitude: number, longitude: number, locality?: string][] = [
  ['Rådhuset', 59.91, 10.73, 'Oslo'],
  ['Rådhuset', 60.39, 5.32, 'Bergen'],
  ['Rådhusgata', 59.91, 10.74, 'Oslo'],
  ['Gamle rådhuset', 59.9, 10.74, 'Oslo'],
  ['Ålesund rutebilstasjon', 62.47, 6.15, 'Ålesund'],
  ['Bodø stasjon', 67.29, 14.4, 'Bodø'],
  ['Nationaltheatret', 59.914, 10.732, 'Oslo'],
  ['Kárášjohka', 69.47, 25.51],
  ['Længdebakken', 58.1, 8.0],
];

function openPlaces(): Timetable {
  const builder = createTimetableBuilder();
  builder.addAuthority({ id: 'A:Authority:1', name: 'A', timeZone: 'Europe/Oslo' });
  PLACES.forEach(([name, latitude, longitude, locality], number) => {
    const id = `NSR:StopPlace:${number}`;
    builder.addStopPlace({ id, name, latitude, longitude, locality, county: 'Fylket', modes: ['bus'], submodes: [] });
    builder.addQuay({ id: `NSR:Quay:${number}`, stopPlaceId: id });
  });
  const { bytes } = builder.finish({ builtAt: 0, footpathMetres: 1 });
  const shared = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(shared).set(bytes);
  return openTimetable(shared);
}

describe('Geocoder: texts', () => {
  it('are equal for every way of typing', () => {
    for (const [one, other] of [
      ['Ålesund', 'aalesund'],
      ['Ålesund', 'ALESUND'],
      ['Bodø', 'bodoe'],
      ['Bodø', 'bodo'],
      ['Længde', 'laengde'],
      ['Kárášjohka', 'karasjohka'],
      ["St. Olav's plass", 'st olavs plass'],
    ] as const) {
      assert.deepEqual(foldWords(one), foldWords(other));
    }
    assert.deepEqual(foldWords(' - / '), []);
  });

  it('of a CSV line', () => {
    assert.deepEqual(splitCsvLine('1,"Storgata, ""øvre""",2 , 0150,Oslo,59.9,10.7'), [
      '1',
      'Storgata, "øvre"',
      '2',
      '0150',
      'Oslo',
      '59.9',
      '10.7',
    ]);
  });
});

describe('Geocoder', () => {
  let town: PlannerProcess;

  before(async () => {
    const list = join(temporaryDirectory('addresses'), 'addresses.csv');
    const lines = [
      'id,name,street number,post code,place,lat,lon',
      '17,Rådhusgata,4B,0151,Oslo,59.9101,10.7401',
      'broken',
    ];
    await writeFile(list, `\uFEFF${lines.join('\r\n')}\r\n`);
    town = await startPlanner(openPlaces(), { GEOCODER_ADDRESSES: list });
  });
  after(() => town.close());

  const found = async (text: string, more = '') => {
    const { status, body } = await sendQuery(town, `autocomplete?text=${encodeURIComponent(text)}${more}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.features.map(({ properties }) => properties.label);
  };

  it('prefers equal names, then names that begin with the text, then names that contain it', async () => {
    const labels = await found('rådhuset');
    assert.deepEqual(labels.slice(0, 3).sort(), ['Gamle rådhuset, Oslo', 'Rådhuset, Bergen', 'Rådhuset, Oslo']);
    assert.equal(labels[2], 'Gamle rådhuset, Oslo');
    assert.deepEqual((await found('rådhus', '&layers=venue')).sort(), [
      'Gamle rådhuset, Oslo',
      'Rådhuset, Bergen',
      'Rådhuset, Oslo',
      'Rådhusgata, Oslo',
    ]);
  });

  it('finds the beginning of any word, also of the town', async () => {
    assert.deepEqual(await found('rutebil'), ['Ålesund rutebilstasjon, Ålesund']);
    assert.deepEqual(await found('radhuset berg'), ['Rådhuset, Bergen']);
    assert.deepEqual(await found('bergen'), [], 'the town alone is no stop place');
    assert.deepEqual(await found('aalesund ruteb'), ['Ålesund rutebilstasjon, Ålesund']);
  });

  it('allows one typing error in words of five letters and more', async () => {
    for (const typed of [
      'natonaltheatret',
      'nationalltheatret',
      'nationaltehatret',
      'mationaltheatret',
      'natiomalth',
    ]) {
      assert.deepEqual(await found(typed), ['Nationaltheatret, Oslo'], typed);
    }
    assert.deepEqual(await found('bpdo'), [], 'short words must be right');
    assert.deepEqual(await found('natonalteatret'), [], 'two slips are too many');
    assert.equal((await found('rådhuset'))[0]?.startsWith('Rådhuset'), true);
  });

  it('prefers near places with a focus', async () => {
    assert.equal((await found('rådhuset', '&focus.point.lat=60.4&focus.point.lon=5.3'))[0], 'Rådhuset, Bergen');
    assert.equal((await found('rådhuset', '&focus.point.lat=59.9&focus.point.lon=10.7'))[0], 'Rådhuset, Oslo');
  });

  it('finds addresses too, unless the query asks for stop places', async () => {
    assert.deepEqual(await found('rådhusgata 4b', '&layers=address'), ['Rådhusgata 4B, Oslo']);
    assert.deepEqual(await found('rådhusgata 4b'), ['Rådhusgata 4B, Oslo']);
    assert.deepEqual(await found('rådhusgata 4b', '&layers=venue'), []);
    assert.equal((await found('rådhusgata'))[0], 'Rådhusgata, Oslo', 'of two alike the stop place comes first');
    const both = await sendQuery(town, 'reverse?point.lat=59.91&point.lon=10.74&size=3');
    assert.deepEqual(
      both.body.features.map(({ properties }) => [properties.layer, properties.name]),
      [
        ['venue', 'Rådhusgata'],
        ['address', 'Rådhusgata 4B'],
        ['venue', 'Rådhuset'],
      ],
    );
    const [, address] = both.body.features;
    assert.deepEqual([address?.properties.postalcode, address?.properties.housenumber], ['0151', '4B']);
  });

  it('names a wrong parameter', () => {
    for (const [read, query, parameter] of [
      [readAutocomplete, '', 'text'],
      [readAutocomplete, 'text=%20', 'text'],
      [readAutocomplete, 'text=a&size=0', 'size'],
      [readAutocomplete, 'text=a&size=51', 'size'],
      [readAutocomplete, 'text=a&size=1.5', 'size'],
      [readAutocomplete, 'text=a&layers=planets', 'layers'],
      [readAutocomplete, 'text=a&focus.point.lat=60', 'focus.point.lon'],
      [readReverse, 'point.lat=60', 'point.lon'],
      [readReverse, 'point.lat=91&point.lon=10', 'point.lat'],
    ] as const) {
      assert.throws(
        () => read(new URLSearchParams(query)),
        (error: ServiceError) => error.status === 400 && error.errors?.[0]?.pointer === `/query/${parameter}`,
        query,
      );
    }
  });
});

describe('Geocoder over the demo region', () => {
  const demo = useDemoPlanner();

  it('answers in the Pelias format, with parents once and without quays', async () => {
    const { status, body } = await sendQuery(demo.planner, 'autocomplete?text=nordhamn%20sen&size=5&lang=no');
    assert.equal(status, 200);
    assert.equal(body.type, 'FeatureCollection');
    assert.equal(body.geocoding.query.text, 'nordhamn sen');
    const [first] = body.features;
    assert.ok(first);
    const { properties, geometry } = first;
    assert.deepEqual(
      [properties.id, properties.layer, properties.gid, properties.source_id],
      ['NSR:StopPlace:900004', 'venue', 'nsr:venue:NSR:StopPlace:900004', 'NSR:StopPlace:900004'],
    );
    assert.ok(properties.name && properties.label && properties.category.length > 1);
    assert.ok(Math.abs(geometry.coordinates[0] - 11.05) < 0.05 && Math.abs(geometry.coordinates[1] - 64.72) < 0.05);
    assert.equal(body.features.filter(({ properties: { name } }) => name === properties.name).length, 1);
  });

  it('finds near places, nearest first', async () => {
    const { body } = await sendQuery(demo.planner, 'reverse?point.lat=64.72&point.lon=11.05&size=4');
    const distances = body.features.map(({ properties }) => properties.distance as number);
    assert.equal(distances.length, 4);
    assert.deepEqual(
      distances,
      [...distances].sort((a, b) => a - b),
    );
    assert.equal(body.features[0]?.properties.id, 'NSR:StopPlace:900004');
  });

  it('serves the public client library', async () => {
    const { default: createClient } = createRequire(import.meta.url)('@entur/sdk') as {
      // biome-ignore lint/suspicious/noExplicitAny: the library's own types are outdated
      default: (config: unknown) => any;
    };
    const client = createClient({ clientName: 'samferd-test', hosts: { geocoder: `${demo.planner.url}/geocoder/v1` } });
    const features = await client.getFeatures('nordhamn', { latitude: 64.72, longitude: 11.05 }, { limit: 3 });
    assert.ok(features.length > 1 && features.length <= 3);
    assert.ok(features[0].properties.distance >= 0);
    const near = await client.getFeaturesReverse({ latitude: 64.72, longitude: 11.05 }, { layers: ['venue'], size: 2 });
    assert.equal(near.length, 2);
  });
});
