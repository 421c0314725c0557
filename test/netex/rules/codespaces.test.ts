import assert from 'node:assert/strict';
import { CODESPACES, codesOf, composite, validateLine } from '../support/sample-files.ts';

const declared = (xmlns: string, url: string) =>
  `<Codespace id="x"><Xmlns>${xmlns}</Xmlns><XmlnsUrl>${url}</XmlnsUrl></Codespace>`;
const withOneMore = (codespace: string) => CODESPACES.replace('</codespaces>', `${codespace}</codespaces>`);

describe('rules: codespaces', () => {
  it('CODESPACE: only the own and allowed ones are declared, each with its URL', () => {
    const fit = withOneMore(declared('PEN', 'http://www.rutebanken.org/ns/pen'));
    assert.deepEqual(codesOf(validateLine(composite('', fit))), []);
    const foreign = withOneMore(declared('XYZ', 'http://www.rutebanken.org/ns/xyz'));
    assert.deepEqual(codesOf(validateLine(composite('', foreign))), ['CODESPACE']);
    const wrongUrl = withOneMore(declared('PEN', 'http://example.org/pen'));
    const result = validateLine(composite('', wrongUrl));
    assert.deepEqual(codesOf(result), ['CODESPACE']);
    assert.match(result.findings[0]?.message ?? '', /declares the codespace PEN \(http:\/\/example\.org\/pen\)/);
  });

  it('CODESPACE: applies in a frame of the CompositeFrame, too', () => {
    const frame = `<ResourceFrame id="ABC:ResourceFrame:1" version="1"><codespaces>${declared('XYZ', '')}</codespaces></ResourceFrame>`;
    assert.deepEqual(codesOf(validateLine(composite(frame))), ['CODESPACE']);
  });

  it('NSR_CODESPACE: a CompositeFrame declares the stop register', () => {
    assert.deepEqual(codesOf(validateLine(composite(''))), []);
    const onlyOwn = `<codespaces>${declared('ABC', 'http://www.rutebanken.org/ns/abc')}</codespaces>`;
    assert.deepEqual(codesOf(validateLine(composite('', onlyOwn))), ['NSR_CODESPACE']);
    assert.deepEqual(codesOf(validateLine(composite('', ''))), ['NSR_CODESPACE']);
  });
});
