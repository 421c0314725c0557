import assert from 'node:assert/strict';
import { TimetableFacts } from '../../../netex/model/facts.ts';
import { FactsBuilder } from '../../../netex/model/facts-builder.ts';
import type { NotedPlace } from '../../../netex/rules/finding-list.ts';
import { anyFrame, commonFacts, file } from '../support/sample-files.ts';

const link = (id: string, geometry: string): string =>
  `<ServiceLink id="ABC:ServiceLink:${id}"><projections><LinkSequenceProjection id="ABC:LinkSequenceProjection:${id}">` +
  `<LineString xmlns="http://www.opengis.net/gml/3.2">${geometry}</LineString></LinkSequenceProjection></projections>` +
  '<FromPointRef ref="ABC:ScheduledStopPoint:a"/><ToPointRef ref="ABC:ScheduledStopPoint:b"/></ServiceLink>';

const open = (...contents: string[]): TimetableFacts =>
  TimetableFacts.open(commonFacts(...contents.map((content, index) => file(`_ABC_${index}.xml`, anyFrame(content)))));

describe('facts of common files', () => {
  it('contain the ends and the geometry of a service link', () => {
    const facts = open(
      link('1', '<posList>60.1 5.2 60.3 5.4 60.5 5.6</posList>') +
        link('2', `<posList srsDimension="3">60.1 5.2 9 ${'60.3 5.4 9 '.repeat(5000)}60.5 5.6 9</posList>`) +
        link('3', '<pos>60.1 5.2</pos><pos>60.9 5.9</pos>') +
        link('4', '<posList>north east</posList>'),
    );
    const first = facts.findServiceLink('ABC:ServiceLink:1');
    assert.equal(first?.fromPointRef, 'ABC:ScheduledStopPoint:a');
    assert.equal(first?.toPointRef, 'ABC:ScheduledStopPoint:b');
    assert.deepEqual(first?.start, { latitude: 60.1, longitude: 5.2 });
    assert.deepEqual(first?.end, { latitude: 60.5, longitude: 5.6 });
    assert.deepEqual(facts.findServiceLink('ABC:ServiceLink:2')?.end, { latitude: 60.5, longitude: 5.6 });
    assert.deepEqual(facts.findServiceLink('ABC:ServiceLink:3')?.end, { latitude: 60.9, longitude: 5.9 });
    assert.equal(facts.findServiceLink('ABC:ServiceLink:4')?.start, undefined);
    assert.equal(facts.findServiceLink('ABC:ServiceLink:5'), undefined);
    assert.equal(facts.placedServiceLinks().length, 4);
    // @ts-expect-error: a looked-up element may belong to a common file, whose lines are not those of this file.
    const place: NotedPlace | undefined = first;
    assert.equal(place && 'line' in place, false);
  });

  it('prefer the assignment that names a quay, and contain areas', () => {
    const facts = open(
      '<PassengerStopAssignment><ScheduledStopPointRef ref="a"/><StopPlaceRef ref="p"/></PassengerStopAssignment>' +
        '<FlexibleStopAssignment><ScheduledStopPointRef ref="b"/><FlexibleStopPlaceRef ref="f"/></FlexibleStopAssignment>',
      '<PassengerStopAssignment><ScheduledStopPointRef ref="a"/><QuayRef ref="q Tromsø 中"/></PassengerStopAssignment>',
    );
    assert.equal(facts.findStopAssignment('a')?.quayRef, 'q Tromsø 中');
    assert.deepEqual(facts.findStopAssignment('b'), {
      quayRef: undefined,
      stopPlaceRef: undefined,
      flexibleStopPlaceRef: 'f',
    });
    assert.equal(facts.findStopAssignment('q'), undefined);
  });

  it('are read from the readable part of a file', () => {
    const broken = file(
      '_ABC.xml',
      '<x xmlns="http://www.netex.org.uk/netex"><PassengerStopAssignment><ScheduledStopPointRef ref="a"/><QuayRef ref="q"/></PassengerStopAssignment><frames></x>',
    );
    assert.equal(TimetableFacts.open(commonFacts(broken)).findStopAssignment('a')?.quayRef, 'q');
  });

  it('open in shared memory, at any offset, and refuse other bytes', () => {
    const builder = new FactsBuilder();
    for (let index = 0; index < 20_000; index++)
      builder.addStopAssignment(`point ${index}`, `quay ${index % 100}`, undefined, undefined);
    const bytes = builder.build();
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const facts = TimetableFacts.open(shared);
    for (let index = 0; index < 20_000; index++) {
      assert.equal(facts.findStopAssignment(`point ${index}`)?.quayRef, `quay ${index % 100}`);
    }
    const odd = new Uint8Array(bytes.length + 1);
    odd.set(bytes, 1);
    assert.equal(TimetableFacts.open(odd.subarray(1)).findStopAssignment('point 7')?.quayRef, 'quay 7');
    assert.throws(() => TimetableFacts.open(bytes.subarray(0, bytes.length - 8)), /cut short/);
    assert.throws(() => TimetableFacts.open(new Uint8Array(64)), /not facts/);
  });

  it('are empty at first', () => {
    assert.equal(TimetableFacts.open(new FactsBuilder().build()).findStopAssignment('a'), undefined);
  });
});
