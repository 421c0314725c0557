/** Compares real exports of the national register with a simple reading of their XML as a tree. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StopKind } from '../../../netex/stop-register/stop-facts.ts';
import type { StopRegister } from '../../../netex/stop-register/stop-register.ts';
import { StopRegisterReader } from '../../../netex/stop-register/stop-register-reader.ts';
import { parseTree, type Tree } from '../../support/demo-dataset.ts';
import { sharedDirectory } from '../../support/folders.ts';
import { readDataset } from '../support/expected-findings.ts';

const EXPORTS = [
  'entur__damu/Airports_latest.zip',
  'entur__damu/Current_latest.zip',
  'entur__antu/stopdata.zip',
  'opentripplanner__OpenTripPlanner/_stops.xml',
];
const KINDS: readonly StopKind[] = ['StopPlace', 'Quay', 'TariffZone', 'FareZone', 'TopographicPlace', 'Parking'];

describe('real exports of the stop register', () => {
  const shared = sharedDirectory();
  const read = new Map<string, { register: StopRegister; trees: Tree[] }>();

  before(async function () {
    if (!shared || !existsSync(join(shared, 'netex', 'data'))) return this.skip();
    for (const path of EXPORTS) {
      const files = (await readDataset(join(shared, 'netex', 'data', path))) ?? [];
      const reader = new StopRegisterReader(Date.parse('2026-11-21'));
      for (const { bytes } of files) reader.addFile(bytes);
      const trees = files.map(({ bytes }) => parseTree(new TextDecoder().decode(bytes)));
      read.set(path, { register: reader.build(), trees });
    }
  });

  for (const path of EXPORTS) {
    it(`${path}: every element is present once, and no other`, () => {
      const { register, trees } = read.get(path) ?? assert.fail(path);
      for (const kind of KINDS) {
        const ids = new Set(trees.flatMap((tree) => [...tree.all(kind)].map(({ id }) => id)));
        assert.deepEqual(new Set([...register.stops(kind)].map(({ id }) => id)), ids, kind);
        for (const id of ids) assert.equal(register.findLabel(id), kind);
      }
    });

    it(`${path}: positions, names, modes and parents are those of the XML`, () => {
      const { register, trees } = read.get(path) ?? assert.fail(path);
      for (const place of trees.flatMap((tree) => [...tree.all('StopPlace')])) {
        const stop = register.findStop(place.id);
        assert.deepEqual(
          [stop?.name, stop?.transportMode, stop?.parentId, stop?.weighting, stop?.latitude, stop?.longitude],
          [
            place.at('Name'),
            place.at('TransportMode'),
            place.ref('ParentSiteRef'),
            place.at('Weighting'),
            ...position(place),
          ],
          place.id,
        );
        const quays = [...(place.child('quays')?.all('Quay') ?? [])];
        assert.deepEqual(
          register
            .quaysOf(place.id)
            .map((quay) => [quay.id, quay.parentId, quay.latitude, quay.longitude, quay.publicCode]),
          quays.map((quay) => [quay.id, place.id, ...position(quay), quay.at('PublicCode') || undefined]),
        );
        const zones = [...(place.child('tariffZones')?.children ?? [])].map(({ attributes }) => attributes.ref);
        assert.deepEqual(stop?.zoneIds, zones, place.id);
      }
    });

    it(`${path}: outlines of zones and places are complete`, () => {
      const { register, trees } = read.get(path) ?? assert.fail(path);
      const zones = trees.flatMap((tree) =>
        ['TariffZone', 'FareZone', 'TopographicPlace'].flatMap((kind) => [...tree.all(kind)]),
      );
      for (const zone of zones) {
        const written = [...zone.all('ns2:posList')].map(({ text }) => text.trim().split(/\s+/).map(Number));
        const rings = register.ringsOf(zone.id);
        assert.deepEqual(
          rings.map((ring) => ring.length),
          written.map((ring) => ring.length / 2),
          zone.id,
        );
        const [latitude = Number.NaN, longitude = Number.NaN] = written[0]?.slice(-2) ?? [];
        const last = rings[0]?.at(-1);
        if (written.length === 0) continue;
        assert.ok(
          Math.abs((last?.latitude ?? 0) - latitude) < 1e-7 && Math.abs((last?.longitude ?? 0) - longitude) < 1e-7,
        );
      }
    });
  }

  it('an airport has everything that travellers and planners need', () => {
    const { register } = read.get('entur__damu/Airports_latest.zip') ?? assert.fail();
    assert.deepEqual(register.findName('NSR:Quay:100310'), { text: 'Sandefjord lufthavn', language: 'nor' });
    assert.deepEqual(
      register.childrenOf('NSR:StopPlace:59247').map(({ id }) => id),
      ['NSR:StopPlace:58586'],
    );
    const parent = register.findStop('NSR:StopPlace:59247');
    assert.equal(parent?.isMultimodalParent, true);
    assert.deepEqual(
      parent?.alternativeNames.find(({ nameType }) => nameType === 'label'),
      { nameType: 'label', language: 'nor', text: 'Torp' },
    );
    assert.deepEqual(register.membersOf('NSR:GroupOfStopPlaces:67'), ['NSR:StopPlace:49490', 'NSR:StopPlace:743']);
  });

  it('a fare zone has its stops and neighbours', () => {
    const { register } = read.get('entur__antu/stopdata.zip') ?? assert.fail();
    assert.deepEqual(
      register.stopsOfZone('BRA:FareZone:22').map(({ id }) => id),
      ['NSR:StopPlace:16934'],
    );
    assert.equal(register.neighboursOf('BRA:FareZone:22').length, 3);
    assert.equal(register.findStop('NSR:ScheduledStopPoint:Q29568')?.parentId, 'NSR:Quay:29568');
  });
});

function position(place: Tree): Array<number | undefined> {
  return ['Latitude', 'Longitude'].map((axis) => {
    const written = place.at(`Centroid/Location/${axis}`);
    return written === undefined ? undefined : Number(written);
  });
}
