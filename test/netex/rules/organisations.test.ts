import assert from 'node:assert/strict';
import { codesOf, composite, validateLine } from '../support/sample-files.ts';

const OPERATOR = {
  CompanyNumber: '123',
  Name: 'Bussen',
  LegalName: 'Bussen AS',
  ContactDetails: '<Email>post@bussen.example</Email>',
  CustomerServiceContactDetails: '<Url>https://bussen.example</Url>',
};
const AUTHORITY = {
  CompanyNumber: '456',
  Name: 'Fylket',
  LegalName: 'Fylket',
  ContactDetails: '<Url>https://fylket.example</Url>',
};

/** Codes for an organisation with these children; undefined leaves the child out. */
function codes(kind: 'Operator' | 'Authority', children: Record<string, string | undefined>): string[] {
  const content = Object.entries(children)
    .map(([name, value]) => (value === undefined ? '' : `<${name}>${value}</${name}>`))
    .join('');
  const organisation = `<${kind} id="ABC:${kind}:1" version="1">${content}</${kind}>`;
  const frame = `<ResourceFrame id="ABC:ResourceFrame:1" version="1"><organisations>${organisation}</organisations></ResourceFrame>`;
  return codesOf(validateLine(composite(frame)));
}

const operator = (changes: Record<string, string | undefined>) => codes('Operator', { ...OPERATOR, ...changes });
const authority = (changes: Record<string, string | undefined>) => codes('Authority', { ...AUTHORITY, ...changes });

describe('rules: operators', () => {
  it('a complete operator breaks none', () => assert.deepEqual(operator({}), []));

  for (const [code, child] of [
    ['OPERATOR_1', 'CompanyNumber'],
    ['OPERATOR_2', 'Name'],
    ['OPERATOR_3', 'LegalName'],
  ] as const) {
    it(`${code}: it has a ${child} that is not empty`, () => {
      assert.deepEqual(operator({ [child]: undefined }), [code]);
      assert.deepEqual(operator({ [child]: ' ' }), [code]);
    });
  }

  it('OPERATOR_4: it has contact details', () =>
    assert.deepEqual(operator({ ContactDetails: undefined }), ['OPERATOR_4']));

  it('OPERATOR_5: contact details have an e-mail, a phone or a URL', () => {
    for (const name of ['Email', 'Phone', 'Url'])
      assert.deepEqual(operator({ ContactDetails: `<${name}>x</${name}>` }), []);
    assert.deepEqual(operator({ ContactDetails: '<Fax>1</Fax>' }), ['OPERATOR_5']);
    assert.deepEqual(operator({ ContactDetails: '<Phone/>' }), ['OPERATOR_5']);
  });

  it('OPERATOR_6: it has contact details for customers', () => {
    assert.deepEqual(operator({ CustomerServiceContactDetails: undefined }), ['OPERATOR_6']);
  });

  it('OPERATOR_7: contact details for customers have a URL', () => {
    assert.deepEqual(operator({ CustomerServiceContactDetails: '<Phone>177</Phone>' }), ['OPERATOR_7']);
    assert.deepEqual(operator({ CustomerServiceContactDetails: '<Url> </Url>' }), ['OPERATOR_7']);
  });
});

describe('rules: authorities', () => {
  it('a complete authority breaks none', () => assert.deepEqual(authority({}), []));

  for (const [code, child] of [
    ['AUTHORITY_1', 'CompanyNumber'],
    ['AUTHORITY_2', 'Name'],
    ['AUTHORITY_3', 'LegalName'],
  ] as const) {
    it(`${code}: it has a ${child} that is not empty`, () => {
      assert.deepEqual(authority({ [child]: undefined }), [code]);
      assert.deepEqual(authority({ [child]: '' }), [code]);
    });
  }

  it('AUTHORITY_4: it has contact details', () =>
    assert.deepEqual(authority({ ContactDetails: undefined }), ['AUTHORITY_4']));

  it('AUTHORITY_5: contact details have a complete URL', () => {
    assert.deepEqual(authority({ ContactDetails: '<Url>http://fylket.example</Url>' }), []);
    assert.deepEqual(authority({ ContactDetails: '<Url>\n  https://fylket.example\n</Url>' }), []);
    assert.deepEqual(authority({ ContactDetails: '<Url>www.fylket.example</Url>' }), ['AUTHORITY_5']);
    assert.deepEqual(authority({ ContactDetails: '<Phone>1</Phone>' }), ['AUTHORITY_5']);
  });
});
