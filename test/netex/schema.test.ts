/** The XSD stage: breaches in plain words at the right place, for any size and encoding and for hostile content. */
import assert from 'node:assert/strict';
import { type SchemaOutcome, SchemaSet, schemaMemoryBytes } from '../../netex/schema/index.ts';
import { xsdDirectory } from '../support/folders.ts';
import { SCHEMA_IMAGES } from '../support/schema-images.ts';
import {
  checkText,
  line,
  openSchemas,
  resourceFrame,
  serviceFrame,
  VERSION,
  validDelivery,
} from './support/schema-samples.ts';

const lines = (...inside: string[]): string => serviceFrame(`<lines>${inside.join('')}</lines>`);
const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** Documents that each break one rule, with the message about it. */
const BREACHES: Readonly<Record<string, readonly [document: string, message: RegExp]>> = {
  'value not in the list': [
    lines(line('ABC:Line:1', '<Name>L</Name><TransportMode>buss</TransportMode>')),
    /^TransportMode 'buss' is not allowed in Line 'ABC:Line:1'; allowed are all, unknown, bus, .* … \(17 in all\)\.$/,
  ],
  'value of another type': [
    lines(line('ABC:Line:1', '<Name>L</Name><Monitored>maybe</Monitored>')),
    /^Monitored 'maybe' in Line 'ABC:Line:1' is not true or false\.$/,
  ],
  'value out of range': [
    serviceFrame(
      '<scheduledStopPoints><ScheduledStopPoint id="ABC:ScheduledStopPoint:1" version="1"><Location><Longitude>200</Longitude>' +
        '<Latitude>60</Latitude></Location></ScheduledStopPoint></scheduledStopPoints>',
    ),
    /^Longitude '200' in Location is out of range; it must be at most 180\.$/,
  ],
  'unknown element': [
    lines(line('ABC:Line:1', '<Nam>L</Nam>')),
    /^Nam is not expected here in Line 'ABC:Line:1'; expected is one of validityConditions, .*, Name\.$/,
  ],
  'element in the wrong order': [
    lines(line('ABC:Line:1', '<TransportMode>bus</TransportMode><Name>L</Name>')),
    /^TransportMode is not expected here in Line 'ABC:Line:1'/,
  ],
  'element missing': [
    validDelivery('').replace(/<ParticipantRef>.*\n<dataObjects>.*\n/, ''),
    /^PublicationDelivery is not complete; it lacks ParticipantRef\.$/,
  ],
  'empty container': [
    lines(),
    /^lines in ServiceFrame 'ABC:ServiceFrame:1' is not complete; it lacks one of Line, FlexibleLine\.$/,
  ],
  'attribute missing': [
    lines(line('ABC:Line:1', '<Name>L</Name><RepresentedByGroupRef/>')),
    /^Attribute 'ref' is missing on RepresentedByGroupRef in Line 'ABC:Line:1'\.$/,
  ],
  'unknown attribute': [
    lines(line('ABC:Line:1').replace('version', 'versoin')),
    /^Attribute 'versoin' is not allowed on Line 'ABC:Line:1' in lines\.$/,
  ],
  'attribute of another type': [
    lines(line('ABC:Line:1', '<Name lang="no no">L</Name>')),
    /^Attribute 'lang' of Name 'no no' in Line 'ABC:Line:1' is not a language code like no\.$/,
  ],
  'text between elements': [
    lines('hello', line('ABC:Line:1')),
    /^lines in ServiceFrame 'ABC:ServiceFrame:1' may hold other elements only, no text\.$/,
  ],
  'element within text': [
    lines(line('ABC:Line:1', '<Name>L<b/></Name>')),
    /^Name in Line 'ABC:Line:1' may hold text only, no other elements\.$/,
  ],
  'abstract element': [
    lines('<Line_ id="ABC:Line:1" version="1"/>'),
    /^Line_ 'ABC:Line:1' in lines cannot be used itself; only its more specific kinds can\.$/,
  ],
  'unknown xsi:type': [
    lines(line('ABC:Line:1').replace('<Line', `<Line ${XSI} xsi:type="Tramway"`)),
    /^The xsi:type 'Tramway' of Line 'ABC:Line:1' in lines names no known type\.$/,
  ],
  'key twice in a keyList': [
    lines(
      line(
        'ABC:Line:1',
        `<keyList>${'<KeyValue><Key>a</Key><Value>b</Value></KeyValue>'.repeat(2)}</keyList><Name>L</Name>`,
      ),
    ),
    /^KeyValue in keyList repeats a, b, which must be unique\.$/,
  ],
  'another namespace': [
    validDelivery('').replace('www.netex.org.uk', 'www.netex.com'),
    /^PublicationDelivery \(of http:\/\/www\.netex\.com\/netex\) cannot be the outermost element/,
  ],
};

