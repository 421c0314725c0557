import assert from 'node:assert/strict';
import { anyFrame, codesOf, validateLine } from '../support/sample-files.ts';

const codes = (content: string, context = {}) => codesOf(validateLine(anyFrame(content), context));

describe('rules: ids', () => {
  it('NETEX_ID_2: ids have the form CCC:Type:local', () => {
    for (const id of ['ABC:Line:1', 'ABC:Line:a-B_9'])
      assert.deepEqual(codes(`<Line id="${id}" version="1"/>`), [], id);
    for (const id of ['line 1', 'abc:Line:1', 'ABCD:Line:1', 'ABC:Line', 'ABC:Line:', 'ABC:Line:1:2', 'ABC:Line:bø']) {
      assert.deepEqual(codes(`<Line id="${id}" version="1"/>`), ['NETEX_ID_2'], id);
    }
    assert.equal(
      validateLine(anyFrame('<Line id="line 1" version="1"/>')).findings[0]?.message,
      'Line has the id "line 1"; expected the form ABC:Line:local-part.',
    );
  });

  it('NETEX_ID_3: the middle part names the element', () => {
    assert.deepEqual(codes('<Route id="ABC:Route:1" version="1"/>'), []);
    assert.deepEqual(codes('<Route id="ABC:Line:1" version="1"/>'), ['NETEX_ID_3']);
  });

  it('NETEX_ID_4: the prefix is the own or an allowed one', () => {
    assert.deepEqual(codes('<Line id="ABC:Line:1" version="1"/><Quay id="NSR:Quay:1" version="1"/>'), []);
    assert.deepEqual(codes('<Line id="XYZ:Line:1" version="1"/>'), ['NETEX_ID_4']);
    assert.deepEqual(codes('<Line id="XYZ:Line:1" version="1"/>', { allowedXmlns: ['XYZ'] }), []);
  });

  it('NETEX_ID_4W: only a warning on operators', () => {
    assert.deepEqual(codes('<Operator id="ABC:Operator:1" version="1"/>'), []);
    assert.deepEqual(codes('<Operator id="XYZ:Operator:1" version="1"/>'), ['NETEX_ID_4W']);
  });

  it('a repeated id counts once, and each version of it separately', () => {
    const twice = '<Line id="XYZ:Line:1" version="1"/><Line id="XYZ:Line:1" version="1"/>';
    assert.deepEqual(codes(twice), ['NETEX_ID_4']);
    assert.deepEqual(codes(`${twice}<Line id="XYZ:Line:1" version="2"/>`), ['NETEX_ID_4 ×2']);
  });

  it('codespaces and elements of other namespaces have other ids', () => {
    assert.deepEqual(codes('<x:Line xmlns:x="urn:x" id="line 1"/>'), []);
  });
});
