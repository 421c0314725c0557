/** Tests permanent profiles: creation, look-up, replacement, change, deletion. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { problemOf } from '../support/call.ts';
import {
  CHANGED_BY,
  CREATED_BY,
  type CustomersServer,
  newProfile,
  OPERATOR,
  OTHER,
  startCustomers,
  WEB,
} from './support.ts';

describe('profiles', () => {
  let server: CustomersServer;
  before(async () => {
    server = await startCustomers();
  });
  after(async () => {
    await server.close();
  });
  const post = (body: unknown, headers: Record<string, string> = {}, path = '/profiles/') =>
    server.call(path, { body, headers });

  it('are created with defaults, and found by number and by reference', async () => {
    const body = newProfile({ password: 'a long password', dateOfBirth: '2000-02-29' });
    const created = await post(body);
    assert.equal(created.status, 201);
    const { customerNumber, createdAt, ...rest } = created.json;
    assert.match(customerNumber, /^[1-9]\d{9}$/);
    assert.equal(created.headers.get('location'), `/customers/v2/profiles/${customerNumber}`);
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const { password: _, ...shown } = body;
    assert.deepEqual(rest, {
      ...shown,
      customerRef: customerNumber,
      profileType: 'PERMANENT',
      status: 'ACTIVE',
      languagePreference: 'nob',
      changedAt: createdAt,
      changedBy: 'web',
      changedByChannel: WEB,
    });
    const paths = [`/profiles/${customerNumber}`, `/profiles/${customerNumber}?organisationId=1`];
    for (const path of paths) assert.deepEqual((await server.call(path)).json, created.json);
  });

  it("are found by the partner's reference", async () => {
    const customerRef = `Ref:${randomUUID().slice(0, 8)}@x`;
    const { json } = await post(newProfile({ customerRef }));
    assert.equal(json.customerRef, customerRef);
    for (const query of ['', '?organisationId=1']) {
      assert.deepEqual((await server.call(`/profiles/${encodeURIComponent(customerRef)}${query}`)).json, json);
    }
    assert.equal((await server.call(`/profiles/${encodeURIComponent(customerRef)}?organisationId=2`)).status, 404);
    assert.equal((await server.call(`/profiles/${encodeURIComponent(customerRef)}`, { token: OTHER })).status, 404);
    const all = { token: OPERATOR };
    assert.equal((await server.call(`/profiles/${encodeURIComponent(customerRef)}?organisationId=1`, all)).status, 200);
  });

  it('are created without the slash at the end too', async () => {
    assert.equal((await post(newProfile(), {}, '/profiles')).status, 201);
  });

  for (const [given, stored] of Object.entries({ NO: 'nob', nob: 'nob', Nno: 'nno', en: 'eng', ENG: 'eng' })) {
    it(`keep the language ${given} as ${stored}`, async () => {
      assert.equal((await post(newProfile({ languagePreference: given }))).json.languagePreference, stored);
    });
  }

  const phone = { countryCode: '+47', telephoneNumberNoCountryCode: '90000000' };
  const unfit: Record<string, readonly [object, string]> = {
    'without first name': [{ firstName: undefined }, '/firstName'],
    'without surname': [{ surname: null }, '/surname'],
    'with a blank name': [{ firstName: '  ' }, '/firstName'],
    'with a name of 101 characters': [{ surname: 'x'.repeat(101) }, '/surname'],
    'without e-mail': [{ email: undefined }, '/email'],
    'with an invalid e-mail': [{ email: 'kari(at)example.no' }, '/email'],
    'with an e-mail of 81 characters': [{ email: `${'x'.repeat(70)}@example.no` }, '/email'],
    'without createdBy': [{ createdBy: undefined }, '/createdBy'],
    'with an empty createdBy': [{ createdBy: '' }, '/createdBy'],
    'with a createdBy of 101 characters': [{ createdBy: 'x'.repeat(101) }, '/createdBy'],
    'without createdByChannel': [{ createdByChannel: undefined }, '/createdByChannel'],
    'without organisation': [{ organisationId: undefined }, '/organisationId'],
    'with an organisation in quotes': [{ organisationId: '1' }, '/organisationId'],
    'with a short password': [{ password: '1234567' }, '/password'],
    'with a password of 129 characters': [{ password: 'x'.repeat(129) }, '/password'],
    'with an unknown language': [{ languagePreference: 'deu' }, '/languagePreference'],
    'with half a phone number': [{ countryCode: '47' }, '/telephoneNumberNoCountryCode'],
    'with the other half of a phone number': [{ telephoneNumberNoCountryCode: '90000000' }, '/countryCode'],
    'with a dialling code from 0': [{ ...phone, countryCode: '047' }, '/countryCode'],
    'with a phone number of 3 digits': [
      { ...phone, telephoneNumberNoCountryCode: '113' },
      '/telephoneNumberNoCountryCode',
    ],
    'with an invalid birthday': [{ dateOfBirth: '1990-02-30' }, '/dateOfBirth'],
    'with a birthday with a time': [{ dateOfBirth: '1990-02-03T00:00:00Z' }, '/dateOfBirth'],
    'with a reference of 41 characters': [{ customerRef: 'x'.repeat(41) }, '/customerRef'],
    'with a reference with a blank': [{ customerRef: 'a b' }, '/customerRef'],
    'with a reference that is a path of the API': [{ customerRef: 'temporary' }, '/customerRef'],
    'with an expiration date': [{ expirationDate: '2030-01-01T00:00:00Z' }, '/expirationDate'],
    'with an unknown member': [{ shoeSize: 42 }, '/shoeSize'],
    'with a generated member': [{ customerNumber: '4837201956' }, '/customerNumber'],
  };
  for (const [name, [content, pointer]] of Object.entries(unfit)) {
    it(`are not created ${name}`, async () => {
      assert.equal(problemOf(await post(newProfile(content))), `400 VALIDATION_FAILED ${pointer}`);
    });
  }

  it('have a unique e-mail address and reference', async () => {
    const email = `one-${randomUUID()}@example.no`;
    const customerRef = randomUUID();
    assert.equal((await post(newProfile({ email, customerRef }))).status, 201);
    assert.equal(problemOf(await post(newProfile({ email: email.toUpperCase() }))), '409 DUPLICATE_EMAIL');
    assert.equal(problemOf(await post(newProfile({ customerRef }))), '409 DUPLICATE_CUSTOMER_REF');
    const elsewhere = { body: newProfile({ email, customerRef, organisationId: 2 }), token: OTHER };
    assert.equal((await server.call('/profiles/', elsewhere)).status, 201);
  });

  it('are created for the organisation of the token, or for any organisation with the right to all', async () => {
    const body = newProfile({ organisationId: 2 });
    assert.equal(problemOf(await post(body)), '403 ORGANISATION_FORBIDDEN');
    const created = await server.call('/profiles/', { body, token: OPERATOR });
    assert.deepEqual([created.status, created.json.organisationId], [201, 2]);
    const nowhere = await server.call('/profiles/', { body: newProfile({ organisationId: 77 }), token: OPERATOR });
    assert.equal(problemOf(nowhere), '422 VALIDATION_FAILED /organisationId');
  });

  it('are replaced completely, except password and generated members', async () => {
    const password = 'a long password';
    const { json: before } = await post(
      newProfile({ ...phone, password, languagePreference: 'ENG', customerRef: randomUUID() }),
    );
    const path = `/profiles/${before.customerNumber}`;
    const body = { firstName: 'Ola', surname: 'Hansen', email: before.email, ...CHANGED_BY };
    const { status, json } = await server.call(path, { method: 'PUT', body });
    assert.equal(status, 200);
    const { countryCode: _c, telephoneNumberNoCountryCode: _t, ...kept } = before;
    const { changedAt, ...rest } = json;
    assert.ok(changedAt >= before.changedAt);
    const defaults = { customerRef: before.customerNumber, languagePreference: 'nob' };
    assert.deepEqual({ ...rest, changedAt: kept.changedAt }, { ...kept, ...body, ...defaults });
    assert.deepEqual((await server.call(path)).json, json);
    const login = { username: before.email, password, organisationId: 1 };
    assert.equal((await server.call('/profiles/authenticate', { body: login })).status, 200);
  });

  const replacements: Record<string, readonly [object, string]> = {
    'a password': [{ password: 'a long password' }, '/password'],
    'its author': [CREATED_BY, '/createdBy /createdByChannel'],
    'an organisation': [{ organisationId: 1 }, '/organisationId'],
    'its number': [{ customerNumber: '4837201956' }, '/customerNumber'],
    'its type': [{ profileType: 'PERMANENT' }, '/profileType'],
    'no author': [{ changedBy: undefined, changedByChannel: undefined }, '/changedBy /changedByChannel'],
    'no e-mail': [{ email: undefined }, '/email'],
    'half a phone number': [{ countryCode: '47' }, '/telephoneNumberNoCountryCode'],
  };
  for (const [name, [content, pointers]] of Object.entries(replacements)) {
    it(`are not replaced with ${name}`, async () => {
      const path = `/profiles/${await server.createProfile()}`;
      const whole = { firstName: 'Ola', surname: 'Hansen', email: `${randomUUID()}@example.no`, ...CHANGED_BY };
      const answer = await server.call(path, { method: 'PUT', body: { ...whole, ...content } });
      assert.equal(problemOf(answer), `400 VALIDATION_FAILED ${pointers}`);
    });
  }

  for (const type of ['application/merge-patch+json', 'application/json']) {
    it(`are changed by a merge patch called ${type}: null removes, or brings back the default`, async () => {
      const { json: before } = await post(
        newProfile({ ...phone, dateOfBirth: '1990-01-01', languagePreference: 'EN', customerRef: randomUUID() }),
      );
      const path = `/profiles/${before.customerNumber}`;
      const patch = (body: object) =>
        server.call(path, { method: 'PATCH', headers: { 'content-type': type }, body: { ...body, ...CHANGED_BY } });
      const { json: changed } = await patch({
        surname: 'Hansen',
        dateOfBirth: null,
        customerRef: null,
        languagePreference: null,
      });
      const { dateOfBirth: _, ...kept } = before;
      assert.deepEqual(changed, {
        ...kept,
        surname: 'Hansen',
        customerRef: before.customerNumber,
        languagePreference: 'nob',
        ...CHANGED_BY,
        changedAt: changed.changedAt,
      });
      const { json: without } = await patch({ countryCode: null, telephoneNumberNoCountryCode: null });
      assert.equal('countryCode' in without || 'telephoneNumberNoCountryCode' in without, false);
      assert.equal(
        problemOf(await patch({ countryCode: '47' })),
        '400 VALIDATION_FAILED /telephoneNumberNoCountryCode',
      );
    });
  }

  const patches: Record<string, readonly [object, string]> = {
    'no author': [{ changedBy: undefined }, '/changedBy'],
    'null for the author': [{ changedByChannel: null }, '/changedByChannel'],
    'null for the first name': [{ firstName: null }, '/firstName'],
    'null for the e-mail': [{ email: null }, '/email'],
    'another organisation': [{ organisationId: 2 }, '/organisationId'],
    'another number': [{ customerNumber: '4837201956' }, '/customerNumber'],
    'a short password': [{ password: 'short' }, '/password'],
    'half a phone number': [{ countryCode: '47' }, '/telephoneNumberNoCountryCode'],
    'an expiration date': [{ expirationDate: '2030-01-01T00:00:00Z' }, '/expirationDate'],
  };
  for (const [name, [content, pointer]] of Object.entries(patches)) {
    it(`are not changed with ${name}`, async () => {
      const path = `/profiles/${await server.createProfile()}`;
      const answer = await server.call(path, { method: 'PATCH', body: { ...CHANGED_BY, ...content } });
      assert.equal(problemOf(answer), `400 VALIDATION_FAILED ${pointer}`);
    });
  }

  it('get a new password by a change, and lose it with null', async () => {
    const email = `pw-${randomUUID()}@example.no`;
    const path = `/profiles/${await server.createProfile({ email, password: 'the first one' })}`;
    const login = async (password: string) =>
      (await server.call('/profiles/authenticate', { body: { username: email, password, organisationId: 1 } })).status;
    const set = (password: string | null) => server.call(path, { method: 'PATCH', body: { password, ...CHANGED_BY } });
    assert.equal((await set('the second one')).status, 200);
    assert.deepEqual([await login('the first one'), await login('the second one')], [401, 200]);
    assert.equal((await set(null)).status, 200);
    assert.equal(await login('the second one'), 401);
  });

  it('cannot take the e-mail address or reference of another profile', async () => {
    const { json: first } = await post(newProfile({ customerRef: randomUUID() }));
    const path = `/profiles/${await server.createProfile()}`;
    const patch = (body: object) => server.call(path, { method: 'PATCH', body: { ...body, ...CHANGED_BY } });
    assert.equal(problemOf(await patch({ email: first.email.toUpperCase() })), '409 DUPLICATE_EMAIL');
    assert.equal(problemOf(await patch({ customerRef: first.customerRef })), '409 DUPLICATE_CUSTOMER_REF');
  });

  it('are absent at once when they are deleted, and deleted once', async () => {
    const customerNumber = await server.createProfile();
    const path = `/profiles/${customerNumber}`;
    const deleted = await server.call(path, { method: 'DELETE' });
    assert.deepEqual([deleted.status, deleted.json], [202, { customerNumber, status: 'ERASING' }]);
    assert.ok(server.workflowCalls.includes(`startProfileErasure ${customerNumber}`));
    assert.equal((await server.call(path)).status, 404);
    assert.equal((await server.call(path, { method: 'DELETE' })).status, 404);
    assert.equal((await server.call(path, { method: 'PATCH', body: CHANGED_BY })).status, 404);
  });

  it('are deleted also when the workflow cannot be started', async () => {
    const customerNumber = await server.createProfile();
    server.workflowsAway = true;
    const deleted = await server.call(`/profiles/${customerNumber}`, { method: 'DELETE' });
    server.workflowsAway = false;
    assert.equal(deleted.status, 202);
    const [left] = await server.connection
      .collection('customer_profiles')
      .find({ pendingStart: true, _id: customerNumber as never })
      .toArray();
    assert.equal(left?.status, 'ERASING');
  });

  it('cannot be written under the path of temporary ones, nor these under theirs', async () => {
    const permanent = await server.createProfile();
    const temporary = await server.createTemporary();
    assert.equal((await server.call(`/profiles/${temporary}`)).status, 200);
    for (const path of [`/profiles/${temporary}`, `/profiles/temporary/${permanent}`]) {
      for (const method of ['PATCH', 'DELETE']) {
        const answer = await server.call(path, { method, ...(method === 'PATCH' && { body: CHANGED_BY }) });
        assert.equal(problemOf(answer), '404 NOT_FOUND', `${method} ${path}`);
      }
    }
    assert.equal((await server.call(`/profiles/temporary/${permanent}`)).status, 404);
  });

  it('have numbers of 7 to 12 digits; a malformed number gets an error of its own', async () => {
    for (const [method, path] of [
      ['DELETE', '/profiles/123456'],
      ['DELETE', '/profiles/a-reference'],
      ['GET', '/profiles/a%20b'],
      ['GET', `/profiles/${'x'.repeat(41)}`],
      ['GET', '/profiles/temporary/x'],
      ['GET', '/profiles/1234567890123/consents'],
      ['GET', '/profiles/4837201956/consents/1'],
      ['GET', '/profiles/4837201956/preferences/a%20b'],
    ] as const) {
      assert.equal(problemOf(await server.call(path, { method })).slice(0, 22), '400 INVALID_IDENTIFIER', path);
    }
    assert.equal((await server.call('/profiles/4837201956')).status, 404);
  });

  describe('under an idempotency key', () => {
    it('are created once; another request under the key is refused', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const body = newProfile({ password: 'a long password' });
      const first = await post(body, headers);
      const again = await post(body, headers);
      assert.deepEqual([again.status, again.json], [201, first.json]);
      assert.equal(again.headers.get('idempotency-replayed'), 'true');
      assert.equal(again.headers.get('location'), first.headers.get('location'));
      assert.equal(problemOf(await post(newProfile(), headers)), '422 IDEMPOTENCY_KEY_REUSED');
    });

    it('are deleted once, and a repetition gets the same answer', async () => {
      const path = `/profiles/${await server.createProfile()}`;
      const headers = { 'idempotency-key': randomUUID() };
      const first = await server.call(path, { method: 'DELETE', headers });
      const again = await server.call(path, { method: 'DELETE', headers });
      assert.deepEqual([again.status, again.text], [first.status, first.text]);
    });

    it('leave no name in stored answers', async () => {
      const surname = `Hemmelig${randomUUID()}`;
      await post(newProfile({ surname }), { 'idempotency-key': randomUUID() });
      const kept = await server.connection.collection('idempotency_keys').find().toArray();
      const bytes = Buffer.concat(kept.map(({ answer }) => Buffer.from(answer?.body?.buffer ?? [])));
      assert.ok(kept.length > 0 && bytes.length > 0);
      assert.equal(bytes.includes(surname), false);
    });
  });
});
