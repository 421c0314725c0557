/** Documents as YAML and the language of pages, below HTTP. */
import assert from 'node:assert/strict';
import { ApiDocs } from '../../api/shared/api-docs.ts';
import { documentPage } from '../../api/shared/docs-page/page.ts';
import { BOKMAL_FIRST, chooseLanguage, ENGLISH_FIRST } from '../../api/shared/pages/language.ts';
import type { RequestContext } from '../../api/shared/request-context.ts';

const get = { responses: {}, operationId: 'getParcel', summary: 'Get a parcel' };
const shown = { name: 'parcels', document: { info: { title: 'Parcels' }, paths: { '/parcels': { get } } } };

describe('the documents of a server', () => {
  it('are written as YAML once', () => {
    const docs = new ApiDocs([shown]);
    const request = { url: '/api-docs/parcels?format=yaml', headers: {} };
    const read = () => docs.replyOf({ request } as RequestContext, shown).bytes;
    const first = read();
    assert.match(String(first), /title: Parcels/);
    assert.ok(first instanceof Uint8Array);
    assert.equal(read(), first);
  });

  it('are shown in the language that the browser prefers', () => {
    const languages = {
      'nb-NO,nb;q=0.9,en;q=0.8': 'nb',
      'nn;q=0.5,en-GB;q=0.9': 'en',
      'de-NO,en;q=0.5': 'en',
      'en;q=0,no': 'nb',
      '*': 'en',
      de: 'en',
      '': 'en',
    };
    for (const [accepted, language] of Object.entries(languages))
      assert.equal(chooseLanguage(ENGLISH_FIRST, null, accepted), language, accepted);
    assert.equal(chooseLanguage(ENGLISH_FIRST, 'nb', 'en'), 'nb');
    assert.equal(chooseLanguage(BOKMAL_FIRST, null, 'de'), 'nb');
    assert.equal(chooseLanguage(BOKMAL_FIRST, 'xx', 'en;q=0.2'), 'en');
  });

  it('name the language of their titles', () => {
    assert.match(documentPage(shown, [shown], 'nb'), /<h3 id="title-getParcel" lang="en">Get a parcel/);
  });
});
