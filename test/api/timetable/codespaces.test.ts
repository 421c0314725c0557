import assert from 'node:assert/strict';
import type { AuditTrail } from '../../../activities/shared/audit.ts';
import { AuditedCalls } from '../../../api/shared/audited-calls.ts';
import { form, OPERATOR, PROVIDER, STRANGER, startTimetable, type TimetableServer, uploadPath } from './support.ts';

const path = (codespace: string) => `/timetable/v1/codespaces/${codespace}`;

describe('codespaces', () => {
  let server: TimetableServer;
  before(async () => {
    server = await startTimetable();
  });
  after(async () => {
    await server.close();
  });

  const put = (codespace: string, body: unknown, token = OPERATOR) =>
    server.call(path(codespace), {
      method: 'PUT',
      token,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const fields = { name: 'A region', ownerOrganisationId: 7 };

  it('are created with defaults, replaced completely, and readable with the scope', async () => {
    const created = await put('abc', fields);
    const expected = { codespace: 'abc', ...fields, xmlns: 'ABC', allowedXmlns: ['NSR', 'PEN'], profile: 'timetable' };
    assert.equal(created.status, 201);
    assert.deepEqual(created.json, expected);
    assert.deepEqual((await server.call(path('abc'), { token: STRANGER })).json, expected);

    const whole = { codespace: 'abc', ...fields, xmlns: 'ABC', allowedXmlns: ['NSR'], profile: 'sweden' };
    const changed = await put('abc', whole);
    assert.equal(changed.status, 200);
    assert.deepEqual(changed.json, whole);
    assert.deepEqual((await put('abc', fields)).json, expected);

    const withAuthorities = { ...whole, authorities: ['ABC:Authority:1', 'ABC:Authority:2'] };
    assert.deepEqual((await put('abc', withAuthorities)).json, withAuthorities);
    assert.deepEqual((await server.call(path('abc'), { token: STRANGER })).json, withAuthorities);
    assert.deepEqual((await put('abc', { ...whole, authorities: [] })).json, { ...whole, authorities: [] });
    assert.deepEqual((await put('abc', fields)).json, expected);
    assert.deepEqual((await server.call(path('abc'), { token: STRANGER })).json, expected);
  });

  const wrong: Record<string, readonly [string, unknown, string]> = {
    'a codespace of four letters': ['abcd', fields, 'INVALID_IDENTIFIER'],
    'a codespace in upper case': ['ABC', fields, 'INVALID_IDENTIFIER'],
    'no name': ['abe', { ownerOrganisationId: 1 }, 'VALIDATION_FAILED'],
    'an empty name': ['abe', { ...fields, name: '' }, 'VALIDATION_FAILED'],
    'an unknown member': ['abe', { ...fields, colour: 'red' }, 'VALIDATION_FAILED'],
    'another profile': ['abe', { ...fields, profile: 'moon' }, 'VALIDATION_FAILED'],
    'another codespace in the body': ['abe', { ...fields, codespace: 'abf' }, 'VALIDATION_FAILED'],
    "another's prefix": ['abe', { ...fields, xmlns: 'ABC' }, 'VALIDATION_FAILED'],
    'foreign prefixes in lower case': ['abe', { ...fields, allowedXmlns: ['nsr'] }, 'VALIDATION_FAILED'],
    'an invalid authority': ['abe', { ...fields, authorities: ['ABC:Operator:1'] }, 'VALIDATION_FAILED'],
    'an organisation of 0': ['abe', { ...fields, ownerOrganisationId: 0 }, 'VALIDATION_FAILED'],
  };
  for (const [name, [codespace, body, code]] of Object.entries(wrong)) {
    it(`are refused with ${name}`, async () => {
      const answer = await put(codespace, body);
      assert.equal(answer.status, 400);
      assert.equal(answer.json.code, code);
      assert.ok(answer.json.errors.length > 0);
    });
  }

  it('can be changed by the operator only', async () => {
    for (const method of ['PUT', 'DELETE']) {
      const headers = { 'content-type': 'application/json' };
      const body = method === 'PUT' ? JSON.stringify(fields) : undefined;
      const answer = await server.call(path('dem'), { method, token: PROVIDER, headers, ...(body && { body }) });
      assert.equal(answer.json.code, 'INSUFFICIENT_SCOPE');
    }
    assert.equal((await server.call(path('zzz'), { token: OPERATOR })).status, 404);
    assert.equal((await server.call(path('zzz'), { method: 'DELETE', token: OPERATOR })).status, 404);
  });

  it('are absent with their versions once withdrawn, and empty when created again', async () => {
    const { correlationId } = await server.publish(Buffer.from('published'));
    const latest = '/timetable/v1/timetable-data/datasets/dem/latest';
    assert.equal((await server.call(latest, { token: PROVIDER })).status, 200);
    assert.equal((await server.call(path('dem'), { method: 'DELETE', token: OPERATOR })).status, 202);
    assert.equal((await server.call(path('dem'), { token: OPERATOR })).status, 404);
    assert.equal((await server.call(latest, { token: PROVIDER })).status, 404);
    assert.equal((await server.upload(form([{ bytes: 'x' }]), { path: uploadPath('dem') })).status, 404);
    assert.ok((await server.listObjects()).includes(`uploads/dem/${correlationId}.zip`));

    assert.equal((await put('dem', fields)).status, 201);
    assert.equal((await server.call(latest, { token: PROVIDER })).status, 404);
    assert.equal((await server.upload(form([{ bytes: 'published' }]))).status, 200);
  });

  it('signals each withdrawal to the planner, and withdraws also when the signal fails', async () => {
    await put('dem', fields);
    const before = server.plannerSignals;
    const first = await server.publish(Buffer.from('first to withdraw'));
    const version = (importKey: string) =>
      `/timetable/v1/timetable-management/datasets/dem/version/${encodeURIComponent(importKey)}`;
    assert.equal((await server.call(version(first.importKey), { method: 'DELETE', token: PROVIDER })).status, 202);
    assert.equal(server.plannerSignals, before + 1);
    const second = await server.publish(Buffer.from('second to withdraw'));
    server.workflowsAway = true;
    assert.equal((await server.call(version(second.importKey), { method: 'DELETE', token: PROVIDER })).status, 202);
    server.workflowsAway = false;
    assert.equal((await server.call(path('dem'), { method: 'DELETE', token: OPERATOR })).status, 202);
    assert.equal(server.plannerSignals, before + 2);
  });
});

describe('The audit log of codespaces and versions', () => {
  it('has no entry of a call whose resource is absent or forbidden', async () => {
    const recorded: string[] = [];
    const trail: AuditTrail = {
      record: async ({ action }, act) => {
        recorded.push(action);
        return await act();
      },
    };
    const audit = { trail, addressOf: () => '192.0.2.7', calls: new AuditedCalls(60) };
    const server = await startTimetable({ audit });
    try {
      recorded.length = 0;
      const { importKey } = await server.publish(Buffer.from('to withdraw'));
      const version = (codespace: string, key: string) =>
        `/timetable/v1/timetable-management/datasets/${codespace}/version/${encodeURIComponent(key)}`;
      const withdraw = async (at: string, token: string) => (await server.call(at, { method: 'DELETE', token })).status;
      const absent = 'dem_2026-01-01T00_00_00.000';
      assert.equal(await withdraw(version('dem', absent), PROVIDER), 404);
      assert.equal(await withdraw(version('dem', importKey), STRANGER), 403);
      assert.equal(await withdraw(version('zzz', absent), OPERATOR), 404);
      assert.equal(await withdraw(path('zzz'), OPERATOR), 404);
      assert.deepEqual(recorded, []);
      assert.equal(await withdraw(version('dem', importKey), PROVIDER), 202);
      // A version that is withdrawn already may be withdrawn again.
      assert.equal(await withdraw(version('dem', importKey), PROVIDER), 202);
      assert.equal(await withdraw(path('dem'), OPERATOR), 202);
      assert.deepEqual(recorded, ['dataset-version.withdraw', 'dataset-version.withdraw', 'codespace.withdraw']);
    } finally {
      await server.close();
    }
  });
});