describe('schema: breaches of the XSD', () => {
  before(() => openSchemas().warmUp(VERSION));

  it('finds none in a valid document', () => {
    const outcome = checkText(lines(line('ABC:Line:1')));
    const none = { defects: [], count: 0, warnings: [], capped: false };
    assert.deepEqual(outcome, { version: VERSION, wellFormed: true, ...none });
  });

  for (const [name, [document, message]] of Object.entries(BREACHES)) {
    it(name, () => {
      const [defect, ...others] = checkText(document).defects;
      assert.deepEqual(others, []);
      assert.match(defect?.message ?? '', message);
      assert.doesNotMatch(defect?.message ?? '', /\{http|facet|atomic|xs:/);
    });
  }

  it('gives line, column and the surrounding id', () => {
    const document = lines('\n  ', line('ABC:Line:7', '\n    <Name>L</Name>\n    <Monitored>maybe</Monitored>'));
    const [defect] = checkText(document).defects;
    assert.deepEqual([defect?.line, defect?.column, defect?.objectId], [8, 5, 'ABC:Line:7']);
  });

  it('counts lines beyond 65,535', () => {
    const many = Array.from({ length: 40_000 }, (_, i) => `${line(`ABC:Line:${i}`, '\n<Name>L</Name>')}\n`);
    const document = lines(...many, line('ABC:Line:x', '\n<Name>L</Name>\n<Monitored>maybe</Monitored>'));
    const expected = document.slice(0, document.indexOf('<Monitored>')).split('\n').length;
    assert.ok(expected > 65_535);
    const { defects, count } = checkText(document);
    assert.equal(count, 1);
    assert.deepEqual([defects[0]?.line, defects[0]?.column], [expected, 1]);
  });

  it('lists 100 of very many breaches, counts all, and ends soon', () => {
    const faulty = line('ABC:Line:1', '<Name>L</Name><Monitored>maybe</Monitored>');
    const started = performance.now();
    const { defects, count, capped } = checkText(lines(...Array.from({ length: 70_000 }, () => faulty)));
    assert.deepEqual([defects.length, count, capped], [100, 70_000, false]);
    assert.ok(performance.now() - started < 20_000);
  });

  it('leaves nothing in the memory of the schema parser', () => {
    const document = lines(...Array.from({ length: 2_000 }, (_, i) => line(`ABC:Line:${i}`)));
    for (let i = 0; i < 5; i++) checkText(document);
    const before = schemaMemoryBytes();
    for (let i = 0; i < 50; i++) checkText(i % 2 ? document : document.replace('</lines>', ''));
    assert.equal(schemaMemoryBytes(), before);
  });

  it('never fetches a schema that the file names', () => {
    const named = ` ${XSI} xsi:schemaLocation="http://www.netex.org.uk/netex http://localhost:1/NeTEx_publication.xsd"`;
    const document = lines(line('ABC:Line:1')).replace('"http://www.opengis.net/gml/3.2"', `$&${named}`);
    assert.deepEqual(checkText(document).defects, []);
  });
});

describe('schema: malformed XML', () => {
  const breaks: Readonly<Record<string, readonly [string, RegExp, line: number | null]>> = {
    'a tag closed by another': [lines().replace('</lines>', '</line>'), /<lines> of line 5 is closed by <\/line>/, 5],
    'an end that is missing': [validDelivery('').replace('</PublicationDelivery>', ''), /line 2 is never closed/, 6],
    'an ampersand alone': [validDelivery('').replace('>ABC<', '>A & B<'), /write &lt; or &amp;/, 4],
    'an entity never defined': [validDelivery('').replace('>ABC<', '>A&nbsp;B<'), /entity nbsp is not defined/, 4],
    'an attribute twice': [resourceFrame('').replace('version="1"', 'id="x"'), /attribute id is given twice/, 5],
    'a prefix never declared': [validDelivery('<x:Frame/>'), /prefix x .*is not declared/, 5],
    'something after the end': [`${validDelivery('')}<a/>`, /after the end of the outermost element/, 6],
    'a control character': [validDelivery('').replace('>ABC<', '>A\u0001B<'), /not allowed in XML/, 4],
    'nothing but a declaration': ['<?xml version="1.0"?>\n', /no element at all/, 2],
    'elements nested 300 deep': [validDelivery(`${'<a>'.repeat(300)}${'</a>'.repeat(300)}`), /256 deep/, 5],
    'a text of 11 million letters': [
      validDelivery('').replace('>ABC<', `>${'x'.repeat(11_000_000)}<`),
      /longer than 10 million/,
      4,
    ],
  };
  for (const [name, [document, message, at]] of Object.entries(breaks)) {
    it(`${name}: one finding, at its place`, () => {
      const { wellFormed, defects, count, version } = checkText(document);
      assert.deepEqual([wellFormed, count, version, defects[0]?.line], [false, 1, null, at]);
      assert.match(defects[0]?.message ?? '', /^The file is not well-formed XML: /);
      assert.match(defects[0]?.message ?? '', message);
    });
  }

  it('an empty file: one finding', () => {
    assert.match(checkText('').defects[0]?.message ?? '', /no element at all/);
  });

  it('a DOCTYPE is refused before any parser sees its entities', () => {
    const laughs = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>';
    const document = validDelivery('').replace('?>\n', `?>\n<!-- a <!DOCTYPE in a comment -->\n${laughs}\n`);
    const { wellFormed, defects } = checkText(document);
    assert.equal(wellFormed, false);
    assert.deepEqual(
      [defects[0]?.message, defects[0]?.line, defects[0]?.column],
      ['The file has a DOCTYPE, which is not allowed; remove it.', 3, 1],
    );
    assert.equal(checkText(validDelivery('').replace('?>\n', '?>\n<!-- <!DOCTYPE a> -->\n')).wellFormed, true);
  });
});

describe('schema: encodings', () => {
  const document = lines(line('ABC:Line:1', '<Name>Ås</Name><Monitored>maybe</Monitored>'));
  const declared = (encoding: string): string => document.replace('UTF-8', encoding);
  const written: Readonly<Record<string, Uint8Array>> = {
    'UTF-8': Buffer.from(document),
    'UTF-8 with a byte order mark': Buffer.from(`\uFEFF${document}`),
    'UTF-16 with a byte order mark': Buffer.from(`\uFEFF${declared('UTF-16')}`, 'utf16le'),
    'ISO-8859-1': Buffer.from(declared('ISO-8859-1'), 'latin1'),
    'windows-1252': Buffer.from(declared('windows-1252'), 'latin1'),
  };
  for (const [name, bytes] of Object.entries(written)) {
    it(`${name}: the same finding at the same place`, () => {
      const { defects } = checkText(bytes);
      assert.deepEqual([defects.length, defects[0]?.line, defects[0]?.objectId], [1, 5, 'ABC:Line:1']);
    });
  }

  it('bytes outside the encoding are malformed XML', () => {
    const { wellFormed, defects } = checkText(Buffer.from(document, 'latin1'));
    assert.equal(wellFormed, false);
    assert.match(defects[0]?.message ?? '', /encoding/);
    assert.match(checkText(declared('KOI8-R')).defects[0]?.message ?? '', /"KOI8-R", which is not supported/);
  });
});

describe('schema: versions', () => {
  const schemas = openSchemas();
  it('a file is checked by the version that it declares', () => {
    assert.equal(schemas.resolve('1.13'), '1.13');
    assert.equal(schemas.resolve('1.04'), '1.04beta');
  });

  it('a file without a known version is checked by the latest', () => {
    const latest = schemas.versions.at(-1);
    assert.equal(latest, '1.16');
    assert.equal(schemas.resolve(undefined), latest);
    assert.equal(schemas.resolve('9.99'), latest);
  });

  it('names the declarations that apply', () => {
    const of = (version: string): string =>
      schemas.versionOf(Buffer.from(validDelivery('').replace(/version="1\.13[^"]*"/, `version="${version}"`)));
    assert.equal(of('1.04:NO-NeTEx-networktimetable:1.0'), '1.04beta');
    assert.equal(of('1.13:NO-NeTEx-networktimetable:1.3'), '1.13');
    assert.equal(of('1.0'), '1.16');
    assert.equal(of('1.13'), '1.16');
    assert.equal(of('1.13:x'), '1.16');
  });
});

describe('schema: files too large for a tree', () => {
  const options = { wholeBytes: 0, windowLetters: 20_000, imageDirectory: SCHEMA_IMAGES };
  const large = (...members: string[]): string =>
    serviceFrame(
      `<routePoints>\n<RoutePoint id="ABC:RoutePoint:1" version="1"/>\n</routePoints>\n<lines>\n${members.join('\n')}\n</lines>`,
    );
  const members = (count: number): string[] => Array.from({ length: count }, (_, i) => line(`ABC:Line:${i}`));
  /** Checks the document in windows of 20,000 letters and as a whole. Both outcomes must be equal. */
  function checkBoth(document: string): SchemaOutcome {
    const inWindows = SchemaSet.open(xsdDirectory(), options).check(Buffer.from(document));
    assert.deepEqual(inWindows, checkText(document));
    return inWindows;
  }

  it('are checked in windows, with the findings of the whole', () => {
    assert.equal(checkBoth(large(...members(3_000))).count, 0);
    const faulty = line('ABC:Line:x', '<Name>L</Name>\n<Monitored>maybe</Monitored>');
    const outcome = checkBoth(large(...members(2_000), faulty, ...members(500), faulty, ...members(2)));
    assert.deepEqual(
      outcome.defects.map((defect) => [defect.line, defect.objectId]),
      [
        [2010, 'ABC:Line:x'],
        [2512, 'ABC:Line:x'],
      ],
    );
  });

  it('report faults around the windows once, and missing elements only at the end', () => {
    assert.equal(checkBoth(large(...members(2_000)).replace(' id="ABC:ServiceFrame:1"', '$& zz="1"')).count, 1);
    const late = large(...members(2_000)).replace('</lines>', '</lines><groupsOfLines></groupsOfLines><Zzz/>');
    assert.equal(checkBoth(late).count, 2);
    const wrongOrder = large(...members(2_000)).replace('</lines>', '</lines><routePoints/>');
    assert.match(checkBoth(wrongOrder).defects[0]?.message ?? '', /^routePoints is not expected here/);
  });

  it('get the same messages of the parser', () => {
    const odd = large(...members(2_000))
      .replace('version="1.0"', 'version="1.1"')
      .replace('</lines>', '<?xmlish a?>\n<?xml-stylesheet a?><?exporter a?></lines>');
    const remarks = ({ warnings }: SchemaOutcome) => warnings.map(({ message, line }) => [line, message]);
    const inWindows = remarks(SchemaSet.open(xsdDirectory(), options).check(Buffer.from(odd)));
    assert.deepEqual(inWindows, remarks(checkText(odd)));
    assert.deepEqual(
      inWindows.map(([line]) => line),
      [1, 2009],
    );
    assert.match(String(inWindows), /says it is XML 1\.1; expected 1\.0.*begins with xml/);
  });

  it('are refused at the place where they are malformed or declare entities', () => {
    const check = (document: string): SchemaOutcome =>
      SchemaSet.open(xsdDirectory(), options).check(Buffer.from(document));
    const cut = check(large(...members(2_000)).replace('</ServiceFrame>', ''));
    assert.deepEqual([cut.wellFormed, cut.count], [false, 1]);
    assert.match(cut.defects[0]?.message ?? '', /^The file is not well-formed XML: /);
    const doctype = check(large(...members(2_000)).replace('?>\n', '?>\n<!DOCTYPE a [<!ENTITY a "ha">]>\n'));
    assert.deepEqual([doctype.wellFormed, doctype.defects[0]?.line], [false, 2]);
    assert.match(doctype.defects[0]?.message ?? '', /DOCTYPE/);
  });
});
