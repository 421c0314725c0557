/** Encodings of unaligned PER by hand, from ITU-T X.691, and values and bytes that are refused. */
import assert from 'node:assert/strict';
import { choice, enumerated } from '../../barcode/per/alternatives.ts';
import { type AnyPerType, decodePer, encodePer } from '../../barcode/per/per-type.ts';
import {
  anyInteger,
  boolean,
  ia5String,
  integer,
  objectIdentifier,
  octetString,
  utf8String,
} from '../../barcode/per/simple-types.ts';
import { optional, sequence, sequenceOf } from '../../barcode/per/structures.ts';

const point = sequence('Point', { x: integer(0, 7), y: optional(integer(0, 7)), z: optional(integer(0, 7), 5) });
const colour = enumerated('Colour', ['red', 'green', 'blue'], { isExtensible: false });
const mood = enumerated('Mood', ['good', 'bad']);
const shape = choice('Shape', ['circle', 'square', 'line'], { circle: integer(0, 7), square: boolean });

const ENCODINGS: readonly (readonly [string, AnyPerType, unknown, string])[] = [
  ['a Boolean', boolean, true, '80'],
  ['a number of a range', integer(-1, 500), 500, 'fa80'],
  ['a range of one number', integer(3, 3), 3, ''],
  ['a number without a range', anyInteger, 127, '017f'],
  ['a number that needs a sign bit', anyInteger, 128, '020080'],
  ['a negative number', anyInteger, -129, '02ff7f'],
  ['a number of more than 53 bits', anyInteger, 2n ** 63n - 1n, '087fffffffffffffff'],
  ['IA5 text', ia5String(), 'U2', '02aac8'],
  ['IA5 text of a fixed size', ia5String(3), 'NOK', '9d3e58'],
  ['IA5 text of a range of sizes', ia5String([1, 2]), 'AB', 'c184'],
  ['UTF-8 text', utf8String, 'Å', '02c385'],
  ['octets', octetString, Buffer.from('0102', 'hex'), '020102'],
  ['an object identifier', objectIdentifier, '1.2.840.10045.4.3.2', '082a8648ce3d040302'],
  ['an item of a list', colour, 'blue', '80'],
  ['an item of an extensible list', mood, 'bad', '40'],
  ['a structure without optional components', point, { x: 5 }, '14'],
  ['a structure with all', point, { x: 5, y: 1, z: 2 }, '74a0'],
  ['a list', sequenceOf(integer(0, 15)), [1, 2, 3], '031230'],
  ['an alternative', shape, { square: true }, '30'],
];

const REFUSED_VALUES: readonly (readonly [string, AnyPerType, unknown, RegExp])[] = [
  ['a number outside its range', integer(1, 9), 10, /10 is no INTEGER \(1\.\.9\)/],
  ['a fraction', integer(1, 9), 1.5, /1\.5 is no INTEGER/],
  ['a number that is not exact', anyInteger, 2 ** 53, /is no INTEGER/],
  ['a character outside IA5', ia5String(), 'Å', /not in IA5/],
  ['text of another size', ia5String(3), 'NO', /2 characters/],
  ['an unknown item', colour, 'pink', /pink is no Colour/],
  ['an object identifier of letters', objectIdentifier, 'P-256', /P-256 is no OBJECT IDENTIFIER/],
  ['a missing component', point, { y: 1 }, /^x: is missing/],
  ['an unknown component', point, { x: 1, w: 1 }, /Point has no component w/],
  ['a wrong component of a list', sequenceOf(point), [{ x: 1 }, { x: 8 }], /^1\.x: 8 is no/],
  ['two alternatives', shape, { circle: 1, square: true }, /needs one of circle, square, line/],
  ['an alternative that is not supported', shape, { line: 1 }, /Shape line is not supported/],
];

const REFUSED_BYTES: readonly (readonly [string, AnyPerType, string, RegExp])[] = [
  ['an end inside a value', octetString, '0201', /ends too early/],
  ['nothing at all', boolean, '', /ends too early/],
  ['more than the value', boolean, '8000', /more than its type/],
  ['padding that is not zero', boolean, '81', /more than its type/],
  ['a number outside its range', integer(0, 4), 'e0', /7 is no INTEGER/],
  ['an INTEGER without octets', anyInteger, '00', /no octets/],
  ['text that is not UTF-8', utf8String, '01ff', /not in UTF-8/],
  ['a length of no fragment', octetString, 'c0', /0 fragments/],
  ['an item of a newer version', mood, '80', /item 2 of Mood belongs to a newer version/],
];

describe('unaligned PER', () => {
  for (const [name, type, value, hex] of ENCODINGS) {
    it(`encodes ${name}`, () => {
      assert.equal(encodePer(type, value).toString('hex'), hex);
      assert.partialDeepStrictEqual(decodePer(type, Buffer.from(hex, 'hex')), value);
    });
  }

  for (const [name, type, value, message] of REFUSED_VALUES) {
    it(`refuses to encode ${name}`, () => {
      assert.throws(() => encodePer(type, value), { name: 'PerError', message });
    });
  }

  for (const [name, type, hex, message] of REFUSED_BYTES) {
    it(`refuses to decode ${name}`, () => {
      assert.throws(() => decodePer(type, Buffer.from(hex, 'hex')), { name: 'PerError', message });
    });
  }

  it('leaves a default value out, and gives it when it reads', () => {
    assert.deepEqual(encodePer(point, { x: 5, z: 5 }), encodePer(point, { x: 5 }));
    assert.deepEqual(decodePer(point, encodePer(point, { x: 5 })), { x: 5, z: 5 });
  });

  it('splits what is longer than 16 K', () => {
    for (const length of [127, 128, 16_383, 16_384, 16_385, 65_536, 81_920, 100_000]) {
      const octets = Buffer.alloc(length, 'abc');
      assert.deepEqual(decodePer(octetString, encodePer(octetString, octets)), octets, String(length));
      const text = octets.toString();
      assert.equal(decodePer(ia5String(), encodePer(ia5String(), text)), text);
      const list = [...octets];
      assert.deepEqual(decodePer(sequenceOf(integer(0, 255)), encodePer(sequenceOf(integer(0, 255)), list)), list);
    }
    assert.equal(encodePer(octetString, Buffer.alloc(16_384)).subarray(0, 1).toString('hex'), 'c1');
    assert.equal(encodePer(octetString, Buffer.alloc(81_920)).subarray(0, 1).toString('hex'), 'c4');
  });

  it('passes over what newer versions add', () => {
    // Extended; no optional component; x is 5; one addition, present, of one octet.
    const extended = Buffer.from(bits('1 00 101 0 000000 1 00000001 11111111'), 'hex');
    assert.deepEqual(decodePer(point, extended), { x: 5, z: 5 });
    // An added alternative: number 0, one octet.
    assert.deepEqual(decodePer(shape, Buffer.from(bits('1 0 000000 00000001 11111111'), 'hex')), {});
  });
});

/** Groups of bits as hexadecimal octets, padded with zeros. */
function bits(text: string): string {
  const all = text.replaceAll(' ', '');
  const padded = all.padEnd(Math.ceil(all.length / 8) * 8, '0');
  return (padded.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2).toString(16).padStart(2, '0')).join('');
}
