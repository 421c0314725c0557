/** Passwords: checked against a hash that says how it was made, a few at a time. */
import assert from 'node:assert/strict';
import { Passwords } from '../../../activities/customers/passwords.ts';
import { outcomeOf } from './customer-fixture.ts';

describe('passwords', () => {
  const passwords = new Passwords();

  it('knows a password again, also when it is written in another form of Unicode', async () => {
    const hash = await passwords.hash('blåbær og fløte');
    assert.equal(await passwords.verify('bla\u030abær og fløte', hash), true);
    assert.equal(await passwords.verify('Blåbær og fløte', hash), false);
    assert.equal(await passwords.verify('', hash), false);
  });

  it('says in the hash how it was made, with a salt each', async () => {
    const [first, second] = await Promise.all([passwords.hash('same'), passwords.hash('same')]);
    assert.match(first, /^\$scrypt\$ln=15,r=8,p=1\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    assert.notEqual(first, second);
  });

  it('reads a hash that was made with other parameters', async () => {
    const { scryptSync } = await import('node:crypto');
    const salt = Buffer.alloc(8, 1);
    const hash = scryptSync('secret', salt, 16, { N: 2 ** 10, r: 4, p: 2 });
    const stored = `$scrypt$ln=10,r=4,p=2$${salt.toString('base64')}$${hash.toString('base64')}`;
    assert.equal(await passwords.verify('secret', stored), true);
    assert.equal(await passwords.verify('Secret', stored), false);
  });

  it('takes as much work for an absent customer', async () => {
    const hash = await passwords.hash('secret');
    const costOf = async (stored: string | undefined) => {
      const before = process.cpuUsage();
      assert.equal(await passwords.verify('wrong', stored), false);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const costs = { somebody: await costOf(hash), nobody: await costOf(undefined), unreadable: await costOf('plain') };
    const message = JSON.stringify(costs);
    for (const cost of [costs.nobody, costs.unreadable]) {
      assert.ok(cost > costs.somebody / 4 && cost < costs.somebody * 4, message);
    }
  });

  it('computes a few at once, has so many wait, and turns the rest away', async () => {
    const busy = new Passwords({ atOnce: 1, waiting: 2 });
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => outcomeOf(busy.verify('secret', undefined))));
    assert.deepEqual(outcomes, [false, false, false, 'UNAVAILABLE', 'UNAVAILABLE']);
    assert.equal(await busy.verify('secret', await busy.hash('secret')), true);
  });
});
