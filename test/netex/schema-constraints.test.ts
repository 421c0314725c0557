/** Unique, key and keyref of NeTEx_publication.xsd, as XSD defines them, evaluated in the streaming pass. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConstraints } from '../../netex/schema/constraints.ts';
import { xsdDirectory } from '../support/folders.ts';
import { constraintDefects, line, resourceFrame, serviceFrame, validDelivery } from './support/schema-samples.ts';

const operator = (id: string, version: string | undefined = '1'): string =>
  `<Operator id="${id}"${version === undefined ? '' : ` version="${version}"`}/>`;
const messages = (document: string): string[] => constraintDefects(document).map(({ message }) => message);
const organisations = (...members: string[]): string =>
  resourceFrame(`<organisations>\n${members.join('\n')}\n</organisations>`);
const points = (...points: string[]): string =>
  serviceFrame(
    `<journeyPatterns><JourneyPattern id="ABC:JourneyPattern:1" version="1"><pointsInSequence>${points.join('')}` +
      '</pointsInSequence></JourneyPattern></journeyPatterns>',
  );
const point = (id: string, order: string): string =>
  `<StopPointInJourneyPattern id="${id}" version="1" ${order}></StopPointInJourneyPattern>`;

describe('schema: constraints of every version', () => {
  for (const version of readdirSync(xsdDirectory()).filter((name) => /^\d/.test(name))) {
    it(`${version}: all are read, and none is left out`, () => {
      const path = join(xsdDirectory(), version, 'NeTEx_publication.xsd');
      assert.ok(existsSync(path));
      const { constraints, unsupported } = readConstraints(readFileSync(path));
      assert.deepEqual(unsupported, []);
      const written = readFileSync(path, 'latin1')
        .replace(/<!--[\s\S]*?-->/g, '')
        .match(/<xsd?:(unique|key|keyref)\s/g);
      assert.equal(constraints.length, written?.length);
    });
  }
});

describe('schema: unique and key', () => {
  it('the same id and version twice is one finding, at the second', () => {
    const defects = constraintDefects(organisations(operator('ABC:Operator:1'), operator('ABC:Operator:1')));
    assert.deepEqual(defects, [
      {
        message: "Operator 'ABC:Operator:1' version '1' is there twice: the same is on line 6.",
        objectId: 'ABC:Operator:1',
        line: 7,
        column: 1,
      },
    ]);
  });

  it('elements with another version or id are distinct', () => {
    assert.deepEqual(messages(organisations(operator('ABC:Operator:1'), operator('ABC:Operator:1', '2'))), []);
    assert.deepEqual(messages(organisations(operator('ABC:Operator:1'), operator('ABC:Operator:2'))), []);
  });

  it('kinds of one key share their ids', () => {
    const [message, ...others] = messages(organisations(operator('ABC:X:1'), '<Authority id="ABC:X:1" version="1"/>'));
    assert.deepEqual(others, []);
    assert.equal(message, "Authority 'ABC:X:1' version '1' is there twice: an Operator with the same is on line 6.");
  });

  it('kinds of different keys do not', () => {
    const document = serviceFrame(
      `<lines>${line('ABC:X:1')}</lines><tariffZones><TariffZone id="ABC:X:1" version="1"/></tariffZones>`,
    );
    assert.deepEqual(messages(document), []);
  });

  it('a key has all its values', () => {
    assert.deepEqual(messages(organisations('<Operator id="ABC:Operator:1"/>')), [
      "Attribute 'version' is missing on Operator 'ABC:Operator:1'; id and version identify it.",
    ]);
    assert.deepEqual(messages(points(point('ABC:P:1', ''))), [
      "Attribute 'order' is missing on StopPointInJourneyPattern 'ABC:P:1'; id, version and order identify it.",
    ]);
  });

  it('an order is a number: 01 and 1 are the same', () => {
    const twice = messages(points(point('ABC:P:1', 'order="1"'), point('ABC:P:1', 'order="+01"')));
    assert.deepEqual(twice, [
      "StopPointInJourneyPattern 'ABC:P:1' version '1', order '1' is there twice: the same is on line 5.",
    ]);
    assert.deepEqual(messages(points(point('ABC:P:1', 'order="1"'), point('ABC:P:1', 'order="10"'))), []);
  });

  it('a value may be a child element: Xmlns of codespaces', () => {
    const codespaces = (...names: string[]): string =>
      validDelivery(
        `<CompositeFrame id="f" version="1"><codespaces>${names
          .map((name, i) => `<Codespace id="c${i}"><Xmlns>${name}</Xmlns></Codespace>`)
          .join('')}</codespaces></CompositeFrame>`,
      );
    assert.deepEqual(messages(codespaces('ABC', 'NSR')), []);
    assert.match(messages(codespaces('ABC', 'ABC')).join(), /^Xmlns 'ABC' is there twice/);
  });

  it('applies within PublicationDelivery alone', () => {
    assert.deepEqual(
      messages(`<Delivery xmlns="http://www.netex.org.uk/netex">${operator('a')}${operator('a')}</Delivery>`),
      [],
    );
  });
});

describe('schema: keyref', () => {
  const lineOf = (reference: string): string => line('ABC:Line:1', `<Name>L</Name>\n  ${reference}`);
  const both = (reference: string): string =>
    validDelivery(
      `<ServiceFrame id="s" version="1"><lines>${lineOf(reference)}</lines></ServiceFrame>` +
        `<ResourceFrame id="r" version="1"><organisations>${operator('ABC:Operator:1')}</organisations></ResourceFrame>`,
    );

  it('is satisfied by a later element', () => {
    assert.deepEqual(messages(both('<OperatorRef ref="ABC:Operator:1" version="1"/>')), []);
  });

  it('reports a missing element, its place, and the known versions', () => {
    assert.deepEqual(constraintDefects(both('<OperatorRef ref="ABC:Operator:1" version="2"/>')), [
      {
        message:
          "OperatorRef 'ABC:Operator:1' version '2' refers to nothing in this file (it has 1); expected Operator with that id and version.",
        objectId: 'ABC:Line:1',
        line: 6,
        column: 3,
      },
    ]);
  });

  it('is not satisfied by an element of another kind', () => {
    const document = validDelivery(
      `<ServiceFrame id="s" version="1"><lines>${lineOf('<OperatorRef ref="ABC:X:1" version="1"/>')}</lines></ServiceFrame>` +
        '<ResourceFrame id="r" version="1"><organisations><Authority id="ABC:X:1" version="1"/></organisations></ResourceFrame>',
    );
    assert.equal(messages(document).length, 1);
  });

  it('is not checked without a version', () => {
    assert.deepEqual(messages(both('<OperatorRef ref="ABC:Operator:9"/>')), []);
  });

  it('causes one finding for repeated references without target', () => {
    const document = serviceFrame(
      `<lines>${line('ABC:Line:1', '<OperatorRef ref="x" version="1"/>')}${line('ABC:Line:2', '<OperatorRef ref="x" version="1"/>')}</lines>`,
    );
    assert.equal(messages(document).length, 1);
  });
});
