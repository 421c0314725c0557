/** Tests passwords: each hash contains its parameters, and older ones are verified at the same cost. */
import assert from 'node:assert/strict';
import { Passwords } from '../../../activities/customers/passwords.ts';
import type { OrganisationId } from '../../../workflows/shared/ids.ts';

const ORGANISATION = 1 as OrganisationId;

/** An eighth of today's cost: the rules are the same for every cost. */
const CHEAP = { ln: 14, r: 8, p: 1 };

describe('passwords', () => {
  const passwords = new Passwords({ cost: CHEAP });

  it('recognise a password in another Unicode form', async () => {
    const hash = await passwords.hash(ORGANISATION, 'blåbær og fløte');
    assert.equal(await passwords.verify(ORGANISATION, 'bla\u030abær og fløte', hash), true);
    assert.equal(await passwords.verify(ORGANISATION, 'Blåbær og fløte', hash), false);
    assert.equal(await passwords.verify(ORGANISATION, '', hash), false);
  });

  it('store their parameters and a new salt in each hash', async () => {
    const today = new Passwords();
    const [first, second] = await Promise.all([today.hash(ORGANISATION, 'same'), today.hash(ORGANISATION, 'same')]);
    assert.match(first, /^\$scrypt\$ln=17,r=8,p=1\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(first, second);
    assert.equal(today.isCurrent(first), true);
    assert.equal(passwords.isCurrent(first), false);
  });

  it('verify a hash with other parameters', async () => {
    const { scryptSync } = await import('node:crypto');
    const salt = Buffer.alloc(8, 1);
    const hash = scryptSync('secret', salt, 16, { N: 2 ** 10, r: 4, p: 2 });
    const stored = `$scrypt$ln=10,r=4,p=2$${salt.toString('base64')}$${hash.toString('base64')}`;
    assert.equal(await passwords.verify(ORGANISATION, 'secret', stored), true);
    assert.equal(await passwords.verify(ORGANISATION, 'Secret', stored), false);
  });

  it('say which hashes have the parameters of today', async () => {
    const hash = await passwords.hash(ORGANISATION, 'secret');
    assert.equal(passwords.isCurrent(hash), true);
    assert.equal(passwords.isCurrent(hash.replace('ln=14', 'ln=12')), false);
    assert.equal(passwords.isCurrent(hash.replace('p=1', 'p=2')), false);
  });

  it('take the same work for an absent customer and for an older hash', async () => {
    const older = new Passwords({ cost: { ...CHEAP, ln: 12 } });
    const hashes = {
      current: await passwords.hash(ORGANISATION, 'secret'),
      older: await older.hash(ORGANISATION, 'secret'),
    };
    const costOnce = async (stored: string | undefined) => {
      const before = process.cpuUsage();
      assert.equal(await passwords.verify(ORGANISATION, 'wrong', stored), false);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    // Other work of the process and of the machine only adds to a measurement.
    const costOf = async (stored: string | undefined) =>
      Math.min(await costOnce(stored), await costOnce(stored), await costOnce(stored));
    const somebody = await costOf(hashes.current);
    for (const stored of [hashes.older, undefined, 'plain']) {
      const cost = await costOf(stored);
      assert.ok(
        cost > somebody * 0.4 && cost < somebody * 2.5,
        `${cost} for ${stored ?? 'nobody'}, ${somebody} for somebody`,
      );
    }
  });
});
