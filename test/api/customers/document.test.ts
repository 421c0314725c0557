/**
 * The document must state every reason of refusal that depends on the request alone, since clients are generated from
 * it.
 */
import assert from 'node:assert/strict';
import { loadDocument } from '../../../api/shared/openapi-document.ts';
import { SchemaChecks } from '../../../api/shared/schema-check.ts';
import { newProfile, newTemporary } from './support.ts';

const { root } = loadDocument(new URL('../../../api/customers/openapi.yaml', import.meta.url), 'Service');
const checks = new SchemaChecks('customers', root);
const replacement = { firstName: 'Kari', surname: 'Nordmann', email: 'kari@example.no', changedBy: 'desk' };
const bodies = {
  NewProfile: newProfile(),
  NewTemporaryProfile: newTemporary(),
  ProfileReplacement: { ...replacement, changedByChannel: 'desk' },
};

function faults(pointer: string, value: unknown): readonly string[] {
  return checks
    .compile(`/components/${pointer}`)(value)
    .map((fault) => `${fault.code} ${fault.pointer}`);
}

describe('the document of customers refuses', () => {
  for (const [name, body] of Object.entries(bodies)) {
    it(`half a phone number in ${name}, but not a whole one or none`, () => {
      const half = { ...body, countryCode: '47' };
      assert.deepEqual(faults(`schemas/${name}`, half), ['REQUIRED /telephoneNumberNoCountryCode']);
      const other = { ...body, telephoneNumberNoCountryCode: '90000000' };
      assert.deepEqual(faults(`schemas/${name}`, other), ['REQUIRED /countryCode']);
      assert.deepEqual(faults(`schemas/${name}`, { ...half, ...other }), []);
      assert.deepEqual(faults(`schemas/${name}`, body), []);
    });
  }

  it('null as the value of a preference, and no other JSON', () => {
    assert.deepEqual(faults('schemas/PreferenceRequest', { key: 'seat', value: null }), ['TYPE /value']);
    for (const value of [{ window: null }, [null], '', 0, 1.5, false]) {
      assert.deepEqual(faults('schemas/PreferenceRequest', { key: 'seat', value }), []);
    }
  });

  it('a key that is not printable ASCII', () => {
    const key = (text: string) => faults('parameters/IdempotencyKey/schema', text);
    assert.deepEqual(key('blå'), ['PATTERN ']);
    assert.deepEqual(key('a\tb'), ['PATTERN ']);
    assert.deepEqual(key('order 7/~!'), []);
  });

  it('an impossible page of a search', () => {
    assert.deepEqual(faults('parameters/Page/schema', 1_000_001), ['MAXIMUM ']);
    assert.deepEqual(faults('parameters/Page/schema', 1_000_000), []);
  });
});
