import assert from 'node:assert/strict';
import { anyFrame, codesOf, commonIds, file, validateLine } from '../support/sample-files.ts';

describe('rules: versions', () => {
  it('VERSION_NON_NUMERIC: versions are numbers or "any"', () => {
    const line = (version: string) => anyFrame(`<Line id="ABC:Line:1" version="${version}"/>`);
    for (const version of ['1', '0', '12.5', 'any', ' 7 ', '-1']) {
      assert.deepEqual(codesOf(validateLine(line(version))), [], version);
    }
    for (const version of ['2026-01-31', 'v1', '', 'ANY', '1,5', '0x10']) {
      assert.deepEqual(codesOf(validateLine(line(version))), ['VERSION_NON_NUMERIC'], version);
    }
    const [finding] = validateLine(line('v1')).findings;
    assert.equal(finding?.message, 'Line has version "v1"; expected a number or "any".');
    assert.equal(finding?.objectId, 'ABC:Line:1');
    assert.deepEqual([finding?.severity, finding?.lineNumber], ['WARNING', 1]);
  });

  it('VERSION_NON_NUMERIC: references and elements without id are checked, the root is not', () => {
    const result = validateLine(anyFrame('<Route version="a"><LineRef ref="ABC:Line:1" version="b"/></Route>'), {
      commonIds: commonIds(file('_ABC.xml', anyFrame('<Line id="ABC:Line:1" version="b"/>'))),
    });
    assert.deepEqual(codesOf(result), ['VERSION_NON_NUMERIC ×2']);
  });

  it('NETEX_ID_8: an element with an id has a version', () => {
    assert.deepEqual(codesOf(validateLine(anyFrame('<Line id="ABC:Line:1" version="1"/>'))), []);
    const result = validateLine(anyFrame('<Line id="ABC:Line:1"/>'));
    assert.deepEqual(codesOf(result), ['NETEX_ID_8']);
    assert.equal(result.findings[0]?.message, 'Line ABC:Line:1 has no version; expected a version beside its id.');
  });

  it('NETEX_ID_9: a reference to an element of the same file has its version, in any place', () => {
    const line = '<Line id="ABC:Line:1" version="1"/>';
    const withVersion = '<Route id="ABC:Route:1" version="1"><LineRef ref="ABC:Line:1" version="1"/></Route>';
    const without = withVersion.replace('ref="ABC:Line:1" version="1"', 'ref="ABC:Line:1"');
    assert.deepEqual(codesOf(validateLine(anyFrame(withVersion + line))), []);
    assert.deepEqual(codesOf(validateLine(anyFrame(without + line))), ['NETEX_ID_5', 'NETEX_ID_9']);
    assert.deepEqual(codesOf(validateLine(anyFrame(line + without))), ['NETEX_ID_5', 'NETEX_ID_9']);
  });

  it('NETEX_ID_9: references to a common file need none', () => {
    const result = validateLine(anyFrame('<OperatorRef ref="ABC:Operator:1"/>'), {
      commonIds: commonIds(file('_ABC.xml', anyFrame('<Operator id="ABC:Operator:1" version="3"/>'))),
    });
    assert.deepEqual(codesOf(result), []);
  });
});
