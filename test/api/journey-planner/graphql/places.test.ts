import assert from 'node:assert/strict';
import { openTown } from './network.ts';
import { type PlannerProcess, startPlanner } from './planner-process.ts';

interface ShownPlace {
  readonly node: { readonly distance: number; readonly place: { readonly __typename: string; readonly id: string } };
}

describe('GraphQL: places by position', () => {
  let town: PlannerProcess;
  before(async () => {
    town = await startPlanner(openTown());
  });
  after(() => town.close());

  async function nearest(args: string, dialect: 'v2' | 'v3' = 'v3'): Promise<readonly string[]> {
    const data = await town.data(
      dialect,
      `{ nearest(latitude: 59.9, longitude: 10.7, ${args}) { edges { node { distance place { __typename id } } } } }`,
    );
    return data.nearest.edges.map(({ node }: ShownPlace) => node.place.id.replace('NSR:', ''));
  }

  it('returns quays and stop places, nearest first', async () => {
    assert.deepEqual(await nearest('maximumDistance: 500'), ['StopPlace:10', 'Quay:11', 'Quay:12']);
    assert.deepEqual(await nearest('maximumDistance: 500, multiModalMode: child'), [
      'StopPlace:11',
      'Quay:11',
      'StopPlace:12',
      'Quay:12',
    ]);
    assert.deepEqual(await nearest('maximumDistance: 500, multiModalMode: all, filterByPlaceTypes: [stopPlace]'), [
      'StopPlace:10',
      'StopPlace:11',
      'StopPlace:12',
    ]);
    assert.deepEqual(await nearest('maximumDistance: 500, filterByPlaceTypes: quay, maximumResults: 1'), ['Quay:11']);
    assert.deepEqual(await nearest('maximumDistance: 500, filterByPlaceTypes: [bikePark]'), []);
  });

  it('filters by modes, use and ids', async () => {
    const stops = 'maximumDistance: 3000, filterByPlaceTypes: [stopPlace]';
    assert.deepEqual(await nearest(`${stops}, filterByModes: [water]`), ['StopPlace:10']);
    assert.deepEqual(await nearest(`${stops}, filterByModes: [tram]`, 'v2'), ['StopPlace:50']);
    assert.ok(!(await nearest(`${stops}, filterByInUse: true`)).includes('StopPlace:50'));
    assert.deepEqual(await nearest('maximumDistance: 3000, filterByIds: {quays: ["NSR:Quay:30"]}'), ['Quay:30']);
    assert.deepEqual(await nearest(`${stops}, filterByIds: {lines: ["TST:Line:3"]}`), ['StopPlace:10']);
  });

  it('returns whole metres in the older dialect', async () => {
    const query =
      '{ nearest(latitude: 59.905, longitude: 10.7, maximumDistance: 600, filterByPlaceTypes: [quay]) { edges { node { distance } } } }';
    const [older] = (await town.data('v2', query)).nearest.edges;
    assert.ok(Number.isInteger(older.node.distance), String(older.node.distance));
  });

  it('pages forward and back', async () => {
    const page = async (args: string) =>
      (
        await town.data(
          'v3',
          `{ nearest(latitude: 59.9, longitude: 10.7, maximumDistance: 5000, filterByPlaceTypes: [quay], ${args}) { pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { place { id } } } } }`,
        )
      ).nearest;
    const first = await page('first: 2');
    assert.deepEqual(
      [first.edges.length, first.pageInfo.hasNextPage, first.pageInfo.hasPreviousPage],
      [2, true, false],
    );
    const second = await page(`first: 2, after: "${first.pageInfo.endCursor}"`);
    assert.deepEqual([second.edges.length, second.pageInfo.hasPreviousPage], [2, true]);
    const back = await page(`last: 2, before: "${second.pageInfo.startCursor}"`);
    assert.deepEqual(back.edges, first.edges);
    const { body } = await town.sendQuery(
      'v3',
      '{ nearest(latitude: 1, longitude: 1, after: "!") { edges { cursor } } }',
    );
    assert.match(body.errors?.[0]?.message ?? '', /cursor/);
  });

  it('returns quays within a radius', async () => {
    const data = await town.data(
      'v3',
      '{ quaysByRadius(latitude: 59.9, longitude: 10.7, radius: 500) { edges { node { id distance quay { name } } } } }',
    );
    assert.deepEqual(data.quaysByRadius.edges[0].node, {
      id: 'NSR:Quay:11',
      distance: 0,
      quay: { name: 'Harbour buses' },
    });
    const older = await town.data(
      'v2',
      '{ quaysByRadius(latitude: 59.9, longitude: 10.7, radius: 500) { edges { node { distance } } } }',
    );
    assert.equal(older.quaysByRadius.edges.length, 2);
  });

  it('returns stop places and quays in a box', async () => {
    const box = 'minimumLatitude: 59.89, minimumLongitude: 10.69, maximumLatitude: 59.912, maximumLongitude: 10.712';
    const ids = async (field: string, more = '') =>
      (await town.data('v3', `{ places: ${field}(${box}${more}) { id } }`)).places
        .map(({ id }: { id: string }) => id.replace('NSR:', ''))
        .sort();
    assert.deepEqual(await ids('stopPlacesByBbox'), ['StopPlace:10', 'StopPlace:20', 'StopPlace:50']);
    assert.deepEqual(await ids('stopPlacesByBbox', ', multiModalMode: child'), [
      'StopPlace:11',
      'StopPlace:12',
      'StopPlace:20',
      'StopPlace:50',
    ]);
    assert.deepEqual(await ids('stopPlacesByBbox', ', filterByInUse: true'), ['StopPlace:10', 'StopPlace:20']);
    assert.deepEqual(await ids('stopPlacesByBbox', ', authority: "TST:Authority:2"'), ['StopPlace:10']);
    assert.deepEqual(await ids('quaysByBbox', ', filterByInUse: true'), ['Quay:11', 'Quay:12', 'Quay:20']);
    const { body } = await town.sendQuery('v2', '{ stopPlacesByBbox(minimumLatitude: 1) { id } }');
    assert.match(body.errors?.[0]?.message ?? '', /A box needs/);
  });
});
