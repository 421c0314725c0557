/** Tests the check of the supply chain on made-up packages, answers of the registry, and image names. */
import assert from 'node:assert/strict';
import { findAdvisoryFaults, parseAudit } from '../../dev/supply-chain/advisories.ts';
import { ALLOWED_ADVISORIES, ALLOWED_LICENCES, LICENCE_EXCEPTIONS } from '../../dev/supply-chain/allowed.ts';
import { imagesIn, isPinned, pin } from '../../dev/supply-chain/images.ts';
import { findLicenceFaults, isAllowed } from '../../dev/supply-chain/licences.ts';

const DIGEST = `sha256:${'a'.repeat(64)}`;

describe('licences of packages', () => {
  const allowed = new Set(['MIT', 'ISC', 'Apache-2.0']);
  const exception = { name: 'odd', says: '', reason: 'its repository says MIT', date: '2026-11-23' };

  it('may be combined and chosen from', () => {
    for (const each of ['MIT', '(MIT AND ISC)', 'GPL-3.0-only OR MIT', '(GPL-3.0-only OR ISC) AND MIT']) {
      assert.equal(isAllowed(each, allowed), true, each);
    }
    for (const each of [
      '',
      'GPL-3.0-only',
      'MIT AND GPL-3.0-only',
      'GPL-3.0-only OR AGPL-3.0-only',
      'MIT GPL',
      'SEE LICENSE',
    ]) {
      assert.equal(isAllowed(each, allowed), false, each);
    }
  });

  it('that are unknown are faults, as are exceptions that nothing needs', () => {
    const odd = { name: 'odd', version: '1.0.0', licence: '' };
    const copyleft = { name: 'left', version: '2.0.0', licence: 'AGPL-3.0-only' };
    assert.deepEqual(findLicenceFaults([odd], allowed, [exception]), []);
    assert.deepEqual(findLicenceFaults([odd, copyleft], allowed, [exception]), [
      'left 2.0.0 has the licence "AGPL-3.0-only"',
    ]);
    assert.match(String(findLicenceFaults([], allowed, [exception])), /remove the exception/);
  });

  it('are allowed with a reason and a date', () => {
    for (const { reason, date } of LICENCE_EXCEPTIONS) {
      assert.ok(reason.length > 20);
      assert.match(date, /^\d{4}-\d\d-\d\d$/);
    }
    for (const { reason, until } of ALLOWED_ADVISORIES) {
      assert.ok(reason.length > 20);
      assert.match(until, /^\d{4}-\d\d-\d\d$/);
    }
    assert.ok(![...ALLOWED_LICENCES].some((each) => each.includes('GPL')));
  });
});

describe('known vulnerabilities', () => {
  const advisory = {
    name: 'parcel',
    title: 'Parcels open themselves',
    url: 'https://example.org/advisories/GHSA-aaaa-bbbb-cccc',
    severity: 'high',
  };
  const output = JSON.stringify({
    vulnerabilities: { parcel: { via: [advisory] }, box: { via: ['parcel', advisory] } },
  });

  it('are faults until they are allowed, and again from the day on that the allowance ends', () => {
    const found = parseAudit(output);
    const allowed = {
      id: 'GHSA-aaaa-bbbb-cccc',
      package: 'parcel',
      reason: 'no parcel is opened',
      until: '2026-12-01',
    };
    assert.deepEqual(findAdvisoryFaults(found, [], '2026-11-23'), [
      'parcel has the vulnerability GHSA-aaaa-bbbb-cccc (high): Parcels open themselves',
    ]);
    assert.deepEqual(findAdvisoryFaults(found, [allowed], '2026-11-30'), []);
    assert.equal(findAdvisoryFaults(found, [allowed], '2026-12-01').length, 1);
    assert.match(String(findAdvisoryFaults([], [allowed], '2026-11-23')), /concerns no package any more/);
  });

  it('are not taken for none when the registry does not answer', () => {
    assert.deepEqual(parseAudit('{"vulnerabilities":{}}'), []);
    assert.throws(() => parseAudit(''), /no answer/);
    assert.throws(
      () => parseAudit('{"message":"405 Method Not Allowed - POST https://r.example/x"}'),
      /405 .* the registry$/,
    );
  });
});

describe('images', () => {
  const text = `  image: mongo:8.0.16-noble\n  image: samferd:1\nFROM golang:1.24-bookworm AS build\nARG NODE_IMAGE=node:24-slim@${DIGEST}\n`;

  it('are found in compose files and Dockerfiles, but not those built here', () => {
    assert.deepEqual(imagesIn(text), ['mongo:8.0.16-noble', 'golang:1.24-bookworm', `node:24-slim@${DIGEST}`]);
    assert.deepEqual(imagesIn(text).map(isPinned), [false, false, true]);
  });

  it('are pinned behind their tag, and pinned anew', () => {
    const other = `sha256:${'b'.repeat(64)}`;
    const pinned = pin(
      text,
      new Map([
        ['golang:1.24-bookworm', DIGEST],
        ['node:24-slim', other],
      ]),
    );
    assert.ok(pinned.includes(`FROM golang:1.24-bookworm@${DIGEST} AS build\n`));
    assert.ok(pinned.includes(`ARG NODE_IMAGE=node:24-slim@${other}\n`));
    assert.ok(pinned.includes('image: mongo:8.0.16-noble\n'));
  });
});
