/** Which addresses a receiver may have: both edges of each block that is not public. */
import assert from 'node:assert/strict';
import { isPublicAddress } from '../../../activities/shared/public-address.ts';

const PUBLIC = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2606:4700::1111',
  '2a00::1',
  '3ffe::1',
];

const NOT_PUBLIC = [
  '0.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.1.2.3',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.0.1',
  '198.19.255.255',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:1.1.1.1',
  '64:ff9b::a01:203',
  '64:ff9b:1::a01:203',
  '100::1',
  '2001::1',
  '2001:1ff:ffff::1',
  '2001:db8::1.2.3.4',
  '2002:a01:203::1',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fdff::1',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'feff::1',
  'ff02::1',
  'example.org',
  '',
];

describe('an address in the public network', () => {
  it('is none of a special block', () => {
    assert.deepEqual(
      PUBLIC.filter((address) => !isPublicAddress(address)),
      [],
    );
    assert.deepEqual(NOT_PUBLIC.filter(isPublicAddress), []);
  });
});
