/** Follows the references of the demo data. Caller: demo-trees.test.ts. */
import assert from 'node:assert/strict';
import { type Tree, useDemoTrees } from '../../support/demo-dataset.ts';

/** Reference elements whose name differs from that of their target. */
const TARGETS: Readonly<Record<string, string>> = {
  FromPointRef: 'ScheduledStopPoint',
  ToPointRef: 'ScheduledStopPoint',
  ProjectToPointRef: 'ScheduledStopPoint',
  FromJourneyRef: 'ServiceJourney',
  ToJourneyRef: 'ServiceJourney',
  VehicleJourneyRef: 'ServiceJourney',
  RepresentedByGroupRef: 'GroupOfLines',
  ParentSiteRef: 'StopPlace',
  ParentTopographicPlaceRef: 'TopographicPlace',
  PlaceRef: 'Quay',
};

function idsOf(tree: Tree): Set<string> {
  const ids = new Set<string>();
  for (const { id, name, attributes } of tree.everything()) {
    if (!/^[A-Z]{3}:/.test(id)) continue;
    assert.match(id, /^(DEM|NSR):[A-Za-z]+:[0-9A-Za-z_-]+$/);
    assert.equal(id.split(':')[1], name, `${id} on a ${name}`);
    assert.equal(attributes.version, '1', `${id} without a version`);
    assert.ok(!ids.has(id), `${id} twice`);
    ids.add(id);
  }
  return ids;
}

export function describeReferences(): void {
  describe('The references of the demo data', () => {
    it('lead to an element of the same file (with its version), of the common file or of the stop register', async () => {
      const { stops, shared, lines } = await useDemoTrees();
      const registered = idsOf(stops);
      const common = idsOf(shared);
      const journeys = new Set(
        [...lines.values()].flatMap((tree) => [...tree.all('ServiceJourney')].map(({ id }) => id)),
      );
      for (const tree of [stops, shared, ...lines.values()]) {
        const own = tree === stops ? registered : tree === shared ? common : idsOf(tree);
        for (const { name, attributes } of tree.everything()) {
          const { ref, version } = attributes;
          if (ref === undefined || !ref.includes(':')) continue;
          if (name !== 'NoticedObjectRef') {
            assert.equal(ref.split(':')[1], TARGETS[name] ?? name.replace(/Ref$/, ''), `${name} to ${ref}`);
          }
          if (own.has(ref)) assert.equal(version, '1', `${name} to ${ref} in its own file`);
          else {
            const there = common.has(ref) || registered.has(ref) || (name === 'FromJourneyRef' && journeys.has(ref));
            assert.ok(there, `${name} to ${ref} leads nowhere`);
            assert.equal(version, undefined, `${name} to ${ref} in another file`);
          }
        }
      }
    });

    it('give every stop point one quay and every quay one stop point', async () => {
      const assignments = [...(await useDemoTrees()).shared.all('PassengerStopAssignment')];
      const points = new Set(assignments.map((assignment) => assignment.ref('ScheduledStopPointRef')));
      const quays = new Set(assignments.map((assignment) => assignment.ref('QuayRef')));
      assert.equal(points.size, assignments.length);
      assert.equal(quays.size, assignments.length);
    });

    it('give every line an operator and a group of lines', async () => {
      for (const tree of (await useDemoTrees()).lines.values()) {
        const lines = [...tree.all('Line'), ...tree.all('FlexibleLine')];
        assert.equal(lines.length, 1);
        assert.ok(lines[0]?.ref('OperatorRef') && lines[0].ref('RepresentedByGroupRef'));
      }
    });
  });
}
