/** Valid archives with files that a dataset may not contain. */

import type { HostileArchive } from '../hostile-archives.ts';
import { LINE_FILE, netexFile } from '../netex-samples.ts';
import { deflate, writeZip } from '../zip-writer.ts';

const LINE = { name: 'TST_line_1.xml', data: LINE_FILE };
const withFile = (data: string | Uint8Array): Buffer => writeZip([LINE, { name: 'TST_line_2.xml', data }]);

const BILLION_LAUGHS = netexFile(
  '&lol9;',
  `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">${Array.from(
    { length: 9 },
    (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i || ''};`.repeat(10)}">`,
  ).join('')}]>`,
);
const EXTERNAL_ENTITY = netexFile(
  '&file;',
  '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]>',
);
const GTFS = ['agency', 'stops', 'routes', 'trips', 'stop_times', 'calendar'].map((table) => ({
  name: `${table}.txt`,
  data: `${table}_id,${table}_name\n1,x\n`,
}));

const content = (
  name: string,
  data: string | Uint8Array,
  expectedCode: HostileArchive['expectedCode'],
): HostileArchive => ({
  name,
  bytes: () => withFile(data),
  expectedCode,
});
const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>\n`;

export const contentArchives: readonly HostileArchive[] = [
  content('billion laughs', BILLION_LAUGHS, 'DOCTYPE_FORBIDDEN'),
  content('external entity', EXTERNAL_ENTITY, 'DOCTYPE_FORBIDDEN'),
  content('DOCTYPE', netexFile('', '<!DOCTYPE PublicationDelivery>'), 'DOCTYPE_FORBIDDEN'),
  content('DOCTYPE in lower case', netexFile('', '<!doctype PublicationDelivery>'), 'DOCTYPE_FORBIDDEN'),
  content(
    'DOCTYPE behind a long comment',
    netexFile('', `<!--${'- '.repeat(9000)}--><!DOCTYPE x>`),
    'DOCTYPE_FORBIDDEN',
  ),
  content('DOCTYPE in UTF-16', Buffer.from(`\ufeff${netexFile('', '<!DOCTYPE x>')}`, 'utf16le'), 'DOCTYPE_FORBIDDEN'),
  content('entity declaration alone', netexFile('', '<!ENTITY a "b">'), 'DOCTYPE_FORBIDDEN'),
  content('SIRI', '<Siri xmlns="http://www.siri.org.uk/siri" version="2.0"/>', 'ERROR_FILE_UNKNOWN_FILE_TYPE'),
  content('web page', '<!DOCTYPE html><html><body>Log in</body></html>', 'ERROR_FILE_UNKNOWN_FILE_TYPE'),
  content('NeTEx of a foreign namespace', LINE_FILE.replace('.org.uk', '.com'), 'ERROR_FILE_UNKNOWN_FILE_TYPE'),
  content('NeTEx without a namespace', '<PublicationDelivery/>', 'ERROR_FILE_UNKNOWN_FILE_TYPE'),
  content(
    'NeTEx without its outer element',
    '<ServiceFrame xmlns="http://www.netex.org.uk/netex"/>',
    'ERROR_FILE_UNKNOWN_FILE_TYPE',
  ),
  { name: 'GTFS', bytes: () => writeZip(GTFS), expectedCode: 'ERROR_FILE_UNKNOWN_FILE_TYPE' },
  {
    name: 'GTFS with a NeTEx file',
    bytes: () => writeZip([...GTFS, LINE]),
    expectedCode: 'ERROR_FILE_UNKNOWN_FILE_TYPE',
  },
  {
    name: 'no XML',
    bytes: () => writeZip([{ name: 'letter.pdf', data: '%PDF-1.7' }]),
    expectedCode: 'ERROR_FILE_UNKNOWN_FILE_TYPE',
  },
  content('text named as XML', 'stop_id,stop_name\n1,Torget\n', 'ERROR_FILE_INVALID_XML_CONTENT'),
  content('zeros named as XML', new Uint8Array(100), 'ERROR_FILE_INVALID_XML_CONTENT'),
  content('comment without end', netexFile('', `<!--${'x'.repeat(70_000)}`), 'ERROR_FILE_INVALID_XML_CONTENT'),
  content('endless root element', `<a ${'x="y" '.repeat(20_000)}`, 'ERROR_FILE_INVALID_XML_CONTENT'),
  {
    name: 'nothing but a broken file',
    bytes: () => writeZip([{ name: 'line.xml', data: '<?xml version="1.0"?><<<' }]),
    expectedCode: 'ERROR_FILE_INVALID_XML_CONTENT',
  },
  {
    name: 'nothing but empty files',
    bytes: () =>
      writeZip([
        { name: 'line.xml', data: declared('utf-8') },
        { name: 'b.xml', data: '' },
      ]),
    expectedCode: 'ERROR_VALIDATION_NO_DATA',
  },
  content('encoding UTF-7', declared('UTF-7') + netexFile('', ''), 'ERROR_FILE_INVALID_XML_ENCODING_ERROR'),
  content('encoding unknown', declared('x-klingon') + netexFile('', ''), 'ERROR_FILE_INVALID_XML_ENCODING_ERROR'),
  content('encoding UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]), 'ERROR_FILE_INVALID_XML_ENCODING_ERROR'),
  content('encoding EBCDIC', Buffer.from([0x4c, 0x6f, 0xa7, 0x94]), 'ERROR_FILE_INVALID_XML_ENCODING_ERROR'),
  content('UTF-8 that says UTF-16', netexFile('', declared('UTF-16')), 'ERROR_FILE_INVALID_XML_ENCODING_ERROR'),
  content(
    'UTF-16 that says UTF-8',
    Buffer.from(`\ufeff${netexFile('')}`, 'utf16le'),
    'ERROR_FILE_INVALID_XML_ENCODING_ERROR',
  ),
  content(
    'bytes that are not UTF-8',
    Buffer.from(netexFile('Åsen'), 'latin1'),
    'ERROR_FILE_INVALID_XML_ENCODING_ERROR',
  ),
  {
    name: 'wrong checksum',
    bytes: () => writeZip([{ ...LINE, local: { crc32: 7 }, directory: { crc32: 7 } }]),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'data that cannot be unpacked',
    bytes: () => writeZip([{ ...LINE, packed: Buffer.alloc(300, 0xff) }]),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'packed data that is cut off',
    bytes: () => writeZip([{ ...LINE, packed: deflate(LINE_FILE).subarray(0, -20) }]),
    expectedCode: 'ARCHIVE_DAMAGED',
  },
  {
    name: 'bytes after the packed data',
    bytes: () => writeZip([{ ...LINE, packed: Buffer.concat([deflate(LINE_FILE), Buffer.from('hidden')]) }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
  {
    name: 'file shorter than it says',
    bytes: () => writeZip([{ ...LINE, local: { bytes: 5000 }, directory: { bytes: 5000 } }]),
    expectedCode: 'ARCHIVE_CONTRADICTORY',
  },
];
