/** Preferences of a profile: any JSON under a key. */
import type { Preference } from '../../activities/customers/customer-types.ts';
import type { ItemResource } from './items.ts';
import { invalidMember } from './requests.ts';

const VALUE_MAX_BYTES = 4_096;

export const preferences: ItemResource<'preferences'> = {
  one: 'Preference',
  many: 'Preferences',
  segment: 'preferences',
  idOf: ({ key }) => key,
  contentOf: ({ body, path }) => {
    const { key = path.key ?? '', value } = body as Partial<Preference>;
    if (path.key !== undefined && key !== path.key) {
      throw invalidMember('/key', 'CONST', 'must be the key in the path');
    }
    if (Buffer.byteLength(JSON.stringify(value)) > VALUE_MAX_BYTES) {
      throw invalidMember('/value', 'MAX_LENGTH', `must not be longer than ${VALUE_MAX_BYTES} bytes of JSON`);
    }
    return { key, value };
  },
  present: ({ key, value }) => ({ key, value }),
};
