/** Tests the configuration of customers: errors name the variable and never repeat its value. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { customerShape } from '../../../activities/customers/customer-config.ts';
import { parseConfig } from '../../../platform/config.ts';

const KEY = randomBytes(32).toString('base64');
const GOOD = {
  CUSTOMER_KEYS_MONGODB_URI: 'mongodb://localhost/keys',
  CUSTOMER_MASTER_KEYS: `new:${KEY},old:${randomBytes(32).toString('base64')}`,
  CUSTOMER_SEARCH_KEY: KEY,
};

describe('configuration of customers', () => {
  it('reads keys, first the one that seals', () => {
    const config = parseConfig(customerShape, GOOD);
    assert.equal(config.CUSTOMER_MASTER_KEYS.writingKeyId, 'new');
    assert.deepEqual([...config.CUSTOMER_MASTER_KEYS.keys.keys()], ['new', 'old']);
    assert.equal(config.CUSTOMER_SEARCH_KEY.length, 32);
  });

  it('names the wrong variable and never repeats its value', () => {
    const wrong = {
      CUSTOMER_KEYS_MONGODB_URI: 'localhost',
      CUSTOMER_MASTER_KEYS: `new:${KEY.slice(0, 20)}`,
      CUSTOMER_SEARCH_KEY: KEY.slice(0, 20),
    };
    for (const [name, value] of Object.entries(wrong)) {
      assert.throws(
        () => parseConfig(customerShape, { ...GOOD, [name]: value }),
        ({ message }: Error) => message.includes(name) && !message.includes(KEY.slice(0, 20)),
      );
    }
  });
});
