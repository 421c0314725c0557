import assert from 'node:assert/strict';
import { decodeXml, XmlDecoder, XmlEncodingError } from '../../netex/xml/decode.ts';

const declared = (encoding: string): string => `<?xml version="1.0" encoding='${encoding}' ?>\n<a>Å</a>`;
const whole = (bytes: Uint8Array): string => [...decodeXml(bytes)].join('');
const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('decoding XML', () => {
  it('follows byte order mark and declaration, and leaves the mark out', () => {
    assert.equal(whole(Buffer.from('<a>Å</a>')), '<a>Å</a>');
    assert.equal(whole(Buffer.from('\ufeff<a>Å</a>')), '<a>Å</a>');
    assert.equal(whole(Buffer.from(declared('utf-8'))), declared('utf-8'));
    for (const encoding of ['ISO-8859-1', 'iso-8859-15', 'Windows-1252']) {
      assert.equal(whole(latin(declared(encoding))), declared(encoding));
    }
    const wide = declared('UTF-16');
    assert.equal(whole(Buffer.from(`\ufeff${wide}`, 'utf16le')), wide);
    assert.equal(whole(Buffer.from(`\ufeff${wide}`, 'utf16le').swap16()), wide);
    assert.equal(whole(Buffer.from(wide, 'utf16le')), wide);
    assert.equal(whole(Buffer.from('\ufeff<a>Å</a>', 'utf16le')), '<a>Å</a>');
    assert.equal(whole(latin('<?xml version="1.0" encoding="windows-1252"?><a>\x80</a>')).slice(-5), '€</a>');
  });

  it('gives the same text for every division of the bytes', () => {
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const text = `${'x'.repeat(700)}æ€😀ø`.repeat(3);
      const bytes = Buffer.from(encoding === 'utf8' ? text : `\ufeff${text}`, encoding);
      for (const step of [1, 2, 3, 5, 513]) {
        const decoder = new XmlDecoder();
        let got = '';
        for (let at = 0; at < bytes.length; at += step) got += decoder.write(bytes.subarray(at, at + step));
        assert.equal(got + decoder.end(), text, `${encoding} in steps of ${step}`);
      }
    }
  });

  it('names the line of a byte outside the encoding', () => {
    const lines = `${'<x>Ås</x>\n'.repeat(40_000)}`;
    const bytes = Buffer.concat([Buffer.from(lines), latin('<x>Ås</x>\n'), Buffer.from(lines)]);
    assert.throws(
      () => whole(bytes),
      (error) => error instanceof XmlEncodingError && error.line === 40_001 && /not valid UTF-8/.test(error.message),
    );
    assert.throws(() => whole(Buffer.from(declared('us-ascii'))), { line: 2, message: /US-ASCII/ });
  });

  it('refuses a truncated letter at the end', () => {
    assert.throws(() => whole(Buffer.from('<a>Å').subarray(0, 4)), XmlEncodingError);
    assert.throws(() => whole(Buffer.from('\ufeff<a>', 'utf16le').subarray(0, 7)), XmlEncodingError);
  });

  it('refuses overlong and surrogate forms of UTF-8', () => {
    for (const bytes of [
      [0xc0, 0xbc],
      [0xe0, 0x80, 0xbc],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
    ]) {
      assert.throws(() => whole(Buffer.concat([Buffer.from('<a>'), Buffer.from(bytes)])), XmlEncodingError);
    }
  });

  it('refuses unsupported encodings and false declarations', () => {
    for (const encoding of ['UTF-7', 'shift_jis', 'ebcdic-cp-no', 'x', '']) {
      assert.throws(() => whole(Buffer.from(declared(encoding))), { code: 'ERROR_FILE_INVALID_XML_ENCODING_ERROR' });
    }
    assert.throws(() => whole(Buffer.from(declared('UTF-16'))), /declares the encoding "UTF-16" but is written in/);
    assert.throws(() => whole(Buffer.from(`\ufeff${declared('iso-8859-1')}`)), /is written in UTF-8/);
    assert.throws(() => whole(Buffer.from(`\ufeff${declared('utf-8')}`, 'utf16le')), /is written in UTF-16/);
    assert.throws(() => whole(Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0])), /UTF-32/);
  });
});
